// Pointing errors: where the pulses of a laser at rest meet a wall, and what its encoder reports.
import { radians } from '#domain/shared/numbers.ts';
import type { ValidationBench } from '../bench.ts';
import { closedForm, formsPart, meanForm, sigmaForm, type ClosedForm } from '../closedForm.ts';
import { buildPlates, fire, fireAlong, atOrigin } from '../laboratory.ts';
import { greatest, type Piece, type PieceOptions } from '../parts.ts';
import { singleLaser, singleRay } from '../simpleSensors.ts';
import { stationary } from '../trajectories.ts';

const [fullPulses, quickPulses] = [40_000, 10_000];
const wallM = 20;
const sigmaMrad = 1;
const reflectance = 0.5;
const stepDeg = 0.25;
/** Prime, so that azimuths spread evenly over the encoder's steps. */
const slotsPerRevolution = 9973;

export const directions: Piece = {
  name: 'directions',
  async run(bench, options) {
    return formsPart(
      `Directions: a pointing error of ${sigmaMrad} mrad before a wall ${wallM} m away; an encoder of ${stepDeg}° inside a sphere.`,
      [
        ...(await pointingForms(bench, options)),
        ...(await encoderForms(bench, 0)),
        ...(await encoderForms(bench, 0.2)),
      ],
    );
  },
};

async function pointingForms(
  bench: ValidationBench,
  { isQuick, seeds }: PieceOptions,
): Promise<ClosedForm[]> {
  await buildPlates(bench, { grey: { reflectance } }, [{ material: 'grey', faceM: [wallM, 0, 0] }]);
  const left: number[] = [];
  const up: number[] = [];
  for (const seed of seeds) {
    const columns = await fire(
      bench,
      singleLaser({ beam: singleRay, noise: { pointingSigmaMrad: sigmaMrad } }),
      ['hit_y_m', 'hit_z_m'],
      { pulses: isQuick ? quickPulses : fullPulses, seed },
    );
    left.push(...columns.hit_y_m.map((y) => y / wallM));
    up.push(...columns.hit_z_m.map((z) => z / wallM));
  }
  const expected = sigmaMrad / 1000;
  // The tangent of a normal angle: σ·(1 + σ²), 1e-6 of it; places on the wall are 32-bit: 1e-9 over 20 m.
  const common = {
    expected,
    tolerance: 1e-8,
    unit: 'rad',
    source: 'normal angles to the left and up',
  };
  const products = left.map((each, n) => (each * (up[n] ?? NaN)) / expected ** 2);
  return [
    closedForm('pointing: standard deviation to the left', { ...sigmaForm(left), ...common }),
    closedForm('pointing: standard deviation upwards', { ...sigmaForm(up), ...common }),
    closedForm('pointing: correlation of left and up', {
      ...meanForm(products),
      expected: 0,
      source: 'independent angles',
    }),
  ];
}

async function encoderForms(bench: ValidationBench, offsetDeg: number): Promise<ClosedForm[]> {
  await bench.build(
    await bench.scene(
      {
        materials: { grey: { reflectance } },
        models: { ball: { kind: 'sphere', radiusM: wallM, rings: 64, material: 'grey' } },
        instances: [{ name: 'ball', model: 'ball', positionM: [0, 0, 0], onGround: false }],
      },
      1,
    ),
  );
  const columns = await fireAlong(
    bench,
    singleLaser({
      scan: { kind: 'spinning', rateHz: 1, slotsPerRevolution },
      banks: [{ name: 'laser', elevationsDeg: [0], azimuthOffsetsDeg: [offsetDeg] }],
      beam: singleRay,
      quantisation: { azimuthDeg: stepDeg },
    }),
    ['azimuth_rad', 'hit_x_m', 'hit_y_m'],
    { trajectory: stationary(atOrigin), toNs: 1e9, seed: 1 },
  );
  const step = radians(stepDeg);
  const late = Array.from(columns.azimuth_rad, (azimuthRad, row) => {
    const trueRad = Math.atan2(columns.hit_y_m[row] ?? NaN, columns.hit_x_m[row] ?? NaN);
    const difference = (trueRad - azimuthRad) / step;
    const turn = (2 * Math.PI) / step;
    return difference - turn * Math.round(difference / turn);
  });
  const source = 'an encoder reports the last count: errors are uniform over a step';
  const apart = Array.from(columns.azimuth_rad, (azimuthRad) => {
    const counts = (azimuthRad - radians(offsetDeg)) / step;
    return counts - Math.round(counts);
  });
  const laser = `laser at ${offsetDeg}°`;
  return [
    closedForm(`encoder, ${laser}: reported azimuth less offset, from a whole step, in steps`, {
      measured: greatest(apart),
      expected: 0,
      // 32-bit azimuths to 2π.
      tolerance: 2.4e-7 / step,
      source: 'the encoder counts the head, the offset is added by the table',
    }),
    closedForm(`encoder, ${laser}: mean of true less reported azimuth, in steps`, {
      measured: late.reduce((sum, each) => sum + each, 0) / late.length,
      expected: 0.5,
      // Evenly spread azimuths: within one pulse of a step, 360/9973/0.25 of it, and 32-bit azimuths.
      tolerance: 360 / slotsPerRevolution / stepDeg / 2,
      source,
    }),
    closedForm(`encoder, ${laser}: standard deviation, in steps`, {
      measured: sigmaForm(late).measured,
      expected: 1 / Math.sqrt(12),
      tolerance: 360 / slotsPerRevolution / stepDeg / 2,
      source,
    }),
  ];
}
