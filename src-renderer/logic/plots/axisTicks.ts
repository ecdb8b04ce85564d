// Axes of small pictures: a few round values between two ends, and where they lie.
import { niceStep } from '#renderer/logic/sensor/footprint.ts';

export interface AxisTick {
  value: number;
  /** 0 at `from`, 1 at `to`. */
  share: number;
  text: string;
}

/** At most about `most` round values from one end to the other, whichever is the larger. */
export function axisTicks(from: number, to: number, most: number): AxisTick[] {
  const [low, high] = from < to ? [from, to] : [to, from];
  if (!(high > low)) return [];
  const step = stepAbove((high - low) / most);
  const digits = Math.max(0, -Math.floor(Math.log10(step) + 1e-9));
  const first = Math.ceil(low / step - 1e-9);
  const last = Math.floor(high / step + 1e-9);
  return Array.from({ length: last - first + 1 }, (_, index) => {
    const value = (first + index) * step;
    const text = value.toFixed(digits).replace(/^-(0(\.0*)?)$/, '$1');
    return { value, share: (value - from) / (to - from), text };
  });
}

/** 1, 2 or 5 times a power of ten, the smallest not below `least`. */
function stepAbove(least: number): number {
  const below = niceStep(least);
  if (below >= least * (1 - 1e-9)) return below;
  return niceStep(2.5 * below);
}
