// Rain and snow: returns that nothing solid sends back, their number and ranges, and what drops take of surfaces.
import type { SceneInput } from '#contract/documents/scene.ts';
import { incompleteGammaRatio } from '#domain/metrics/gammaFunction.ts';
import { mean } from '#domain/shared/statistics.ts';
import {
  about,
  closedForm,
  differences,
  form,
  forms,
  meanForm,
  sigmaForm,
  type Estimate,
  type Measurement,
} from '../closedForm.ts';
import type { LaboratoryOptions } from '../laboratory.ts';
import { formsPiece, greatest } from '../parts.ts';
import { grey, wall } from '../scenes.ts';
import { singleLaser } from '../simpleSensors.ts';
import { atRest } from '../trajectories.ts';
import {
  extinctionPerM,
  gunnMarshall,
  integral,
  marshallPalmer,
  seenPerM,
  squaresOfShares,
  type Drops,
  type Receiver,
} from './expectedDrops.ts';

type Weather = NonNullable<SceneInput['weather']>;

const receiver: Receiver = {
  apertureM: 0.02,
  divergenceRad: 0.003,
  fromM: 0.9,
  fullM: 1,
  minM: 0.5,
  maxM: 60,
  reflectance: 0.1,
  rangeM: 20,
  falseAlarmsPerPulse: 1e-9,
  resolutionM: 0.005,
};
const rangeSigmaM = 0.03;

const sensor = singleLaser({
  divergenceMrad: 1000 * receiver.divergenceRad,
  scan: { kind: 'sweep', rateHz: 1000, minAzimuthDeg: 0, maxAzimuthDeg: 0, slotsPerScan: 100 },
  range: { minM: receiver.minM, maxM: receiver.maxM },
  beam: {
    apertureHorizontalM: receiver.apertureM,
    apertureVerticalM: receiver.apertureM,
    overlapM: [receiver.fromM, receiver.fullM],
  },
  returns: {
    mode: 'all',
    maxReturns: 8,
    rangeResolutionM: receiver.resolutionM,
    detection: {
      reflectance: receiver.reflectance,
      rangeM: receiver.rangeM,
      falseAlarmsPerPulse: receiver.falseAlarmsPerPulse,
    },
  },
  noise: { rangeSigmaM },
});

const falls: { name: string; weather: Weather; drops: Drops }[] = [
  { name: 'rain of 5 mm/h', weather: { rain: { rateMmPerH: 5 } }, drops: marshallPalmer(5) },
  { name: 'snow of 1 mm/h', weather: { snow: { rateMmPerH: 1 } }, drops: gunnMarshall(1) },
];

/** In an empty scene. */
function openSky(
  { name, weather, drops }: (typeof falls)[number],
  { isQuick }: LaboratoryOptions,
): Measurement {
  const seconds = isQuick ? 2 : 10;
  const density = seenPerM(drops, receiver, extinctionPerM(drops));
  const total = binned(density, edgesOf(receiver.fromM, receiver.maxM, 120)).reduce(
    (a, b) => a + b,
  );
  return forms({
    scene: { materials: { grey }, weather },
    sensor,
    path: atRest(seconds),
    columns: ['true_range_m', 'range_m', 'range_clean_m'],
    laws: [
      {
        name: `${name}, no surfaces: returns a pulse`,
        statistic: ({ rows, pulses }): Estimate => ({
          measured: rows / pulses,
          standardError: Math.sqrt(total / pulses),
        }),
        // Two drops within the resolution are one echo, and one in ten thousand that could be seen is not drawn.
        expected: total,
        tolerance: 1.5e-3 * total,
        source: '∫ A(r) ∫ N(D) Φ((S − S_T)/σ) dD dr',
      },
      {
        name: `${name}, no surfaces: p of the χ² of ranges against the law`,
        statistic: ({ true_range_m: rangesM }) => chiSquareP(rangesM, density),
        comparison: 'above',
        expected: 1e-3,
        source: 'Pearson 1900, bins of at least 25',
      },
      {
        name: `${name}: standard deviation of the errors of ranges`,
        statistic: (fired) => sigmaForm(differences(fired.range_m, fired.range_clean_m)),
        expected: about(rangeSigmaM, 1e-6, 'm'),
        source: 'noise is drawn once for each return',
      },
    ],
  });
}

