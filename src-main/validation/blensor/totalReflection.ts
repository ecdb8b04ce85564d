// Gschwandtner 2011, section 3.5 and figure 2c: a mirror returns nothing; what is met in it is reported along the
// first direction at the length of the whole path. Two mirrors that face each other show the depth limit.
import type { SceneInput } from '#contract/documents/scenario.ts';
import type { Criterion } from '#contract/host/validation.ts';
import { radians } from '#domain/shared/numbers.ts';
import type { ValidationBench } from '../bench.ts';
import { above, equal, within } from '../criteria.ts';
import type { Series } from '#domain/charts/chart.ts';
import type { TitledChart } from '../section.ts';
import { greatest, type Part, type Piece } from '../parts.ts';
import { singleLaser, singleRay } from '../simpleSensors.ts';
import { stationary } from '../trajectories.ts';

const sweepDeg = 60;
const slots = 481;
/** Virtual points are sums of 32-bit lengths up to 100 m: some 1e-5. */
const tolerance = 1e-4;

export const totalReflection: Piece = {
  name: 'total-reflection',
  async run(bench) {
    const parts = [await oneMirror(bench), await facingMirrors(bench)];
    return {
      ours: [
        'Total reflection: a level fan of single rays. A mirror turned by 45° is 5 m ahead, a wall 4 m to the left of the axis: seen in the mirror it is a wall 9 m ahead. Two mirrors facing each other 2 m apart lead to a wall 20 m ahead: every path through them unfolds to a straight one, mirror depth 4.',
      ],
      charts: parts.flatMap(({ charts = [] }) => charts),
      criteria: parts.flatMap(({ criteria }) => criteria),
    };
  },
};

interface Fan {
  points: { xM: number; yM: number; azimuthRad: number; mirrors: number; isMirror: boolean }[];
  byPulse: Map<number, number>;
}

async function scanFan(bench: ValidationBench, scene: SceneInput): Promise<Fan> {
  const built = await bench.scene(scene, 1);
  await bench.build(built);
  const mirrors = new Set(
    built.recipe.instances.filter(({ name }) => name.startsWith('mirror')).map(({ id }) => id),
  );
  const sensor = await bench.sensor(
    singleLaser({
      scan: {
        kind: 'sweep',
        rateHz: 1,
        minAzimuthDeg: -sweepDeg,
        maxAzimuthDeg: sweepDeg,
        slotsPerScan: slots,
      },
      beam: singleRay,
      range: { minM: 0, maxM: 100 },
      returns: { mode: 'closest', signalCutoffM: 0 },
    }),
  );
  const { columns } = await bench.scan({
    sensor,
    trajectory: stationary({ positionM: [0, 0, 0], rotation: [0, 0, 0, 1] }),
    toNs: 1e9,
    seed: 1,
    columns: ['pulse', 'azimuth_rad', 'x_m', 'y_m', 'mirrors', 'object_id'],
  });
  const points = Array.from(columns.x_m, (xM, row) => ({
    xM,
    yM: columns.y_m[row] ?? NaN,
    azimuthRad: columns.azimuth_rad[row] ?? NaN,
    mirrors: columns.mirrors[row] ?? NaN,
    isMirror: mirrors.has(columns.object_id[row] ?? 0),
  }));
  const byPulse = new Map(
    points.map(({ mirrors: count }, row) => [Number(columns.pulse[row]), count]),
  );
  return { points, byPulse };
}

async function oneMirror(bench: ValidationBench): Promise<Part> {
  const { points } = await scanFan(bench, {
    materials: {
      grey: { reflectance: 0.5 },
      mirror: { reflectance: 1, surface: { kind: 'mirror' } },
    },
    models: {
      mirror: { kind: 'box', sizeM: [0.02, 3, 4], material: 'mirror' },
      wall: { kind: 'box', sizeM: [14, 0.1, 4], material: 'grey' },
    },
    instances: [
      // Its face goes through (5, 0): a ray along x leaves along y.
      {
        name: 'mirror',
        model: 'mirror',
        positionM: [5 + 0.01 * Math.SQRT1_2, -0.01 * Math.SQRT1_2, 0],
        yawDeg: -45,
        onGround: false,
      },
      { name: 'wall', model: 'wall', positionM: [7, 4.05, 0], onGround: false },
    ],
  });
  const virtual = points.filter(({ mirrors }) => mirrors > 0);
  const direct = points.filter(({ mirrors }) => mirrors === 0);
  return {
    charts: [
      {
        title: 'Figure 2c: a wall in a mirror, from above',
        x: { name: 'x, ahead of the sensor', unit: 'm', from: -1, to: 15 },
        y: { name: 'y, to the left', unit: 'm', from: -4, to: 6 },
        series: [
          pointsOf('points on the wall', '#3a6ea5', direct),
          pointsOf('virtual points', '#c8452f', virtual),
          {
            name: 'mirror',
            kind: 'line',
            colour: '#3f8f4f',
            data: [
              [5 - 1.5 * Math.SQRT1_2, -1.5 * Math.SQRT1_2],
              [5 + 1.5 * Math.SQRT1_2, 1.5 * Math.SQRT1_2],
            ],
          },
          { name: 'sensor', kind: 'points', colour: '#4a4a4a', data: [[0, 0]] },
        ],
        isPlan: true,
      },
    ],
    criteria: [
      above('virtual points of one mirror', virtual.length, 20),
      equal('points on mirrors', points.filter(({ isMirror }) => isMirror).length, 0),
      within(
        'virtual points: greatest distance from the plane x = 9 m',
        greatest(virtual.map(({ xM }) => xM - 9)),
        0,
        tolerance,
        'm',
      ),
    ],
  };
}

