// Echoes of surfaces that each meet part of the beam: within the range resolution they merge into one between them, a ghost
// point; beyond it they are two. The strongest is not the closest; a miss of the centre ray drops nothing; noise makes no
// echo where nothing was hit.
import type { SensorInput } from '#contract/documents/sensor.ts';
import { rotationFromDegrees, type Vector3 } from '#domain/shared/pose.ts';
import { standardDeviation } from '#domain/shared/statistics.ts';
import { about, closedForm, differences, form, type Measurement } from '../closedForm.ts';
import type { Laboratory } from '../laboratory.ts';
import { above, below, equal } from '../criteria.ts';
import { openLaboratory } from '../laboratory.ts';
import { formsPiece, greatest, type Piece } from '../parts.ts';
import { grey, plates, solids } from '../scenes.ts';
import { singleLaser } from '../simpleSensors.ts';
import { atRest } from '../trajectories.ts';

const divergenceMrad = 60;
const sensorM = 5;
const nearM = 2;
const resolutionM = 0.5;
/** Edge of the near plate, beside the axis and between rays: at 3 m they pass it at 0, ±48 and ±67 mm. */
const edgeM = 0.02;
/** Ranges are 32-bit: 2.4e-7 at 5 m; directions as well. */
const tolerance = 1e-5;

/** From 5 m above; looking down (pitch 90°) left stays left: y. */
const down = [{ positionM: [0, 0, sensorM] as Vector3, rotation: rotationFromDegrees(0, 90, 0) }];

/** A plate from the edge to the left, and one below all of it. */
function platesAt(farM: number, near = 0.5, far = 0.5): ReturnType<typeof solids> {
  const thickM = 0.01;
  const plate = (reflectance: number, widthM: number, leftM: number, topM: number) => ({
    shape: { kind: 'box' as const, sizeM: [4, widthM, thickM] as Vector3 },
    material: { reflectance },
    positionM: [0, leftM, topM - thickM / 2] as Vector3,
  });
  return solids([plate(near, 2, edgeM + 1, nearM), plate(far, 4, 0, farM)]);
}

function withFarPlate(farM: number, isGhost: boolean): Measurement {
  return async ({ bench, fire }) => {
    const sensor = await bench.sensor(
      singleLaser({
        divergenceMrad,
        returns: { mode: 'all', maxReturns: 8, rangeResolutionM: resolutionM },
      }),
    );
    const { ray_left: lefts, ray_up: ups } = (await bench.describe({ sensor })).columns;
    const rays = Array.from(lefts, (left, ray) => {
      const length = Math.hypot(1, left, ups[ray] ?? NaN);
      const isNear = (sensorM - nearM) * left > edgeM;
      const rangeM = (sensorM - (isNear ? nearM : farM)) * length;
      // Equal rays on equal plates: the cosine of incidence is 1 / length.
      return { isNear, rangeM, received: 1 / (length * rangeM ** 2) };
    });
    const heightOf = (chosen: typeof rays): number => {
      const received = chosen.reduce((sum, ray) => sum + ray.received, 0);
      return sensorM - chosen.reduce((sum, ray) => sum + ray.received * ray.rangeM, 0) / received;
    };
    const groups = isGhost
      ? [rays]
      : [rays.filter(({ isNear }) => isNear), rays.filter(({ isNear }) => !isNear)];
    const {
      rows,
      z_m: zM,
      beam_share: shares,
    } = await fire({ scene: platesAt(farM), sensor, columns: ['z_m', 'beam_share'], poses: down });
    const name = `plates at z = ${nearM.toFixed(1)} and ${farM.toFixed(1)}`;
    const source = 'energy mean of the rays that sensor.describe gives';
    return [
      closedForm(
        { name: `${name}: returns`, comparison: 'equal', expected: groups.length, source },
        rows,
      ),
      ...groups.flatMap((group, n) => [
        closedForm(
          {
            name: `${name}: height of return ${n + 1}`,
            expected: about(heightOf(group), tolerance, 'm'),
            source,
          },
          zM[n] ?? NaN,
        ),
        closedForm(
          {
            name: `${name}: share of the beam of return ${n + 1}`,
            expected: about(group.length / 9, 1e-6),
            source: 'nine rays of equal weight',
          },
          shares[n] ?? NaN,
        ),
      ]),
    ];
  };
}

