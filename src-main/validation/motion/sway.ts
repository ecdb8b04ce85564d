// Plants in the wind: a leaf's range over a minute, the trunk below it, frequencies by height, phases of many plants.
import type { SceneInput } from '#contract/documents/scene.ts';
import { radians } from '#domain/shared/numbers.ts';
import { standardDeviation } from '#domain/shared/statistics.ts';
import { about, closedForm, form, type Measurement } from '../closedForm.ts';
import { formsPiece, greatest } from '../parts.ts';
import { grey, solids, type Solid } from '../scenes.ts';
import { singleLaser, singleRay } from '../simpleSensors.ts';
import { atOrigin, atRest, stationary } from '../trajectories.ts';

const sensor = singleLaser({ beam: singleRay });
const speedMPerS = 8;
const [topAt10M, gusts, frequencyAt1MHz] = [0.1, 0.5, 2.1];
const wind: NonNullable<SceneInput['wind']> = {
  speedMPerS,
  topM: topAt10M,
  gusts,
  frequencyHz: frequencyAt1MHz,
};
const leanM = topAt10M * (speedMPerS / 10) ** 2;
const power = 2.5;
/** Heights on borders of the eight slabs: there the displacement is the power of the height. */
const upperShare = 0.75;

/** Thin plates that stand upright and sway; the level laser meets them at a share of their height. */
function plants(
  list: readonly (Pick<Solid, 'yawDeg'> & { atM: [number, number]; heightM: number })[],
) {
  const scene = solids(
    list.map(({ atM: [xM, yM], heightM, yawDeg = 0 }) => ({
      shape: { kind: 'box', sizeM: [1e-4, 0.4, heightM], sways: true },
      material: grey,
      positionM: [xM, yM, (0.5 - upperShare) * heightM],
      yawDeg,
    })),
    { wind },
  );
  return scene;
}

const leafHeightM = 6;
const leaf = form({
  name: `leaf at ${upperShare * 100} % of ${leafHeightM} m, wind of ${speedMPerS} m/s: standard deviation of its range over 60 s`,
  scene: plants([{ atM: [20, 0], heightM: leafHeightM }]),
  sensor,
  columns: ['true_range_m'],
  path: atRest(60),
  statistic: ({ true_range_m: rangesM }) => standardDeviation(rangesM),
  // 51.4 periods: the part of the last changes the deviation of a sine by at most 1 in 4π·51.
  expected: about((leanM * gusts * upperShare ** power) / Math.SQRT2, 5e-4 * leanM, 'm'),
  source: 'a sine of amplitude gusts·lean·(z/h)^2.5 has deviation amplitude/√2',
});

const squareOfSpeed = form({
  name: `the same in a wind of ${2 * speedMPerS} m/s: mean displacement`,
  scene: {
    ...plants([{ atM: [20, 0], heightM: leafHeightM }]),
    wind: { ...wind, speedMPerS: 2 * speedMPerS },
  },
  sensor,
  columns: ['true_range_m'],
  path: atRest(60),
  statistic: ({ true_range_m: rangesM }) =>
    rangesM.reduce((sum, rangeM) => sum + rangeM - 20, 0) / rangesM.length,
  expected: about(4 * leanM * upperShare ** power, 8e-3 * leanM, 'm'),
  source: 'drag grows as the square of speed',
});

/** The trunk of the sample tree, at breast height, from nearby. */
const trunk: Measurement = async ({ fire }) => {
  const scene: SceneInput = {
    materials: { leaf: grey, bark: grey },
    models: { tree: { kind: 'plant', plant: 'broadleaf-tree' } },
    instances: [{ name: 'tree', model: 'tree', positionM: [3, 0, -1.3], onGround: false }],
  };
  const order = { sensor, columns: ['true_range_m'] as const };
  const still = await fire({ ...order, scene, path: atRest(0.001) });
  const swaying = await fire({ ...order, scene: { ...scene, wind }, path: atRest(60) });
  const restM = still.true_range_m[0] ?? NaN;
  const name = `trunk of a tree of 8.8 m at 1.3 m, wind of ${speedMPerS} m/s: greatest displacement in 60 s`;
  const expected = about(1e-3, 0, 'm');
  return [
    closedForm(
      {
        name,
        expected,
        comparison: 'below',
        source: 'the sway bends the stem, and leaves its foot',
      },
      swaying.rows === 60_000 ? greatest(swaying.true_range_m.map((m) => m - restM)) : NaN,
    ),
  ];
};

