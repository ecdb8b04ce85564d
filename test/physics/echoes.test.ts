// Echoes, gate and noise through the real worker: ghost points and separate returns by the range resolution, power
// by the radar equation, and the laws that noise follows on a plane.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ReturnColumnName } from '#contract/columns.ts';
import type { ReturnsRecipe, SensorRecipe } from '#contract/worker/recipe.ts';
import type { Trajectory } from '#domain/trajectory/trajectory.ts';
import type { ScanWorker } from '#services/ports/workers.ts';
import {
  noiseOf,
  openWorker,
  scanScene,
  sceneOf,
  singleBeam,
  slab,
  standingAt,
  type Placed,
} from './bench.ts';
import { ksDistance } from '#domain/metrics/distribution.ts';

let worker: ScanWorker;
beforeAll(async () => {
  worker = await openWorker();
});
afterAll(() => worker.dispose());

const returns: ReturnsRecipe = { mode: 'all', signalCutoffM: 1, window: false, maxReturns: 8 };

/** The columns of the pulses of one stationary scan. */
async function scanned(
  placed: Placed[],
  sensor: SensorRecipe,
  columns: ReturnColumnName[],
  { pulses = 1, at = standingAt([0, 0, 0]), reflectance = 0.5, seed = 1 } = {},
): Promise<Record<string, number[]>> {
  const seconds = pulses / sensor.slotsPerSecond;
  const scene = sceneOf(placed, [reflectance]);
  return (await scanScene(worker, scene, sensor, at, seconds, columns, false, seed)).table;
}

describe('ghost points', () => {
  // A sensor 5 m up looks straight down, 60 mrad wide; the near patch ends between two of its rays.
  const down: Trajectory = {
    ...standingAt([0, 0, 5]),
    qy: Float64Array.of(Math.SQRT1_2, Math.SQRT1_2),
    qw: Float64Array.of(Math.SQRT1_2, Math.SQRT1_2),
  };
  const patches = (farZM: number): Placed[] => [
    {
      source: { kind: 'box', sizeM: [4, 2, 0.02], material: 0 },
      at: [{ positionM: [0, 1.01, 1.99] }],
    },
    {
      source: { kind: 'box', sizeM: [4, 4, 0.02], material: 0 },
      at: [{ positionM: [0, 0, farZM - 0.01] }],
    },
  ];
  // The ring's rays slant by up to 22.5 mrad: 0.76 mm longer at 3 m, 1.2 mm at 4.5 m.
  const ghostly = singleBeam(1000, 0.06, { ...returns, rangeResolutionM: 0.5 });

  it('are one return strictly between, within the range resolution', async () => {
    const table = await scanned(patches(1.7), ghostly, ['range_m', 'n_returns', 'beam_share'], {
      at: down,
    });
    expect(table['n_returns']).toEqual([1]);
    // Three of the nine rays meet the near patch; each weighs 1/R²: (3/3.0 + 6/3.3) / (3/9 + 6/10.89).
    expect(table['range_m']?.[0]).toBeCloseTo(3.187, 2);
    expect(table['beam_share']?.[0]).toBeCloseTo(1, 6);
  });

  it('are none beyond it: two returns, each at its own patch', async () => {
    const table = await scanned(patches(0.5), ghostly, ['range_m', 'n_returns', 'beam_share'], {
      at: down,
    });
    expect(table['n_returns']).toEqual([2, 2]);
    expect(table['range_m']?.[0]).toBeCloseTo(3, 2);
    expect(table['range_m']?.[1]).toBeCloseTo(4.5, 2);
    expect(table['beam_share']?.map((share) => Math.round(share * 9))).toEqual([3, 6]);
  });
});

describe('power', () => {
  it('of a wall that fills the spot falls with the square of the distance, in every mode', async () => {
    for (const mode of ['strongest', 'last', 'first', 'closest'] as const) {
      const sensor: SensorRecipe = {
        ...singleBeam(1000, 0.003, { ...returns, mode }),
        radiometry: 'radar-equation',
      };
      for (const rangeM of [10, 40]) {
        const table = await scanned([slab(rangeM, 'both')], sensor, ['intensity']);
        // The beam's own slant, at most 1.2 mrad, costs 1e-6.
        expect((table['intensity']?.[0] ?? NaN) * rangeM ** 2).toBeCloseTo(0.5, 5);
      }
    }
  });
});

describe('the gate', () => {
  const sensor: SensorRecipe = {
    ...singleBeam(1000, 0.001, {
      ...returns,
      mode: 'strongest',
      gate: { fullToM: 50, noneBeyondM: 120, reflectanceNear: 0.1, reflectanceFar: 0.8 },
    }),
  };

  it('lets dark walls return up to its distance, and none beyond the last', async () => {
    const seen = async (rangeM: number, reflectance: number): Promise<number> =>
      (await scanned([slab(rangeM, 'both')], sensor, ['range_m'], { reflectance }))['range_m']
        ?.length ?? NaN;
    expect(await seen(49, 0.01)).toBe(1);
    expect(await seen(84, 0.43)).toBe(0); // 0.1 + 0.7·34/70 = 0.44
    expect(await seen(84, 0.45)).toBe(1);
    expect(await seen(119, 0.9)).toBe(1);
    expect(await seen(121, 0.9)).toBe(0);
    expect(await seen(10, 0)).toBe(0);
  });
});

