// How often values occur: for the choice of a colour scale's range.

export interface ValueHistogram {
  /** Least and greatest value. */
  from: number;
  to: number;
  /** Values of each bin; the bins are of equal width. */
  counts: readonly number[];
}

const bins = 40;
/** More values than these change nothing that can be seen. */
const maxValues = 8000;

/** Counts evenly spread samples of the values that are numbers; null where there are none, or all are equal. */
export function valueHistogram(values: ArrayLike<number>): ValueHistogram | null {
  const stride = Math.max(1, Math.ceil(values.length / maxValues));
  let [from, to] = [Infinity, -Infinity];
  for (let at = 0; at < values.length; at += stride) {
    const value = values[at] ?? NaN;
    if (value < from) from = value;
    if (value > to) to = value;
  }
  if (!(to > from)) return null;
  const counts = new Array<number>(bins).fill(0);
  for (let at = 0; at < values.length; at += stride) {
    const share = ((values[at] ?? NaN) - from) / (to - from);
    if (!Number.isFinite(share)) continue;
    const bin = Math.min(Math.floor(share * bins), bins - 1);
    counts[bin] = (counts[bin] ?? 0) + 1;
  }
  return { from, to, counts };
}
