// Samples against a law: Kolmogorov and Smirnov's distance, and the peak of a smoothed density.

/**
 * Kolmogorov and Smirnov's distance of one sample: the greatest difference between its distribution function
 * and `cdf`, on either side of each step. Values in any order; NaN of nothing.
 */
export function ksDistance(values: ArrayLike<number>, cdf: (x: number) => number): number {
  const ordered = Float64Array.from(values).sort();
  if (ordered.length === 0) return Number.NaN;
  let worst = 0;
  for (const [index, x] of ordered.entries()) {
    const expected = cdf(x);
    const above = (index + 1) / ordered.length - expected;
    const below = expected - index / ordered.length;
    worst = Math.max(worst, above, below);
  }
  return worst;
}

/**
 * The same of two samples: the greatest difference between their distribution functions. Its critical value is that of
 * n·m/(n + m) values.
 */
export function ksDistanceOfTwo(first: ArrayLike<number>, second: ArrayLike<number>): number {
  const [a, b] = [Float64Array.from(first).sort(), Float64Array.from(second).sort()];
  if (a.length === 0 || b.length === 0) return NaN;
  let [inA, inB, distance] = [0, 0, 0];
  while (inA < a.length && inB < b.length) {
    const value = Math.min(a[inA] ?? NaN, b[inB] ?? NaN);
    while (inA < a.length && (a[inA] ?? NaN) <= value) inA += 1;
    while (inB < b.length && (b[inB] ?? NaN) <= value) inB += 1;
    distance = Math.max(distance, Math.abs(inA / a.length - inB / b.length));
  }
  return distance;
}

/**
 * The distance that a sample of the law itself exceeds once in a thousand: 1.95 / sqrt(n), the asymptotic law of
 * Kolmogorov 1933.
 */
export function ksCritical(count: number): number {
  return 1.95 / Math.sqrt(count);
}

/**
 * The most frequent value: where the density, smoothed by a Gaussian of standard deviation `bandwidth`, is
 * highest. To a twentieth of the bandwidth; of equals the smallest.
 */
export function densityPeak(values: ArrayLike<number>, bandwidth: number): number {
  const density = smoothedDensity(values, bandwidth);
  const peak = density.reduce((best, point) => (point[1] > best[1] ? point : best));
  return peak[0];
}

/**
 * The density smoothed by a Gaussian, as [x, density], from three bandwidths below the least value to three
 * above the greatest. Values are first counted in bins of a twentieth of the bandwidth.
 */
export function smoothedDensity(
  values: ArrayLike<number>,
  bandwidth: number,
): [x: number, density: number][] {
  const step = bandwidth / 20;
  const reach = 4 * 20;
  let [least, most] = [Infinity, -Infinity];
  for (let n = 0; n < values.length; n += 1) {
    const x = values[n] ?? Number.NaN;
    least = Math.min(least, x);
    most = Math.max(most, x);
  }
  const from = least - 3 * bandwidth;
  const bins = Math.ceil((most - from + 3 * bandwidth) / step) + 1;
  const counts = new Float64Array(bins);
  for (let n = 0; n < values.length; n += 1) {
    const bin = Math.round(((values[n] ?? Number.NaN) - from) / step);
    counts[bin] = (counts[bin] ?? 0) + 1;
  }
  const kernel = Array.from({ length: 2 * reach + 1 }, (_, n) =>
    Math.exp((-0.5 * ((n - reach) * step) ** 2) / bandwidth ** 2),
  );
  const scale = 1 / (values.length * bandwidth * Math.sqrt(2 * Math.PI));
  return Array.from(counts, (_, bin) => {
    let sum = 0;
    for (const [offset, weight] of kernel.entries()) {
      sum += weight * (counts[bin + offset - reach] ?? 0);
    }
    return [from + bin * step, sum * scale];
  });
}