describe('noise on a plane', () => {
  const plane = [slab(20, 'both')];
  const pulses = 20_000;
  const noisy = (parts: Parameters<typeof noiseOf>[0]): SensorRecipe => ({
    ...singleBeam(100_000, 0.001, { ...returns, mode: 'strongest' }),
    noise: noiseOf(parts),
  });
  /** Distribution function of N(0, sigma²): Abramowitz and Stegun 7.1.26, to 1.5e-7. */
  const normal = (sigma: number) => (x: number) => {
    const z = Math.abs(x) / sigma / Math.SQRT2;
    const t = 1 / (1 + 0.3275911 * z);
    const tail =
      t *
      (0.254829592 + t * (-0.284496736 + t * (1.421413741 + t * (-1.453152027 + t * 1.061405429))));
    const erf = 1 - tail * Math.exp(-z * z);
    return x < 0 ? (1 - erf) / 2 : (1 + erf) / 2;
  };

  it('is normal around the clean range, with the standard deviation asked for, for seeds 1 to 3', async () => {
    for (const seed of [1, 2, 3]) {
      const table = await scanned(
        plane,
        noisy({ rangeSigmaM: 0.02 }),
        ['range_m', 'range_clean_m'],
        {
          pulses,
          seed,
        },
      );
      const clean = table['range_clean_m'] ?? [];
      expect(Math.max(...clean) - Math.min(...clean)).toBe(0);
      const errors = (table['range_m'] ?? []).map((rangeM, row) => rangeM - (clean[row] ?? NaN));
      expect(errors).toHaveLength(pulses);
      // Kolmogorov and Smirnov at 0.1 %.
      expect(ksDistance(errors, normal(0.02))).toBeLessThan(1.95 / Math.sqrt(pulses));
    }
  });

  it('is constant for a laser and spread over lasers, where it is their bias', async () => {
    const lasers = 64;
    const single = noisy({ laserBiasSigmaM: 0.025 });
    const sensor: SensorRecipe = {
      ...single,
      banks: [
        {
          elevationsRad: Array.from({ length: lasers }, () => 0),
          rings: Array.from({ length: lasers }, (_, laser) => laser),
        },
      ],
    };
    const table = await scanned(plane, sensor, ['range_m', 'ring'], { pulses: 10 });
    const byRing = new Map<number, Set<number>>();
    for (const [row, ring] of (table['ring'] ?? []).entries()) {
      const seen = byRing.get(ring) ?? new Set();
      byRing.set(ring, seen.add(table['range_m']?.[row] ?? NaN));
    }
    expect([...byRing.values()].every((ranges) => ranges.size === 1)).toBe(true);
    const biases = [...byRing.values()].map((ranges) => [...ranges][0] ?? NaN);
    expect(biases).toHaveLength(lasers);
    expect(ksDistance(biases, (x) => normal(0.025)(x - 20))).toBeLessThan(1.95 / Math.sqrt(lasers));
  });

  it('loses its share of the returns, and renumbers the others', async () => {
    const table = await scanned(plane, noisy({ dropOutShare: 0.2 }), ['pulse', 'n_returns'], {
      pulses,
    });
    // Binomial: four standard deviations.
    const kept = table['pulse']?.length ?? NaN;
    expect(Math.abs(kept - 0.8 * pulses)).toBeLessThan(4 * Math.sqrt(0.16 * pulses));
    expect(table['n_returns']?.every((count) => count === 1)).toBe(true);
  });

  it('is folded and rounded after it was added; the clean range is folded only', async () => {
    const sensor: SensorRecipe = {
      ...noisy({ rangeSigmaM: 0.02 }),
      backfoldM: 15,
      quantisation: { rangeM: 0.01, azimuthRad: 0 },
    };
    const table = await scanned(plane, sensor, ['range_m', 'range_clean_m', 'true_range_m'], {
      pulses: 100,
    });
    expect(table['range_clean_m']?.every((rangeM) => Math.abs(rangeM - 5) < 1e-4)).toBe(true);
    expect(table['true_range_m']?.every((rangeM) => Math.abs(rangeM - 20) < 1e-4)).toBe(true);
    for (const rangeM of table['range_m'] ?? []) {
      expect(Math.abs(rangeM - 5)).toBeLessThan(0.1);
      // Steps of 1 cm to a float's precision at 5 m.
      expect(Math.abs(rangeM * 100 - Math.round(rangeM * 100))).toBeLessThan(1e-4);
    }
    expect(new Set(table['range_m']).size).toBeGreaterThan(3);
  });

  it('never makes a return of a pulse that met nothing', async () => {
    const all = noisy({
      laserBiasSigmaM: 0.1,
      rangeSigmaM: 0.1,
      rangeSigmaPerM: 0.01,
      pointingSigmaRad: 0.001,
    });
    expect((await scanned([slab(-20, 'both')], all, ['range_m'], { pulses }))['range_m']).toEqual(
      [],
    );
  });

  it('moves the axis of each pulse where it is a pointing error, unknown to what is reported', async () => {
    const sensor = { ...noisy({ pointingSigmaRad: 0.005 }), beam: { ...noisy({}).beam } };
    sensor.beam.divergenceHorizontalRad = 0;
    sensor.beam.divergenceVerticalRad = 0;
    const table = await scanned(plane, sensor, ['hit_y_m', 'hit_z_m', 'y_m'], { pulses });
    // 20 m away, tan and all: 10 cm standard deviation to 3e-5.
    for (const axis of ['hit_y_m', 'hit_z_m']) {
      expect(ksDistance(table[axis] ?? [], normal(0.1))).toBeLessThan(1.95 / Math.sqrt(pulses));
    }
    expect(table['y_m']?.every((yM) => yM === 0)).toBe(true);
  });
});
