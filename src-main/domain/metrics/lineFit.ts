// A straight line through points of different weight.

/** Slope of the line of least squares; weights in inverse variances. NaN of fewer than two abscissae. */
export function weightedSlope(
  points: readonly (readonly [x: number, y: number, weight: number])[],
): number {
  const total = points.reduce((sum, [, , w]) => sum + w, 0);
  const meanX = points.reduce((sum, [x, , w]) => sum + w * x, 0) / total;
  const meanY = points.reduce((sum, [, y, w]) => sum + w * y, 0) / total;
  const rise = points.reduce((sum, [x, y, w]) => sum + w * (x - meanX) * (y - meanY), 0);
  const run = points.reduce((sum, [x, , w]) => sum + w * (x - meanX) ** 2, 0);
  return rise / run;
}