const nearWallM = 1.5;
const heavyRain: Weather = { rain: { rateMmPerH: 50 } };

/** A ray ends at the wall: what returns from the air lies in front of it. */
const wallHidesDrops = form({
  name: `rain before a wall ${nearWallM} m away: greatest range of a return behind it`,
  scene: { ...wall(grey, nearWallM), weather: heavyRain },
  sensor,
  path: atRest(0.2),
  columns: ['true_range_m', 'object_id'],
  statistic: ({ true_range_m: rangesM, object_id: ids }) =>
    ids.includes(0) ? greatest(rangesM.filter((rangeM) => rangeM > nearWallM + 0.01)) : NaN,
  expected: about(0, 0, 'm'),
  source: 'a ray ends at the wall',
});

const farWallM = 40;
/** Sees every signal of the wall, and few drops. */
const sharp = { ...sensor, noise: {}, returns: { ...sensor.returns, rangeResolutionM: 0.5 } };

function wallInRain({ isQuick }: LaboratoryOptions): Measurement {
  const drops = marshallPalmer(50);
  const left = Math.exp(
    -2 * extinctionPerM(drops) * farWallM + squaresOfShares(drops, receiver, farWallM),
  );
  return async (laboratory) => {
    const scene = wall(grey, farWallM);
    const columns = ['amplitude', 'object_id'] as const;
    const clear = await laboratory.fire({ scene, sensor: sharp, columns });
    const wet = await laboratory.fire({
      scene: { ...scene, weather: heavyRain },
      sensor: sharp,
      columns,
      path: atRest(isQuick ? 1 : 5),
    });
    const alone = mean(clear.amplitude);
    const ofWall = wet.amplitude.filter((_, row) => wet.object_id[row] !== 0);
    return [
      closedForm(
        {
          name: `rain of 50 mm/h, wall ${farWallM} m away: mean share of its signal that is left`,
          expected: left,
          // The squares of drops that are not drawn are too many.
          tolerance: 1e-3 * (1 - left),
          source: 'exp(−2κR), κ = ∫ N(D) ¼πD² dD, and the squares of what single drops take',
        },
        meanForm(ofWall.map((signal) => signal / alone)),
      ),
    ];
  };
}

export const fallingDrops = formsPiece({
  name: 'falling-drops',
  catches: ['particles-behind-surfaces', 'noise-twice'],
  ours: `Rain and snow before a level laser of ${1000 * receiver.divergenceRad} mrad, ${1000 * receiver.apertureM} mm wide at the window: returns without surfaces, before a wall, and what is left of a wall's signal.`,
  rows: (options) => [
    ...falls.map((fall) => openSky(fall, options)),
    wallHidesDrops,
    wallInRain(options),
  ],
});

function edgesOf(fromM: number, toM: number, bins: number): number[] {
  // Equal ratios: most drops that are seen are near.
  return Array.from({ length: bins + 1 }, (_, n) => fromM * (toM / fromM) ** (n / bins));
}

/** The integral over each bin. */
function binned(density: (rangeM: number) => number, edgesM: readonly number[]): number[] {
  return edgesM.slice(1).map((toM, n) => integral(density, edgesM[n] ?? NaN, toM));
}

/** Probability of a χ² as large, of ranges in bins of at least 25 expected ones; the sum is the law's own. */
function chiSquareP(rangesM: readonly number[], density: (rangeM: number) => number): number {
  const edgesM = edgesOf(receiver.fromM, receiver.maxM, 120);
  const law = binned(density, edgesM);
  const total = law.reduce((a, b) => a + b);
  let [sum, bins, expected, found] = [0, 0, 0, 0];
  for (const [bin, mean] of law.entries()) {
    const [fromM = NaN, toM = NaN] = edgesM.slice(bin);
    expected += (mean / total) * rangesM.length;
    found += rangesM.filter((rangeM) => rangeM >= fromM && rangeM < toM).length;
    if (expected < 25) continue;
    sum += (found - expected) ** 2 / expected;
    bins += 1;
    [expected, found] = [0, 0];
  }
  return bins > 1 ? 1 - incompleteGammaRatio((bins - 1) / 2, sum / 2) : NaN;
}
