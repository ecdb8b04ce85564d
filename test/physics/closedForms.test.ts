// Ranges, intensities, shares and incidences against closed forms, ray by ray. The nine rays of a
// circular beam are computed here independently (PHYSICS.md, 1.1), so that the worker has to agree with them.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ReturnMode } from '#contract/documents/sensorReturns.ts';
import type { ReturnColumnName } from '#contract/columns.ts';
import type { ScanWorker } from '#services/ports/workers.ts';
import { openWorker, scanScene, sceneOf, singleBeam, standingAt, type Placed } from './bench.ts';

const divergenceRad = 0.02;
const rangeToleranceM = 1e-4;
const columns: ReturnColumnName[] = [
  'range_m',
  'true_range_m',
  'intensity',
  'beam_share',
  'incidence_rad',
  'x_m',
  'y_m',
  'z_m',
  'object_id',
  'return_no',
  'n_returns',
];

let worker: ScanWorker;
beforeAll(async () => {
  worker = await openWorker();
});
afterAll(() => worker.dispose());

type Direction = [number, number, number];

/** Unit directions of the stencil: the axis, then the ring at 3/4 of the spot's radius, from the left. */
function stencil(): Direction[] {
  const radius = 0.75 * Math.tan(divergenceRad / 2);
  const ring = Array.from({ length: 8 }, (_, n): Direction => {
    const phase = (n * Math.PI) / 4;
    return [1, radius * Math.cos(phase), radius * Math.sin(phase)];
  });
  return [[1, 0, 0] as Direction, ...ring].map(([x, y, z]) => {
    const length = Math.hypot(x, y, z);
    return [x / length, y / length, z / length];
  });
}

async function fireOnce(
  placed: Placed[],
  mode: ReturnMode,
  options: {
    cutoffM?: number;
    resolutionM?: number;
    minRangeM?: number;
    reflectances?: number[];
    window?: boolean;
  } = {},
): Promise<Record<string, number[]>> {
  const { cutoffM = 1, resolutionM = 0, window = false } = options;
  const returns = { mode, signalCutoffM: cutoffM, rangeResolutionM: resolutionM, window };
  const sensor = { ...singleBeam(10, divergenceRad, returns), minRangeM: options.minRangeM ?? 0 };
  const recipe = sceneOf(placed, options.reflectances);
  return (await scanScene(worker, recipe, sensor, standingAt([0, 0, 0]), 0.1, columns)).table;
}

/** A box whose front face lies in the plane x = distance, covering y and z as given. */
function screen(distanceM: number, yM: [number, number], material = 0): Placed {
  const thickM = 0.05;
  return {
    source: { kind: 'box', sizeM: [thickM, yM[1] - yM[0], 20], material },
    at: [{ positionM: [distanceM + thickM / 2, (yM[0] + yM[1]) / 2, 0] }],
  };
}

describe('a straight wall at 10 m', () => {
  const wall = screen(10, [-10, 10]);
  const rays = stencil();

  it('strongest: the axis, at cos 0', async () => {
    const table = await fireOnce([wall], 'strongest');
    expect(table['range_m']?.[0]).toBeCloseTo(10, 4);
    expect(table['intensity']?.[0]).toBeCloseTo(0.5, 5);
    expect(table['beam_share']?.[0]).toBeCloseTo(1, 6);
    expect(table['incidence_rad']?.[0]).toBeCloseTo(0, 3);
  });

  it('last: the farthest ray of the ring', async () => {
    const table = await fireOnce([wall], 'last');
    const farthest = Math.max(...rays.map(([x]) => 10 / x));
    expect(Math.abs((table['range_m']?.[0] ?? 0) - farthest)).toBeLessThan(rangeToleranceM);
    // The reported point lies on the nominal axis.
    expect(Math.abs((table['x_m']?.[0] ?? 0) - farthest)).toBeLessThan(rangeToleranceM);
    expect(table['y_m']?.[0]).toBeCloseTo(0, 5);
  });

  it('first: the mean over all nine, and the nearest as the truth', async () => {
    const table = await fireOnce([wall], 'first');
    const mean = rays.reduce((sum, [x]) => sum + 10 / x, 0) / 9;
    expect(Math.abs((table['range_m']?.[0] ?? 0) - mean)).toBeLessThan(rangeToleranceM);
    expect(table['true_range_m']?.[0]).toBeCloseTo(10, 4);
    const intensity = rays.reduce((sum, [x]) => sum + 0.5 * x, 0) / 9;
    expect(table['intensity']?.[0]).toBeCloseTo(intensity, 5);
  });
});

