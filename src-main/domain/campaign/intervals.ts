// Means and shares of groups of runs with their confidence intervals. The bootstrap is exact for small groups; for others
// it draws counter-based numbers, so that the same table gives the same intervals on every machine.
import type { GroupStatistic } from '#contract/host/campaignMethods.ts';
import { purposes, uniformWords } from '#domain/random/philox.ts';
import { extent, mean } from '#domain/shared/statistics.ts';
import { maxStepCost, type Steps } from '#domain/shared/steps.ts';
import { normalQuantile } from './normal.ts';

/** A share of truth values (1 and 0) with Wilson's interval (Wilson 1927). */
export function shareOf(values: ArrayLike<number>, level: number): GroupStatistic {
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
  /**
   * A mean with the percentile interval of the bootstrap (Efron 1979). One value has no interval. Groups in order of
   * their size are fastest: the draws of the last size are used again, and the interval of each is as good as alone.
   */
  meanOf: (values: Float64Array, level: number) => Steps<GroupStatistic>;
}

/**
 * Resamples of a group: 2000, and fewer of large groups. Why these: an end of a 95 % interval from B resamples is off by
 * √(0.025 · 0.975 / B) / φ(1.96) = 2.7/√B standard errors of the mean, 0.06 of 2000 and 0.13 of 400.
 */
const drawsInAll = 2_000_000;
const maxResamples = 2000;
const minResamples = 400;
const bootstrapSeed = 1;

/** Groups up to this size have at most 462 different resamples: fewer than would be drawn. */
const maxExact = 6;

/** Costs in steps: a value that is added, drawn, and one among which an end of the interval is searched. */
const [addCost, drawCost, searchCost] = [2, 60, 30];

/** Its memory: the draws of one size of groups. */
export function createBootstrap(): Bootstrap {
  const exact = new Map<number, Resamples>();
  let drawn: Draws = { n: 0, indices: new Uint32Array() };
  return {
    *meanOf(values, level) {
      const n = values.length;
      if (n === 0) return nothing('mean');
      const centre = mean(values);
      if (n === 1) return { kind: 'mean', n, mean: centre, low: null, high: null };
      const tail = (1 - level) / 2;
      if (n <= maxExact) {
        const all = exact.get(n) ?? allResamples(n);
        exact.set(n, all);
        yield all.weights.length * (n * addCost + searchCost);
        return { kind: 'mean', n, mean: centre, ...exactEnds(values, all, tail) };
      }
      if (drawn.n !== n) drawn = { n, indices: yield* drawnIndices(n) };
      const means = yield* resampledMeans(values, drawn.indices);
      yield means.length * searchCost;
      const [low, high] = [orderStatistic(means, tail), orderStatistic(means, 1 - tail)];
      return { kind: 'mean', n, mean: centre, low, high };
    },
  };
}

interface Draws {
  n: number;
  /** Resample by resample. */
  indices: Uint32Array;
}

/** Indices below n for each place of each resample, keyed by n. */
function* drawnIndices(n: number): Steps<Uint32Array> {
  const resamples = Math.min(maxResamples, Math.max(minResamples, Math.round(drawsInAll / n)));
  const draws = new Uint32Array(resamples * n);
  const words = new Uint32Array(4);
  const drawsOfStep = 4 * Math.floor(maxStepCost / drawCost / 4);
  for (let at = 0; at < draws.length; at += 4) {
    if (at > 0 && at % drawsOfStep === 0) yield drawsOfStep * drawCost;
    uniformWords(words, bootstrapSeed, purposes.campaignBootstrap, n, at / 4);
    for (let k = 0; k < 4 && at + k < draws.length; k += 1) {
      draws[at + k] = Math.floor((((words[k] ?? 0) + 0.5) / 2 ** 32) * n);
    }
  }
  return draws;
}

function* resampledMeans(values: Float64Array, draws: Uint32Array): Steps<Float64Array> {
  const n = values.length;
  // Why bounds: equal values have exactly their own mean.
  const [min, max] = extent(values);
  const means = new Float64Array(draws.length / n);
  let cost = 0;
  for (let resample = 0; resample < means.length; resample += 1) {
    const end = (resample + 1) * n;
    let sum = 0;
    for (let at = resample * n; at < end; at += 1) sum += values[draws[at] ?? 0] ?? 0;
    means[resample] = Math.max(min, Math.min(max, sum / n));
    cost += n * addCost;
    if (cost < maxStepCost) continue;
    yield cost;
    cost = 0;
  }
  yield cost;
  return means;
}