/** A dark plate before a bright one, 4 m apart; three rays of the ring meet the near one, at one distance. */
const darkBeforeBright = platesAt(-2, 0.2, 0.9);
const slant = Math.hypot(1, 0.75 * Math.tan(divergenceMrad / 2000));
const nearRangeM = (sensorM - nearM) * slant;
const farRangeM = sensorM + 2;

const modes: [name: string, returns: Partial<SensorInput['returns']>, expectedM: number][] = [
  // The ray on the axis meets the bright plate head-on.
  ['dark before bright: range of strongest', { mode: 'strongest' }, farRangeM],
  ['dark before bright: range of closest', { mode: 'closest' }, nearRangeM],
  ['dark before bright: range of last', { mode: 'last' }, farRangeM * slant],
  ['dark before bright, 4 m apart: range of first, cutoff 1 m', { mode: 'first' }, nearRangeM],
  [
    'dark before bright, 4 m apart: range of first, cutoff 5 m',
    { mode: 'first', signalCutoffM: 5 },
    (3 * nearRangeM + 5 * farRangeM * slant + farRangeM) / 9,
  ],
];

/** Two half plates one behind the other under a sensor that looks down. */
export const echoes = formsPiece({
  name: 'echoes',
  catches: ['strongest-is-closest'],
  ours: `Echoes: a sensor ${sensorM} m above, γ = ${divergenceMrad} mrad, looks down on a half plate at z = ${nearM.toFixed(1)} whose edge lies between rays, and on a plate below it; range resolution ${resolutionM} m.`,
  rows: [
    withFarPlate(1.7, true),
    withFarPlate(0.5, false),
    ...modes.map(([name, returns, expected]) =>
      form({
        scene: darkBeforeBright,
        sensor: singleLaser({ divergenceMrad, returns }),
        poses: down,

        name,
        statistic: 'range_m',
        expected: about(expected, tolerance, 'm'),
        source: 'geometry of the stencil: three of nine rays on the near plate',
      }),
    ),
  ],
});

const plateM = 10;
/** Left of the axis; the nine rays pass at 0, ±34.2 and ±48.4 mm, the outermost of a thousand at 64 mm. */
const besideM = 0.02;
const spotMrad = 12.9;

function edge(name: string, beam: Partial<SensorInput['beam']>): Measurement {
  return async ({ bench, fire }) => {
    const sensor = await bench.sensor(
      singleLaser({ divergenceMrad: spotMrad, beam, returns: { mode: 'first' } }),
    );
    const {
      ray_left: lefts,
      ray_up: ups,
      ray_weight: weights,
    } = (await bench.describe({ sensor })).columns;
    let [share, weightedM] = [0, 0];
    for (const [ray, left] of lefts.entries()) {
      if (plateM * left <= besideM) continue;
      const weight = weights[ray] ?? NaN;
      share += weight;
      weightedM += weight * plateM * Math.hypot(1, left, ups[ray] ?? NaN);
    }
    const {
      rows,
      range_m: rangesM,
      beam_share: shares,
    } = await fire({
      scene: plates([{ material: grey, faceM: [plateM, besideM + 2, 0], sizeM: [4, 4] }]),
      sensor,
      columns: ['range_m', 'beam_share'],
    });
    const source = 'weights and directions of the rays that sensor.describe gives';
    // Shares are sums of 32-bit weights, ranges 32-bit.
    const form = (of: string, expected: number, measured = NaN, unit = '1') => {
      const law = { name: `edge beside the axis: ${of}, ${name}`, expected, tolerance: 1e-5 };
      return closedForm({ ...law, unit, source }, measured);
    };
    return [
      closedForm(
        {
          name: `edge beside the axis: returns of one pulse, ${name}`,
          comparison: 'equal',
          expected: 1,
          source: 'a miss of the centre ray drops nothing',
        },
        rows,
      ),
      form('share of the beam', share, shares[0]),
      form('range', weightedM / share, rangesM[0], 'm'),
    ];
  };
}