const mirrorDepth = 4;
const wallM = 20;
const halfGapM = 1;

async function facingMirrors(bench: ValidationBench): Promise<Part> {
  const { points, byPulse } = await scanFan(bench, {
    materials: {
      grey: { reflectance: 0.5 },
      mirror: { reflectance: 1, surface: { kind: 'mirror' } },
    },
    models: {
      mirror: { kind: 'box', sizeM: [wallM + 2, 0.02, 4], material: 'mirror' },
      wall: { kind: 'box', sizeM: [0.1, 2.2 * halfGapM, 4], material: 'grey' },
    },
    instances: [
      {
        name: 'mirror-left',
        model: 'mirror',
        positionM: [wallM / 2 - 1, halfGapM + 0.01, 0],
        onGround: false,
      },
      {
        name: 'mirror-right',
        model: 'mirror',
        positionM: [wallM / 2 - 1, -halfGapM - 0.01, 0],
        onGround: false,
      },
      { name: 'wall', model: 'wall', positionM: [wallM + 0.05, 0, 0], onGround: false },
    ],
    mirrorDepth,
  });
  // Unfolded, the ray meets a mirror at every odd multiple of the half gap.
  const expected = Array.from({ length: slots }, (_, pulse) => {
    const azimuthRad = radians(-sweepDeg + (2 * sweepDeg * pulse) / (slots - 1));
    return Math.floor((Math.abs(wallM * Math.tan(azimuthRad)) / halfGapM + 1) / 2);
  });
  const differing = expected.filter((count, pulse) => {
    const found = byPulse.get(pulse);
    return count > mirrorDepth ? found !== undefined : found !== count;
  });
  const criteria: Criterion[] = [
    equal(
      'facing mirrors: rays whose mirrors are not those of the unfolded path',
      differing.length,
      0,
    ),
    equal('facing mirrors: maximum of mirrors on a path', greatest(byPulse.values()), mirrorDepth),
    within(
      'facing mirrors: greatest distance of points from the plane x = 20 m',
      greatest(points.map(({ xM }) => xM - wallM)),
      0,
      tolerance,
      'm',
    ),
  ];
  return { charts: [depthChart(points)], criteria };
}

function depthChart(points: Fan['points']): TitledChart {
  const counts = [...new Set(points.map(({ mirrors }) => mirrors))].sort((a, b) => a - b);
  return {
    title: 'Two mirrors facing each other: points by mirrors on their path',
    x: { name: 'x, ahead of the sensor', unit: 'm', from: 0, to: 22 },
    y: { name: 'y, to the left', unit: 'm', from: -10, to: 10 },
    series: [
      ...counts.map((count) => ({
        name: `${count} mirrors`,
        kind: 'points' as const,
        data: points
          .filter(({ mirrors }) => mirrors === count)
          .map(({ xM, yM }): [number, number] => [xM, yM]),
      })),
      ...[halfGapM, -halfGapM].map((yM) => ({
        name: 'mirror',
        kind: 'line' as const,
        colour: '#3f8f4f',
        data: [
          [-2, yM],
          [wallM, yM],
        ] as [number, number][],
      })),
    ],
    isPlan: true,
    caption: 'The true wall lies between the mirrors; the points beside it are virtual.',
  };
}

function pointsOf(name: string, colour: string, points: Fan['points']): Series {
  return { name, kind: 'points', colour, data: points.map(({ xM, yM }) => [xM, yM]) };
}
