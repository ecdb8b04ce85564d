// What a sample comes to: mean, spread, standard error.

/** NaN of nothing. */
export function mean(values: ArrayLike<number>): number {
  let sum = 0;
  for (let n = 0; n < values.length; n += 1) sum += values[n] ?? Number.NaN;
  return sum / values.length;
}

/** Standard deviation with n − 1, in two passes; NaN of fewer than two values. */
export function standardDeviation(values: ArrayLike<number>): number {
  const centre = mean(values);
  let sum = 0;
  for (let n = 0; n < values.length; n += 1) sum += ((values[n] ?? Number.NaN) - centre) ** 2;
  return values.length < 2 ? Number.NaN : Math.sqrt(sum / (values.length - 1));
}

/** Of the mean of independent values. */
export function standardError(values: ArrayLike<number>): number {
  return standardDeviation(values) / Math.sqrt(values.length);
}
