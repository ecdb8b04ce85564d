// Generated terrain: its statistics, gullies and roads by their stated law (PHYSICS.md, 2.16), and what is refused.
import { describe, expect, it } from 'vitest';
import type { z } from 'zod';
import { maxTerrainPosts, terrainSchema } from '#contract/documents/terrain.ts';
import { maxStepCost } from '#domain/shared/steps.ts';
import { terrainHeights, type TerrainHeights } from '#domain/scene/terrain.ts';

type Fields = Partial<z.input<typeof terrainSchema>>;

const sideM = 120;
const level = { deviationM: 0 };
const seeds = [1, 2, 3, 4, 5];

function documentOf(fields: Fields = {}) {
  return terrainSchema.parse({
    kind: 'terrain',
    sizeM: [sideM, sideM],
    material: 'soil',
    ...fields,
  });
}

function terrain(fields: Fields = {}, seed = 1): TerrainHeights {
  const steps = terrainHeights(documentOf(fields), seed);
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
}

/** Each post of a terrain about the origin, with its place. */
function postsOf(made: TerrainHeights, stepM = 1): { x: number; y: number; z: number }[] {
  const { columns, rows, heights } = made;
  return Array.from(heights, (z, post) => ({
    x: ((post % columns) - (columns - 1) / 2) * stepM,
    y: (Math.floor(post / columns) - (rows - 1) / 2) * stepM,
    z,
  }));
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

function deviation(values: readonly number[]): number {
  const middle = mean(values);
  return Math.sqrt(mean(values.map((value) => (value - middle) ** 2)));
}

/** Least squares along x and y: the posts are symmetric about the origin. */
function planeOf(made: TerrainHeights): [east: number, north: number] {
  const posts = postsOf(made);
  const along = (of: 'x' | 'y'): number =>
    mean(posts.map((post) => post[of] * post.z)) / mean(posts.map((post) => post[of] ** 2));
  return [along('x'), along('y')];
}

/** Heights are single precision: of some 10 m, to a millionth of a metre. */
const roundingM = 1e-5;

describe('relief', () => {
  it('has a step of posts, and a whole number of them along a side', () => {
    const { columns, rows, heights } = terrain({ sizeM: [30, 10.4], stepM: 0.5 });
    expect([columns, rows]).toEqual([61, 22]);
    expect(heights.length).toBe(61 * 22);
  });

  it('is the same for a seed, and another for another seed', () => {
    const gullies = { depthM: 2, widthM: 6 };
    expect(terrain({ gullies }, 7)).toEqual(terrain({ gullies }, 7));
    expect(terrain({ seed: 7 }, 1)).toEqual(terrain({}, 7));
    const [one, two] = [terrain({}, 7).heights, terrain({}, 8).heights];
    const differing = one.filter((z, post) => Math.abs(z - (two[post] ?? 0)) > 0.1).length;
    expect(differing).toBeGreaterThan(0.5 * one.length);
  });

  it.each(seeds)('has the stated mean and standard deviation (seed %i)', (seed) => {
    const relief = { deviationM: 3, scaleM: 60, hurst: 0.7 };
    const heights = [...terrain({ zM: 40, relief }, seed).heights];
    expect(Math.abs(mean(heights) - 40)).toBeLessThan(roundingM);
    expect(Math.abs(deviation(heights) - 3)).toBeLessThan(roundingM);
  });

  it('has 2 % of the length of its hills by default', () => {
    const heights = [...terrain().heights];
    expect(Math.abs(deviation(heights) - 0.02 * (sideM / 3))).toBeLessThan(roundingM);
  });

  // The correlation of an octave is that of white noise behind a cubic B-spline: the B-spline of degree 7. Estimates of ten
  // terrains with 640 largest hills have a standard error of 4 %; another exponent, by 0.3, changes the ratio by 40 %.
  it.each([0.2, 0.5, 0.8])('has octaves of the stated Hurst exponent (%d)', (hurst) => {
    const relief = { deviationM: 1, scaleM: 60, hurst };
    const made = Array.from({ length: 10 }, (_, seed) =>
      terrain({ sizeM: [240, 240], relief }, seed),
    );
    const found = (distance: number): number => mean(made.map((one) => differences(one, distance)));
    const expected = (distanceM: number): number =>
      [30, 15, 7.5, 3.75].reduce(
        (sum, spacingM, octave) =>
          sum + Math.exp(-2 * hurst * octave * Math.LN2) * (1 - correlation(distanceM / spacingM)),
        0,
      );
    const ratio = found(20) / found(5);
    expect(Math.abs(ratio / (expected(20) / expected(5)) - 1)).toBeLessThan(0.12);
  });
});

/** Mean square of the differences between posts so far apart along x. */
function differences({ columns, heights }: TerrainHeights, distance: number): number {
  const squares = Array.from(heights, (z, post) =>
    post % columns < columns - distance ? (z - (heights[post + distance] ?? 0)) ** 2 : null,
  );
  return mean(squares.filter((square) => square !== null));
}

/** B-spline of degree 7, 1 at 0. */
function correlation(x: number): number {
  const spline = (at: number): number => {
    let [sum, choose] = [0, 1];
    for (let k = 0; k <= 8; k += 1) {
      sum += (k % 2 === 0 ? 1 : -1) * choose * Math.max(0, at + 4 - k) ** 7;
      choose = (choose * (8 - k)) / (k + 1);
    }
    return sum;
  };
  return x >= 4 ? 0 : spline(x) / spline(0);
}

it('is made in steps of a few milliseconds each', () => {
  const road: [number, number][] = [
    [-1000, -900],
    [1000, 800],
  ];
  const document = documentOf({ sizeM: [2047, 2047], gullies: {}, roads: [{ pointsM: road }] });
  const steps = terrainHeights(document, 1);
  let largest = 0;
  for (let step = steps.next(); step.done !== true; step = steps.next()) {
    largest = Math.max(largest, step.value);
  }
  expect(largest).toBeGreaterThan(0);
  expect(largest).toBeLessThan(maxStepCost);
});

describe('slope', () => {
  it.each(seeds)('is the plane of best fit (seed %i)', (seed) => {
    const [east, north] = planeOf(terrain({ slope: { percent: 10, risesTowardsDeg: 30 } }, seed));
    expect(100 * Math.hypot(east, north)).toBeCloseTo(10, 5);
    expect((Math.atan2(north, east) * 180) / Math.PI).toBeCloseTo(30, 4);
  });

  it('leaves the mean height', () => {
    const heights = [...terrain({ zM: 5, slope: { percent: 20 } }).heights];
    expect(Math.abs(mean(heights) - 5)).toBeLessThan(roundingM);
  });
});

describe('gullies', () => {
  const slope = { percent: 10, risesTowardsDeg: 90 };

  /** Depths of a single gully down a slope that rises to the north, by row from the north, below the ground without it. */
  function depthsOf(profile: 'v' | 'u', widthM: number): number[][] {
    const gullies = { count: 1, depthM: 2, widthM, profile };
    const without = terrain({ relief: level, slope });
    const { columns, rows, heights } = terrain({ relief: level, slope, gullies });
    return Array.from({ length: rows }, (_, row) =>
      Array.from({ length: columns }, (_, column) => {
        const post = (rows - 1 - row) * columns + column;
        return (without.heights[post] ?? 0) - (heights[post] ?? 0);
      }),
    );
  }

  it.each(['v', 'u'] as const)('have the stated depth, width and profile (%s)', (profile) => {
    const widthM = 12;
    const rows = depthsOf(profile, widthM);
    // Away from its head, which begins at the surface.
    const last = rows.at(-1) ?? [];
    const deepest = Math.max(...last);
    // A post is at most half a step from the line: 1/12 of the half width.
    const nearest = 0.5 / (widthM / 2);
    expect(deepest).toBeLessThanOrEqual(2 + roundingM);
    expect(deepest).toBeGreaterThan(2 * (1 - (profile === 'v' ? nearest : nearest ** 2)));
    expect(last.filter((depth) => depth > roundingM).length).toBeLessThanOrEqual(widthM + 1);
    // Mean of the cross section, by its integral: a half of the depth, or two thirds.
    const share = last.reduce((sum, depth) => sum + depth, 0) / (2 * widthM);
    expect(Math.abs(share - (profile === 'v' ? 1 / 2 : 2 / 3))).toBeLessThan(0.02);
  });

  it('go down the steepest slope', () => {
    const rows = depthsOf('u', 6).filter((row) => Math.max(...row) > 1.5);
    expect(rows.length).toBeGreaterThan(20);
    const middles = rows.map((row) => row.indexOf(Math.max(...row)));
    // The slope is to the south: the line keeps its column.
    expect(Math.max(...middles) - Math.min(...middles)).toBeLessThanOrEqual(1);
  });

  it('are nowhere deeper where they meet', () => {
    const gullies = { count: 30, depthM: 2, widthM: 8 };
    const [without, made] = [terrain().heights, terrain({ gullies }).heights];
    const depths = without.map((z, post) => z - (made[post] ?? 0));
    expect(Math.max(...depths)).toBeLessThanOrEqual(2 + roundingM);
    expect(Math.max(...depths)).toBeGreaterThan(1.7);
    expect(Math.min(...depths)).toBeGreaterThanOrEqual(0);
  });
});

describe('roads', () => {
  const relief = { deviationM: 3, scaleM: 40 };
  const straight = { pointsM: [[-50, 0] as [number, number], [50, 0] as [number, number]] };

  it('are level across', () => {
    const posts = postsOf(terrain({ relief, roads: [{ ...straight, widthM: 8 }] }));
    for (let x = -50; x <= 50; x += 1) {
      const across = posts.filter((post) => post.x === x && Math.abs(post.y) <= 4);
      expect(across.length).toBe(9);
      const heights = across.map(({ z }) => z);
      expect(Math.max(...heights) - Math.min(...heights)).toBeLessThan(1e-3);
    }
  });

  it('are level across in the middle of a bend', () => {
    const pointsM: [number, number][] = [
      [-40, -40],
      [0, 40],
      [40, -40],
    ];
    // A corner that is cut at a quarter of its sides: the line crosses x = 0 at y = 20.
    const across = (made: TerrainHeights): number => {
      const posts = postsOf(made).filter(({ x, y }) => x === 0 && Math.abs(y - 20) <= 4);
      return Math.max(...posts.map(({ z }) => z)) - Math.min(...posts.map(({ z }) => z));
    };
    expect(across(terrain({ relief }))).toBeGreaterThan(0.3);
    expect(across(terrain({ relief, roads: [{ pointsM, widthM: 8 }] }))).toBeLessThan(1e-3);
  });

  it('are no steeper than stated, where the ground is, and rise with it where it is not', () => {
    const gradesOf = (maxGradePercent: number): number[] => {
      const road = { ...straight, maxGradePercent };
      const posts = postsOf(terrain({ relief, roads: [road] }));
      const line = posts.filter(({ x, y }) => y === 0 && Math.abs(x) <= 50).map(({ z }) => z);
      return line.slice(1).map((z, index) => Math.abs(z - (line[index] ?? 0)));
    };
    expect(Math.max(...gradesOf(100))).toBeGreaterThan(0.08);
    expect(Math.max(...gradesOf(4))).toBeLessThan(0.04 + roundingM);
    expect(Math.max(...gradesOf(4))).toBeGreaterThan(0.03);
  });

  it('have embankments to the terrain, which is as before beyond them', () => {
    const road = { ...straight, widthM: 6, embankmentM: 5 };
    const [before, after] = [
      postsOf(terrain({ relief })),
      postsOf(terrain({ relief, roads: [road] })),
    ];
    const levelAt = new Map(after.filter(({ y }) => y === 0).map(({ x, z }) => [x, z]));
    for (const [post, { x, y, z }] of after.entries()) {
      const ofTerrainM = before[post]?.z ?? 0;
      const beyondM = Math.hypot(Math.max(0, Math.abs(x) - 50), y) - 3;
      if (beyondM > 5) expect(z).toBe(ofTerrainM);
      if (beyondM > 5 || Math.abs(x) > 50) continue;
      const t = Math.max(0, beyondM / 5);
      const levelM = levelAt.get(x) ?? 0;
      const expectedM = levelM + t * t * (3 - 2 * t) * (ofTerrainM - levelM);
      expect(Math.abs(z - expectedM)).toBeLessThan(roundingM);
    }
    expect(
      Math.max(...after.map(({ z }, post) => Math.abs(z - (before[post]?.z ?? 0)))),
    ).toBeGreaterThan(1);
  });
});

describe('bad input is refused with its path', () => {
  it.each<[string, Fields, string]>([
    ['stepM', { sizeM: [10_000, 10_000] }, `${maxTerrainPosts} in all`],
    ['stepM', { sizeM: [70_000, 2] }, '65536 posts along a side'],
    ['relief.scaleM', { relief: { scaleM: 121 } }, 'at most the shorter side (120 m), found 121'],
    ['relief.hurst', { relief: { hurst: 1.5 } }, ''],
    ['gullies.widthM', { stepM: 4, gullies: { widthM: 7 } }, 'at least two steps of posts (8 m)'],
    [
      'roads.0.widthM',
      {
        stepM: 4,
        roads: [
          {
            pointsM: [
              [0, 0],
              [9, 0],
            ],
          },
        ],
      },
      'at least two steps',
    ],
    ['roads.0.pointsM', { roads: [{ pointsM: [[0, 0]] }] }, ''],
    [
      'roads.0.pointsM.1',
      {
        roads: [
          {
            pointsM: [
              [0, 0],
              [61, 0],
            ],
          },
        ],
      },
      'a point on the terrain',
    ],
    [
      'roads.0.pointsM.1',
      {
        roads: [
          {
            pointsM: [
              [3, 1],
              [3, 1],
            ],
          },
        ],
      },
      'another point',
    ],
    ['slope.percent', { slope: { percent: -1 } }, ''],
  ])('%s', (path, fields, message) => {
    const input = { kind: 'terrain', sizeM: [sideM, sideM], material: 'soil', ...fields };
    const [issue, ...more] = terrainSchema.safeParse(input).error?.issues ?? [];
    expect(issue?.path.join('.')).toBe(path);
    expect(issue?.message).toContain(message);
    expect(more).toEqual([]);
  });
});
