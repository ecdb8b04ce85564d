// Legs of surveys: times, places, heights over flat and sloping ground, world coordinates.
import { expect, it } from 'vitest';
import { surveySchema, type Survey } from '#contract/documents/survey.ts';
import { attitudeOf } from '#domain/shared/pose.ts';
import { surveyLegs } from '#domain/trajectory/surveyLegs.ts';
import { trajectoryPoseAt } from '#domain/trajectory/trajectory.ts';
import { flatTerrain } from '#domain/truth/terrain.ts';

type Placed = Exclude<Survey, { kind: 'trajectory' }>;

function survey(data: unknown): Placed {
  const parsed = surveySchema.parse(data);
  if (parsed.kind === 'trajectory') throw new TypeError('expected positions or strips');
  return parsed;
}

const noOrigin = [0, 0, 0] as const;
const slope = { heightM: (x: number, y: number): number => 0.1 * x + 0 * y };

it('stands at each position for its seconds, above the ground or at a height of the world', () => {
  const positions = [
    { positionM: [10, 5, 1.5], yawDeg: 90 },
    { name: 'far', positionM: [20, 5, 2], seconds: 0.25 },
  ];
  const legs = surveyLegs(survey({ kind: 'positions', seconds: 0.1, positions }), slope, noOrigin);
  expect(legs.map(({ name, fromNs, toNs }) => [name, fromNs, toNs])).toEqual([
    ['position-1', 0, 0.1e9],
    ['far', 0.1e9, 0.35e9],
  ]);
  const [first, far] = legs.map(({ trajectory }) => trajectoryPoseAt(trajectory, 0));
  expect(first?.positionM).toEqual([10, 5, 2.5]);
  expect(far?.positionM).toEqual([20, 5, 4]);
  expect(attitudeOf(first?.rotation ?? [0, 0, 0, 1]).yawRad).toBeCloseTo(Math.PI / 2, 12);
  const world = survey({ kind: 'positions', seconds: 0.1, above: 'zero', positions });
  const [leg] = surveyLegs(world, slope, [8, 4, 1]);
  expect(leg && trajectoryPoseAt(leg.trajectory, 0).positionM).toEqual([2, 1, 0.5]);
});

it('flies strips one after another at constant speed, height and heading', () => {
  const [a, b] = surveyLegs(
    survey({
      kind: 'strips',
      heightM: 100,
      speedMPerS: 50,
      strips: [
        { fromM: [-50, 0], toM: [50, 0] },
        { fromM: [0, 30], toM: [0, -10], name: 'cross' },
      ],
    }),
    slope,
    noOrigin,
  );
  expect([a?.fromNs, a?.toNs, b?.fromNs, b?.toNs]).toEqual([0, 2e9, 2e9, 2.8e9]);
  expect(b?.name).toBe('cross');
  // The highest ground below the first strip is 5 m, at its end; below the second 0.
  const middle = a && trajectoryPoseAt(a.trajectory, 1e9);
  expect(middle?.positionM).toEqual([0, 0, 105]);
  const south = b && trajectoryPoseAt(b.trajectory, 2.4e9);
  expect(south?.positionM.map((m) => Number(m.toFixed(9)))).toEqual([0, 10, 100]);
  const attitude = attitudeOf(south?.rotation ?? [0, 0, 0, 1]);
  expect([attitude.yawRad, attitude.pitchRad, attitude.rollRad]).toEqual([
    expect.closeTo(-Math.PI / 2, 12),
    expect.closeTo(0, 12),
    expect.closeTo(0, 12),
  ]);
});

it('covers an area with as few strips as the spacing allows, every second one backwards', () => {
  const area = survey({
    kind: 'strips',
    heightM: 80,
    above: 'zero',
    speedMPerS: 40,
    spacingM: 20,
    areaM: [
      [100, 50],
      [0, 0],
    ],
  });
  const legs = surveyLegs(area, flatTerrain(0), noOrigin);
  const ends = legs.map(({ trajectory: { x_m, y_m, z_m } }) => [x_m[0], y_m[0], x_m[1], z_m[0]]);
  // 50 m by 20: three strips of 50/3 m, lines in their middles.
  expect(ends).toEqual([
    [0, expect.closeTo(25 / 3, 9), 100, 80],
    [100, 25, 0, 80],
    [0, expect.closeTo(125 / 3, 9), 100, 80],
  ]);
  expect(legs.at(-1)?.toNs).toBe(7.5e9);
});

it.each([
  ['neither strips nor an area', { kind: 'strips', heightM: 1, speedMPerS: 1 }],
  [
    'an area without a spacing',
    {
      kind: 'strips',
      heightM: 1,
      speedMPerS: 1,
      areaM: [
        [0, 0],
        [1, 1],
      ],
    },
  ],
  ['no positions', { kind: 'positions', seconds: 1, positions: [] }],
])('refuses %s', (_, data) => {
  expect(surveySchema.safeParse(data).success).toBe(false);
});