/** A plate that covers part of the beam and not its axis returns the share and range of the rays that met it. */
export const edges = formsPiece({
  name: 'edges',
  catches: ['centre-miss-drops-pulse'],
  ours: `Edge: a plate ${plateM} m away covers the beam (γ = ${spotMrad} mrad) from ${besideM * 1000} mm left of its axis on; the axis meets nothing.`,
  rows: [edge('nine rays', {}), edge('1000 rays', { stencil: 'rays', rays: { count: 1000 } })],
});

const turnPulses = 3600;
const [ballM, ballRadiusM, ballMrad] = [10, 2, 3];
/** Beyond this angle no ray of a beam can meet the ball. */
const besideRad = Math.asin(ballRadiusM / ballM) + ballMrad / 1000;
const biasSigmaM = 0.05;
const besideBall = solids([
  {
    shape: { kind: 'sphere', radiusM: ballRadiusM, rings: 16 },
    material: grey,
    positionM: [ballM, 0, 0],
  },
]);

/** One turn from azimuth 0 on, counter-clockwise. */
function isBeside(pulse: number): boolean {
  const azimuthRad = (2 * Math.PI * pulse) / turnPulses;
  return azimuthRad > besideRad && azimuthRad < 2 * Math.PI - besideRad;
}

async function turnOnce({ fire }: Laboratory, noise: SensorInput['noise'], seed: number) {
  const fired = await fire({
    scene: besideBall,
    sensor: singleLaser({
      divergenceMrad: ballMrad,
      scan: { kind: 'spinning', rateHz: 10, slotsPerRevolution: turnPulses },
      ...(noise && { noise }),
    }),
    columns: ['pulse', 'range_m', 'range_clean_m'],
    path: atRest(0.1),
    seed,
  });
  const errorsM = differences(fired.range_m, fired.range_clean_m);
  return { pulses: new Set(fired.pulse), errorsM };
}

/** The pulses that return with every kind of noise on are those that return without; a laser's bias is constant. */
export const emptyPulses: Piece = {
  name: 'empty-pulses',
  catches: ['bias-of-each-ray', 'noise-on-empty-pulses'],
  async run(bench, options) {
    const laboratory = openLaboratory(bench, options);
    const clean = await turnOnce(laboratory, undefined, 1);
    const noise = {
      laserBiasSigmaM: biasSigmaM,
      rangeSigmaM: 0.5,
      incidenceSigmaM: 0.001,
      rangeSigmaPerM: 0.01,
      signalSigmaM: 0.01,
    };
    const extra: number[] = [];
    const beside: number[] = [];
    const spreads: number[] = [];
    const biases: number[] = [];
    for (const seed of options.seeds) {
      const noisy = await turnOnce(laboratory, noise, seed);
      extra.push(noisy.pulses.difference(clean.pulses).size);
      beside.push([...noisy.pulses].filter(isBeside).length);
      const { errorsM } = await turnOnce(laboratory, { laserBiasSigmaM: biasSigmaM }, seed);
      spreads.push(standardDeviation(errorsM));
      biases.push(Math.abs(errorsM[0] ?? NaN));
    }
    return {
      ours: [
        `Noise: one laser turns once about itself in ${turnPulses} pulses beside a ball, with every kind of noise on ranges; most of its pulses meet nothing.`,
      ],
      criteria: [
        equal('pulses that point beside the ball and return, noise on', greatest(beside), 0),
        above('pulses that meet the ball', clean.pulses.size, 100),
        equal('pulses that return with noise, and not without it', greatest(extra), 0),
        above('bias of one laser, minimum of the seeds', Math.min(...biases), 1e-5, 'm'),
        // Differences of 32-bit ranges of some 10 m: 1e-6; an error drawn for each pulse would spread by 0.05.
        below("spread of one laser's bias over its pulses", greatest(spreads), 1e-5, 'm'),
      ],
    };
  },
};
