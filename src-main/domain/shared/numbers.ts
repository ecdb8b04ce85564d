// Small arithmetic that every part of the domain shares: angles and limits.

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
