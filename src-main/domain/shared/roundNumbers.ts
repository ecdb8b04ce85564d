// Round numbers for scale bars and axes: 1, 2 or 5 times a power of ten.

/** The largest round number that is at most `max`; max > 0. */
export function roundBelow(max: number): number {
  const power = Number(`1e${Math.floor(Math.log10(max) + 1e-12)}`);
  // Why the tolerance: 0.3 / 0.1 is a little less than 3 in binary.
  const share = (max / power) * (1 + 1e-9);
  return (share >= 5 ? 5 : share >= 2 ? 2 : 1) * power;
}

/** The smallest round number that is at least `min`; min > 0. */
export function roundAbove(min: number): number {
  const below = roundBelow(min);
  return below >= min * (1 - 1e-9) ? below : roundBelow(2.5 * below);
}

/** Multiples of `step` in [from, to], the ends included; `step` may be of any size above 0. */
export function multiplesOf(step: number, from: number, to: number): number[] {
  const first = Math.ceil(from / step - 1e-9);
  const last = Math.floor(to / step + 1e-9);
  // Why + 0: no negative zero.
  return Array.from({ length: Math.max(0, last - first + 1) }, (_, n) => (first + n) * step + 0);
}
