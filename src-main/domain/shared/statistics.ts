// Statistics of a sample: mean, spread, quantiles. Every one is NaN of an empty sample.
import { squared } from './numbers.ts';

/** Arithmetic mean; never outside the values, so that equal values have exactly their own. */
export function mean(values: ArrayLike<number>): number {
  let sum = 0;
  for (let n = 0; n < values.length; n += 1) sum += values[n] ?? Number.NaN;
  const [min, max] = extent(values);
  // Why bounded: the rounded sum of equal values is no multiple of them.
  return Math.max(min, Math.min(max, sum / values.length));
}

/** Standard deviation with n − 1, in two passes; NaN of fewer than two values. */
export function standardDeviation(values: ArrayLike<number>): number {
  const centre = mean(values);
  let sum = 0;
  for (let n = 0; n < values.length; n += 1) sum += squared((values[n] ?? Number.NaN) - centre);
  return values.length < 2 ? Number.NaN : Math.sqrt(sum / (values.length - 1));
}

/** Standard error of the mean of independent values. */
export function standardError(values: ArrayLike<number>): number {
  return standardDeviation(values) / Math.sqrt(values.length);
}

/** The middle value, or the mean of the middle two. */
export function median(values: ArrayLike<number>): number {
  return quantile(values, 0.5);
}

/** Linear between the ordered values: 0 the smallest, 1 the largest. */
export function quantile(values: ArrayLike<number>, share: number): number {
  const ordered = Float64Array.from(values).sort();
  const at = share * (ordered.length - 1);
  const below = ordered[Math.floor(at)] ?? Number.NaN;
  const above = ordered[Math.ceil(at)] ?? Number.NaN;
  return below + (at - Math.floor(at)) * (above - below);
}

/** (largest − smallest) / median. */
export function relativeSpread(values: ArrayLike<number>): number {
  return (quantile(values, 1) - quantile(values, 0)) / median(values);
}

/** Smallest and largest value; [∞, −∞] of an empty sample. */
export function extent(values: ArrayLike<number>): [min: number, max: number] {
  let [min, max] = [Infinity, -Infinity];
  for (let n = 0; n < values.length; n += 1) {
    const value = values[n] ?? Number.NaN;
    if (value < min) min = value;
    if (value > max) max = value;
  }
  return [min, max];
}
