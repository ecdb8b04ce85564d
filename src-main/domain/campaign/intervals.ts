// Means and shares of groups of runs with their confidence intervals. The bootstrap draws counter-based numbers, so that
// the same table gives the same intervals on every machine.
import type { GroupStatistic } from '#contract/host/campaignMethods.ts';
import { purposes, uniforms } from '#domain/random/philox.ts';
import { mean, quantile } from '#domain/shared/statistics.ts';
import { normalQuantile } from './normal.ts';

/** A share of truth values (1 and 0) with Wilson's interval (Wilson 1927). */
export function shareOf(values: readonly number[], level: number): GroupStatistic {
  const n = values.length;
  if (n === 0) return nothing('share');
  const p = mean(values);
  const z = normalQuantile(0.5 + level / 2);
  const z2n = (z * z) / n;
  const centre = (p + z2n / 2) / (1 + z2n);
  const half = (z / (1 + z2n)) * Math.sqrt((p * (1 - p)) / n + z2n / (4 * n));
  // Why bounded: at 0 and 1 the interval ends there but for rounding.
  return {
    kind: 'share',
    n,
    mean: p,
    low: Math.max(0, centre - half),
    high: Math.min(1, centre + half),
  };
}

/** Means of groups, with the interval of each. */
export interface Bootstrap {
  /** A mean with the percentile interval of the bootstrap (Efron 1979). One value has no interval. */
  meanOf: (values: readonly number[], level: number) => GroupStatistic;
}

/** Resamples of a group: 2000, and fewer of large groups, whose intervals are narrow. */
const drawsInAll = 2_000_000;
const maxResamples = 2000;
const minResamples = 400;
const bootstrapSeed = 1;

/** Groups of equal size share their draws, which are made once: the interval of each is as good as alone. */
export function createBootstrap(): Bootstrap {
  const drawsOf = new Map<number, Uint32Array>();
  return {
    meanOf(values, level) {
      const n = values.length;
      if (n === 0) return nothing('mean');
      const centre = mean(values);
      if (n === 1) return { kind: 'mean', n, mean: centre, low: null, high: null };
      const draws = drawsOf.get(n) ?? drawnIndices(n);
      drawsOf.set(n, draws);
      const means = new Float64Array(draws.length / n);
      for (let resample = 0; resample < means.length; resample += 1) {
        let sum = 0;
        for (let k = 0; k < n; k += 1) sum += values[draws[resample * n + k] ?? 0] ?? 0;
        means[resample] = sum / n;
      }
      const [low, high] = [0.5 - level / 2, 0.5 + level / 2].map((share) => quantile(means, share));
      return { kind: 'mean', n, mean: centre, low: low ?? null, high: high ?? null };
    },
  };
}

/** Indices below n for each place of each resample, keyed by n. */
function drawnIndices(n: number): Uint32Array {
  const resamples = Math.min(maxResamples, Math.max(minResamples, Math.round(drawsInAll / n)));
  const draws = new Uint32Array(resamples * n);
  for (let at = 0; at < draws.length; at += 4) {
    const four = uniforms(bootstrapSeed, purposes.campaignBootstrap, n, at / 4);
    for (let k = 0; k < 4 && at + k < draws.length; k += 1) {
      draws[at + k] = Math.floor((four[k] ?? 0) * n);
    }
  }
  return draws;
}

function nothing(kind: GroupStatistic['kind']): GroupStatistic {
  return { kind, n: 0, mean: null, low: null, high: null };
}
