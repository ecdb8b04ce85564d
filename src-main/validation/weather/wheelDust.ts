// Dust of wheels: a vehicle crosses before a level laser, and its dust drifts through the beam.
import { about, closedForm, type Measurement } from '../closedForm.ts';
import { formsPiece } from '../parts.ts';
import { grey, wall } from '../scenes.ts';
import { laserSlotNs, singleLaser } from '../simpleSensors.ts';
import { atOrigin, stationary } from '../trajectories.ts';

const [resolutionM, firstM, mixingM2PerS] = [1, 0.5, 0.1];
const [acrossM, speedMPerS, windMPerS, atS] = [20, 5, 2, 20];
const sensor = singleLaser({
  divergenceMrad: 1,
  range: { minM: 0.2, maxM: 200 },
  beam: { apertureHorizontalM: 0.01, apertureVerticalM: 0.01, overlapM: [0.9, 1] },
  returns: {
    mode: 'all',
    maxReturns: 8,
    rangeResolutionM: resolutionM,
    detectionThreshold: 1e-9,
  },
});
const wheelDust = {
  siltPercent: 8.5,
  moisturePercent: 0.5,
  grains: 'pm10' as const,
  motions: ['car'],
  lidarRatioSr: 47,
  firstM,
  mixingM2PerS,
};
const motions = {
  car: {
    kind: 'path' as const,
    pointsM: [
      [acrossM, -50, 0],
      [acrossM, 150, 0],
    ] as [number, number, number][],
    speedMPerS,
  },
};
const wind = { speedMPerS: windMPerS, directionDeg: 0 };
const weather = { wheelDust };
const path = {
  trajectory: stationary(atOrigin),
  fromNs: atS * 1e9,
  toNs: atS * 1e9 + laserSlotNs,
};

/** 139 g/km at 2 m/s (AP-42, 13.2.2, 1b, by hand), 0.6 m² a gram; it grows as the root of the speed. */
const raisedM2PerM = 0.1388 * Math.sqrt(speedMPerS / 2) * 0.6;

/** Dust of an age: the part that has not settled, and its variance. */
function aged(ageS: number): { leftM2PerS: number; variance: number } {
  const variance = firstM ** 2 + 2 * mixingM2PerS * ageS;
  const fallen = (0.002 * Math.sqrt(2 / Math.PI) * (Math.sqrt(variance) - firstM)) / mixingM2PerS;
  return { leftM2PerS: raisedM2PerM * speedMPerS * Math.exp(-fallen), variance };
}

const stepS = 0.002;

/** Sum over the way of the vehicle of what each moment of it gives, by how far beside the beam and along it it is now. */
function sumOfWay(of: (dust: ReturnType<typeof aged>, besideM: number, alongM: number) => number) {
  let sum = 0;
  for (let raisedS = 0.5 * stepS; raisedS < atS; raisedS += stepS) {
    const ageS = atS - raisedS;
    sum += of(aged(ageS), -50 + speedMPerS * raisedS, acrossM + windMPerS * ageS) * stepS;
  }
  return sum;
}

const depth = sumOfWay(
  ({ leftM2PerS, variance }, besideM) =>
    ((2 * leftM2PerS) / (2 * Math.PI * variance)) * Math.exp(-(besideM ** 2) / (2 * variance)),
);

function extinctionPerM(atM: number): number {
  return sumOfWay(({ leftM2PerS, variance }, besideM, alongM) => {
    const apartM2 = besideM ** 2 + (atM - alongM) ** 2;
    return (
      ((2 * leftM2PerS) / (2 * Math.PI * variance) ** 1.5) * Math.exp(-apartM2 / (2 * variance))
    );
  });
}

const taken: Measurement = async (laboratory) => {
  const signals: number[] = [];
  for (const dusty of [{}, { weather }]) {
    const scene = { ...wall(grey, 100), motions, wind, ...dusty };
    const columns = ['amplitude', 'object_id'] as const;
    const fired = await laboratory.fire({ scene, sensor, path, columns });
    signals.push(fired.amplitude[fired.object_id.findIndex((id) => id > 0)] ?? NaN);
  }
  const [clear = NaN, dusty = NaN] = signals;
  return [
    closedForm(
      {
        name: 'a wall behind dust of 10 s: optical depth of the dust',
        ...about(depth, 2e-3 * depth),
        source: 'the integral over the way of the vehicle of Gaussians that spread and settle',
      },
      -Math.log(dusty / clear) / 2,
    ),
  ];
};

const sentBack: Measurement = async (laboratory) => {
  const scene = { materials: { grey }, motions, wind, weather };
  const columns = ['amplitude', 'true_range_m'] as const;
  const fired = await laboratory.fire({ scene, sensor, path, columns });
  const expected = bump();
  const source = 'the greatest sum of pulses exp(−½(r − r′)²/σ²) of π α exp(−2τ) / (S r′²)';
  return [
    closedForm({ name: 'dust of 10 s: returns', expected: 1, source: 'one cloud' }, fired.rows),
    closedForm(
      { name: 'dust of 10 s: range of its echo', ...about(expected.rangeM, 0.02, 'm'), source },
      fired.true_range_m[0] ?? NaN,
    ),
    closedForm(
      {
        name: 'dust of 10 s: signal of its echo',
        ...about(expected.signal, 3e-3 * expected.signal, '1/m²'),
        source,
      },
      fired.amplitude[0] ?? NaN,
    ),
  ];
};

function bump(): { rangeM: number; signal: number } {
  const [startM, endM, stepM] = [acrossM, acrossM + 2 * windMPerS * 20, 0.02];
  const sigmaM = 0.28 * resolutionM;
  const sent: number[] = [];
  let passedDepth = 0;
  for (let atM = startM + 0.5 * stepM; atM < endM; atM += stepM) {
    const perM = extinctionPerM(atM);
    passedDepth += perM * stepM;
    const passed = Math.exp(-2 * (passedDepth - 0.5 * perM * stepM));
    sent.push((Math.PI * perM * passed * stepM) / (47 * atM ** 2));
  }
  const best = { rangeM: NaN, signal: 0 };
  const reach = Math.ceil((6 * sigmaM) / stepM);
  for (let at = reach; at < sent.length - reach; at += 1) {
    let signal = 0;
    for (let beside = -reach; beside <= reach; beside += 1) {
      const share = Math.exp(-0.5 * ((beside * stepM) / sigmaM) ** 2);
      signal += (sent[at + beside] ?? 0) * share;
    }
    if (signal > best.signal) {
      Object.assign(best, { rangeM: startM + (at + 0.5) * stepM, signal });
    }
  }
  return best;
}

export const raisedDust = formsPiece({
  name: 'dust of wheels',
  ours: `A vehicle crosses ${acrossM} m before a level laser at ${speedMPerS} m/s on a dirt track; a wind of ${windMPerS} m/s carries its dust along the beam, which is fired when the dust in it is 10 s old.`,
  rows: [taken, sentBack],
});
