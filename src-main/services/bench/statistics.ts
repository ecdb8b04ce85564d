// What a series of measurements comes to: the median, and how far the others lie from it.

/** The middle value, or the mean of the middle two; NaN of nothing. */
export function median(values: readonly number[]): number {
  return quantile(values, 0.5);
}

/** Linear between the ordered values: 0 the smallest, 1 the largest; NaN of nothing. */
export function quantile(values: readonly number[], share: number): number {
  const ordered = [...values].sort((a, b) => a - b);
  const at = share * (ordered.length - 1);
  const below = ordered[Math.floor(at)] ?? Number.NaN;
  const above = ordered[Math.ceil(at)] ?? Number.NaN;
  return below + (at - Math.floor(at)) * (above - below);
}

/** (largest - smallest) / median. */
export function spread(values: readonly number[]): number {
  return (Math.max(...values) - Math.min(...values)) / median(values);
}
