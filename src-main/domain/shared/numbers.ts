// Small arithmetic that every part of the domain shares: angles, limits, powers.
//
// Why no `**`: V8 brings along its own sin, exp, log and their like, but takes pow from the C library of the machine,
// whose last bits differ from version to version (test/domain/shared/hostLibrary.test.ts).

/** Degrees to radians. */
export function radians(degrees: number): number {
  return (degrees * Math.PI) / 180;
}

/** Radians to degrees. */
export function degrees(radians: number): number {
  return (radians * 180) / Math.PI;
}

/** An angle brought to [−π, π). */
export function wrapAngle(angleRad: number): number {
  const turn = 2 * Math.PI;
  return angleRad - turn * Math.floor((angleRad + Math.PI) / turn);
}

/** The number of [low, high] that is nearest to `value`. */
export function clamp(value: number, low: number, high: number): number {
  return Math.max(low, Math.min(high, value));
}

/** x². */
export function squared(x: number): number {
  return x * x;
}

/** x³, rounded once: the errors of both products are computed (Dekker 1971) and added. For |x| below 1e90. */
export function cubed(x: number): number {
  const [square, squareError] = exactProduct(x, x);
  const [cube, cubeError] = exactProduct(square, x);
  return cube + (cubeError + squareError * x);
}

/** A power of a positive number, to a few last bits. */
export function power(base: number, exponent: number): number {
  return Math.exp(exponent * Math.log(base));
}

/** a · b as a rounded product and its error. */
function exactProduct(a: number, b: number): [product: number, error: number] {
  const product = a * b;
  const [aHigh, aLow] = halves(a);
  const [bHigh, bLow] = halves(b);
  const error = aLow * bLow - (product - aHigh * bHigh - aLow * bHigh - aHigh * bLow);
  return [product, error];
}

/** The upper and the lower 26 bits of a number (Veltkamp 1968). */
function halves(x: number): [high: number, low: number] {
  const scaled = 134217729 * x;
  const high = scaled - (scaled - x);
  return [high, x - high];
}