describe('a wall turned by 60 degrees', () => {
  const tiltRad = Math.PI / 3;
  const thickM = 0.05;
  // The front face passes through (10, 0, 0) with its normal at `tiltRad` from the beam.
  const normal: [number, number] = [Math.cos(tiltRad), Math.sin(tiltRad)];
  const wall: Placed = {
    source: { kind: 'box', sizeM: [thickM, 20, 20], material: 0 },
    at: [
      {
        positionM: [10 + (normal[0] * thickM) / 2, (normal[1] * thickM) / 2, 0],
        rotation: [0, 0, Math.sin(tiltRad / 2), Math.cos(tiltRad / 2)],
      },
    ],
  };
  const rangeOf = ([x, y]: Direction): number => (10 * normal[0]) / (x * normal[0] + y * normal[1]);
  const cosOf = ([x, y]: Direction): number => x * normal[0] + y * normal[1];

  it('last and first follow the plane, ray by ray', async () => {
    const last = await fireOnce([wall], 'last');
    const farthest = stencil().reduce((a, b) => (rangeOf(b) > rangeOf(a) ? b : a));
    expect(Math.abs((last['range_m']?.[0] ?? 0) - rangeOf(farthest))).toBeLessThan(rangeToleranceM);
    expect(last['intensity']?.[0]).toBeCloseTo(0.5 * cosOf(farthest), 4);
    expect(last['incidence_rad']?.[0]).toBeCloseTo(Math.acos(cosOf(farthest)), 4);
    const first = await fireOnce([wall], 'first');
    const mean = stencil().reduce((sum, ray) => sum + rangeOf(ray), 0) / 9;
    expect(Math.abs((first['range_m']?.[0] ?? 0) - mean)).toBeLessThan(rangeToleranceM);
  });

  it('strongest is the ray that meets it most squarely', async () => {
    const table = await fireOnce([wall], 'strongest');
    const squarest = stencil().reduce((a, b) => (cosOf(b) > cosOf(a) ? b : a));
    expect(Math.abs((table['range_m']?.[0] ?? 0) - rangeOf(squarest))).toBeLessThan(
      rangeToleranceM,
    );
  });
});

