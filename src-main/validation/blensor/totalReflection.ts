// Gschwandtner 2011, section 3.5 and figure 2c: a mirror returns nothing; what is met in it is reported along the
// first direction at the length of the whole path. Two mirrors that face each other show the depth limit.
import type { SceneInput } from '#contract/documents/scene.ts';
import type { Criterion } from '#contract/host/validation.ts';
import type { Series } from '#domain/charts/chart.ts';
import { radians } from '#domain/shared/numbers.ts';
import type { Vector3 } from '#domain/shared/pose.ts';
import { above, equal, within } from '../criteria.ts';
import { openLaboratory, type Laboratory } from '../laboratory.ts';
import { greatest, type Part, type Piece } from '../parts.ts';
import { grey, solids, type Material, type Solid } from '../scenes.ts';
import type { TitledChart } from '../section.ts';
import { singleLaser, singleRay } from '../simpleSensors.ts';
import { atRest } from '../trajectories.ts';

const sweepDeg = 60;
const slots = 481;
/** Virtual points are sums of 32-bit lengths up to 100 m: some 1e-5. */
const tolerance = 1e-4;

export const totalReflection: Piece = {
  name: 'total-reflection',
  catches: ['one-mirror-more'],
  async run(bench, options) {
    const laboratory = openLaboratory(bench, options);
    const parts = [await oneMirror(laboratory), await facingMirrors(laboratory)];
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
  points: { xM: number; yM: number; mirrors: number; isMirror: boolean }[];
  byPulse: Map<number, number>;
}

/** Object ids up to `mirrorCount` are mirrors. */
async function scanFan({ fire }: Laboratory, scene: SceneInput, mirrorCount: number): Promise<Fan> {
  const fired = await fire({
    scene,
    sensor: singleLaser({
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
    path: atRest(1),
    columns: ['pulse', 'x_m', 'y_m', 'mirrors', 'object_id'],
  });
  const points = fired.x_m.map((xM, row) => ({
    xM,
    yM: fired.y_m[row] ?? NaN,
    mirrors: fired.mirrors[row] ?? NaN,
    isMirror: (fired.object_id[row] ?? 0) <= mirrorCount,
  }));
  const byPulse = new Map(fired.pulse.map((pulse, row) => [pulse, fired.mirrors[row] ?? NaN]));
  return { points, byPulse };
}

const mirror: Material = { reflectance: 1, surface: { kind: 'mirror' } };
const slab = (material: Material, sizeM: Vector3, positionM: Vector3): Solid => ({
  shape: { kind: 'box', sizeM },
  material,
  positionM,
});

async function oneMirror(laboratory: Laboratory): Promise<Part> {
  const scene = solids([
    // Its face goes through (5, 0): a ray along x leaves along y.
    {
      ...slab(mirror, [0.02, 3, 4], [5 + 0.01 * Math.SQRT1_2, -0.01 * Math.SQRT1_2, 0]),
      yawDeg: -45,
    },
    slab(grey, [14, 0.1, 4], [7, 4.05, 0]),
  ]);
  const { points } = await scanFan(laboratory, scene, 1);
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

async function facingMirrors(laboratory: Laboratory): Promise<Part> {
  const mirrorSizeM: Vector3 = [wallM + 2, 0.02, 4];
  const scene = solids(
    [
      slab(mirror, mirrorSizeM, [wallM / 2 - 1, halfGapM + 0.01, 0]),
      slab(mirror, mirrorSizeM, [wallM / 2 - 1, -halfGapM - 0.01, 0]),
      slab(grey, [0.1, 2.2 * halfGapM, 4], [wallM + 0.05, 0, 0]),
    ],
    { mirrorDepth },
  );
  const { points, byPulse } = await scanFan(laboratory, scene, 2);
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