const frequencies = [0.3, 1, 4, 16, 30].map((heightM) =>
  form({
    name: `plant of ${heightM} m: frequency`,
    scene: plants([{ atM: [20, 0], heightM }]),
    sensor,
    columns: ['true_range_m'],
    path: atRest(60),
    statistic: ({ true_range_m: rangesM }) => {
      const meanM = rangesM.reduce((sum, rangeM) => sum + rangeM, 0) / rangesM.length;
      const rises = rangesM.filter(
        (rangeM, row) => rangeM >= meanM && (rangesM[row - 1] ?? Infinity) < meanM,
      );
      return rises.length / 60;
    },
    // Crossings are counted whole.
    expected: about(Math.min(Math.max(frequencyAt1MHz / Math.sqrt(heightM), 0.5), 3), 0.02, 'Hz'),
    source: 'elastic similarity (McMahon and Kronauer 1976): f ∝ h^(−1/2), within 0.5 and 3 Hz',
  }),
);

const many = 256;
const ringM = 50;
const standHeightM = 4;
const standHz = frequencyAt1MHz / Math.sqrt(standHeightM);

/** Phases of a stand of equal plants, from the velocities of the hits on each. */
const phases: Measurement = async ({ bench }) => {
  const stand = plants(
    Array.from({ length: many }, (_, n) => {
      const atRad = (2 * Math.PI * n) / many;
      const atM: [number, number] = [ringM * Math.cos(atRad), ringM * Math.sin(atRad)];
      return { atM, heightM: standHeightM, yawDeg: (360 * n) / many };
    }),
  );
  await bench.build(await bench.scene(stand, 1));
  const { columns } = await bench.scan({
    sensor: await bench.sensor(
      singleLaser({
        beam: singleRay,
        scan: { kind: 'spinning', rateHz: 10, slotsPerRevolution: 4 * many },
      }),
    ),
    trajectory: stationary(atOrigin),
    toNs: 10e9,
    seed: 1,
    columns: ['object_id', 'time_ns', 'velocity_x_m_per_s'] as const,
  });
  const sums = Array.from({ length: many }, () => ({ cosine: 0, sine: 0 }));
  for (const [row, id] of columns.object_id.entries()) {
    const turns = standHz * Number(columns.time_ns[row]) * 1e-9;
    const sum = sums[id - 1];
    const velocity = columns.velocity_x_m_per_s[row] ?? NaN;
    if (sum === undefined) continue;
    sum.cosine += velocity * Math.cos(2 * Math.PI * turns);
    sum.sine -= velocity * Math.sin(2 * Math.PI * turns);
  }
  const phasesRad = sums.map(({ cosine, sine }) => Math.atan2(sine, cosine));
  const differencesRad = phasesRad.map((phase, n) => phase - (phasesRad[(n + 1) % many] ?? NaN));
  // Rayleigh's test of directions, at 1 in 1,000.
  const critical = Math.sqrt(Math.log(1000) / many);
  const source = 'Rayleigh 1880: of n random directions the mean is longer than R with e^(−nR²)';
  return [
    closedForm(
      {
        name: `phases of ${many} plants: length of their mean direction`,
        expected: critical,
        comparison: 'below',
        source,
      },
      lengthOfMean(phasesRad),
    ),
    closedForm(
      {
        name: `differences of phase of neighbours: length of their mean direction`,
        expected: critical,
        comparison: 'below',
        source,
      },
      lengthOfMean(differencesRad),
    ),
  ];
};

function lengthOfMean(anglesRad: readonly number[]): number {
  const mean = (of: (angleRad: number) => number): number =>
    anglesRad.reduce((sum, angleRad) => sum + of(angleRad), 0) / anglesRad.length;
  return Math.hypot(mean(Math.cos), mean(Math.sin));
}

/** Where the wind blows to, other than along an axis. */
const acrossDeg = 150;
const direction = form({
  name: `leaf in a wind towards ${acrossDeg}°: mean displacement along x`,
  scene: {
    ...plants([{ atM: [20, 0], heightM: leafHeightM }]),
    wind: { ...wind, directionDeg: acrossDeg },
  },
  sensor,
  columns: ['true_range_m'],
  path: atRest(60),
  statistic: ({ true_range_m: rangesM }) =>
    rangesM.reduce((sum, rangeM) => sum + rangeM - 20, 0) / rangesM.length,
  expected: about(Math.cos(radians(acrossDeg)) * leanM * upperShare ** power, 2e-3 * leanM, 'm'),
  source: 'displacement along the wind; a plate is met along its normal',
});

export const swayingPlants = formsPiece({
  name: 'swaying-plants',
  catches: ['plants-in-step'],
  ours: `Swaying: plates that stand in a wind of ${speedMPerS} m/s, met by a level laser for a minute; the trunk of a tree; ${many} plants in a ring.`,
  rows: [leaf, squareOfSpeed, direction, trunk, ...frequencies, phases],
});