/** Linear between the values in order; they are moved. */
function orderStatistic(values: Float64Array, share: number): number {
  const at = share * (values.length - 1);
  const below = selected(values, Math.floor(at));
  const above = selected(values, Math.ceil(at));
  return below + (at - Math.floor(at)) * (above - below);
}

/** The value at a place of the order, by Hoare 1961 (FIND): no more is put in order than is needed. */
function selected(values: Float64Array, place: number): number {
  let [from, to] = [0, values.length - 1];
  while (from < to) {
    const pivot = values[(from + to) >> 1] ?? 0;
    let [left, right] = [from, to];
    while (left <= right) {
      while ((values[left] ?? pivot) < pivot) left += 1;
      while ((values[right] ?? pivot) > pivot) right -= 1;
      if (left > right) break;
      const moved = values[left] ?? 0;
      values[left] = values[right] ?? 0;
      values[right] = moved;
      left += 1;
      right -= 1;
    }
    if (place <= right) to = right;
    else if (place >= left) from = left;
    else break;
  }
  return values[place] ?? Number.NaN;
}

/** Every different resample of a group, and how probable it is. */
interface Resamples {
  /** How often it has each value, resample by resample. */
  counts: Uint8Array;
  weights: Float64Array;
}

/** The multisets of n values out of n, with the multinomial probability of each. */
function allResamples(n: number): Resamples {
  const counts: number[] = [];
  const weights: number[] = [];
  const own = new Uint8Array(n);
  /** Ways to draw `left` more values from the places from `place` on. */
  const fill = (place: number, left: number, weight: number): void => {
    if (place === n - 1) {
      own[place] = left;
      counts.push(...own);
      weights.push(weight / factorial(left));
      return;
    }
    for (let count = 0; count <= left; count += 1) {
      own[place] = count;
      fill(place + 1, left - count, weight / factorial(count));
    }
  };
  // Each of n^n ordered draws is as probable.
  const ordered = Array.from({ length: n }, () => n).reduce((product, each) => product * each, 1);
  fill(0, n, factorial(n) / ordered);
  return { counts: Uint8Array.from(counts), weights: Float64Array.from(weights) };
}

function factorial(n: number): number {
  return n < 2 ? 1 : n * factorial(n - 1);
}

/** The ends of the interval outside which each tail has at most a probability of `tail`, within rounding. */
function exactEnds(
  values: Float64Array,
  { counts, weights }: Resamples,
  tail: number,
): { low: number; high: number } {
  const n = values.length;
  const [min, max] = extent(values);
  const means = new Float64Array(weights.length);
  for (let resample = 0; resample < means.length; resample += 1) {
    let sum = 0;
    for (let k = 0; k < n; k += 1) sum += (counts[resample * n + k] ?? 0) * (values[k] ?? 0);
    means[resample] = Math.max(min, Math.min(max, sum / n));
  }
  return {
    low: endOf(means, weights, tail, 1),
    high: endOf(means, weights, tail, -1),
  };
}

/** From one side (1: from below) the first mean up to which there is a probability of at least `tail`. */
function endOf(means: Float64Array, weights: Float64Array, tail: number, side: 1 | -1): number {
  const taken = new Uint8Array(means.length);
  let probability = 0;
  let found = Number.NaN;
  // Why not sorted: few of them are beyond the end.
  while (probability < tail) {
    let next = -1;
    for (let index = 0; index < means.length; index += 1) {
      if (taken[index] === 1) continue;
      if (next < 0 || side * ((means[index] ?? 0) - (means[next] ?? 0)) < 0) next = index;
    }
    if (next < 0) break;
    taken[next] = 1;
    probability += weights[next] ?? 0;
    found = means[next] ?? Number.NaN;
  }
  return found;
}

function nothing(kind: GroupStatistic['kind']): GroupStatistic {
  return { kind, n: 0, mean: null, low: null, high: null };
}