describe('an edge between two rays', () => {
  // The near screen covers the left half of the beam without the axis: three rays of nine (45°, 0°, -45°).
  const near = screen(10, [0.02, 5]);
  const far = screen(14, [-10, 10]);
  const isNear = (y: number): boolean => y * 10 > 0.02;

  it('covers three rays of nine', () => {
    expect(stencil().filter(([, y]) => isNear(y))).toHaveLength(3);
  });

  it('strongest-and-last gives both surfaces, with the shares of the beam behind them', async () => {
    // By what they send back, 3·0.9 and 6·0.3, the near one is the strongest; either is a mean of its rays.
    const bright = screen(10, [0.02, 5], 1);
    const reflectances = [0.3, 0.9];
    const options = { reflectances, resolutionM: 0.5 };
    const table = await fireOnce([bright, far], 'strongest-and-last', options);
    expect(table['n_returns']).toEqual([2, 2]);
    expect([...(table['return_no'] ?? [])]).toEqual([1, 2]);
    const [nearM = NaN, farM = NaN] = table['range_m'] ?? [];
    const ends = (isOwn: (y: number) => boolean, distanceM: number): [number, number] => {
      const rangesM = stencil().flatMap(([x, y]) => (isOwn(y) ? [distanceM / x] : []));
      return [Math.min(...rangesM), Math.max(...rangesM)];
    };
    for (const [rangeM, [fromM, toM]] of [
      [nearM, ends(isNear, 10)],
      [farM, ends((y) => !isNear(y), 14)],
    ] as const) {
      expect(rangeM).toBeGreaterThan(fromM - rangeToleranceM);
      expect(rangeM).toBeLessThan(toM + rangeToleranceM);
    }
    expect(table['beam_share']?.[0]).toBeCloseTo(3 / 9, 5);
    expect(table['beam_share']?.[1]).toBeCloseTo(6 / 9, 5);
  });

  it('closest and first find the near one though the centre ray misses it', async () => {
    const alone = await fireOnce([near], 'first');
    expect(alone['beam_share']?.[0]).toBeCloseTo(3 / 9, 5);
    const mean =
      stencil()
        .filter(([, y]) => isNear(y))
        .reduce((sum, [x]) => sum + 10 / x, 0) / 3;
    expect(Math.abs((alone['range_m']?.[0] ?? 0) - mean)).toBeLessThan(rangeToleranceM);
    const both = await fireOnce([near, far], 'closest');
    expect(both['object_id']).toEqual([1]);
  });

  it('a bright sliver beats a dark screen in `strongest`, whatever its range', async () => {
    const bright = screen(14, [-10, 10], 1);
    const table = await fireOnce([near, bright], 'strongest', { reflectances: [0.2, 0.9] });
    expect(table['object_id']).toEqual([2]);
    const swapped = await fireOnce([near, bright], 'strongest', { reflectances: [0.9, 0.2] });
    expect(swapped['object_id']).toEqual([1]);
  });

  it('`first` averages what lies within the cutoff and nothing behind it', async () => {
    const within = await fireOnce([near, far], 'first', { cutoffM: 5 });
    const mean = stencil().reduce((sum, [x, y]) => sum + (isNear(y) ? 10 : 14) / x, 0) / 9;
    expect(Math.abs((within['range_m']?.[0] ?? 0) - mean)).toBeLessThan(rangeToleranceM);
    expect(within['beam_share']?.[0]).toBeCloseTo(1, 6);
    const beyond = await fireOnce([near, far], 'first', { cutoffM: 3 });
    expect(beyond['beam_share']?.[0]).toBeCloseTo(3 / 9, 5);
  });

  it('a surface nearer than the minimum range blocks and yields nothing', async () => {
    const table = await fireOnce([screen(2, [-5, 5]), far], 'strongest', { minRangeM: 3 });
    expect(table['range_m']).toEqual([]);
  });
});

describe('a sphere of facets', () => {
  it('has the normal and the range of the facet that is hit, and the cosine of that normal', async () => {
    const sphere: Placed = {
      source: { kind: 'sphere', radiusM: 1, rings: 64, material: 0 },
      at: [{ positionM: [6, 0, 0] }],
    };
    const table = await fireOnce([sphere], 'closest');
    // A facet of a sphere with 64 rings lies at most r·(1 − cos(π/64)) ≈ 1.2 mm inside it, in each direction.
    const sagittaM = 2 * (1 - Math.cos(Math.PI / 64));
    expect(table['range_m']?.[0]).toBeGreaterThanOrEqual(5 - 1e-5);
    expect(table['range_m']?.[0]).toBeLessThanOrEqual(5 + sagittaM);
    expect(table['incidence_rad']?.[0]).toBeLessThanOrEqual((2 * Math.PI) / 64);
    const cos = Math.cos(table['incidence_rad']?.[0] ?? 0);
    expect(table['intensity']?.[0]).toBeCloseTo(0.5 * cos, 5);
  });
});
