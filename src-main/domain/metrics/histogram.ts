// Counts in bins of equal width, and their modes.

export interface Histogram {
  /** Lower edge of the first bin: a whole multiple of the width. */
  from: number;
  width: number;
  counts: number[];
}

/** Bins cover the values and no more; edges are whole multiples of `width`. Empty of nothing. */
export function histogramOf(values: ArrayLike<number>, width: number): Histogram {
  let [least, most] = [Infinity, -Infinity];
  for (let n = 0; n < values.length; n += 1) {
    const bin = Math.floor((values[n] ?? Number.NaN) / width);
    least = Math.min(least, bin);
    most = Math.max(most, bin);
  }
  const counts = new Array<number>(values.length === 0 ? 0 : most - least + 1).fill(0);
  for (let n = 0; n < values.length; n += 1) {
    const bin = Math.floor((values[n] ?? Number.NaN) / width) - least;
    counts[bin] = (counts[bin] ?? 0) + 1;
  }
  return { from: values.length === 0 ? 0 : least * width, width, counts };
}

/** Centre of a bin. */
export function binCentre({ from, width }: Histogram, bin: number): number {
  return from + (bin + 0.5) * width;
}

/** When two peaks are two modes. */
export interface ModeRule {
  /** Least distance of their bins' centres. */
  apart: number;
  /** Greatest count between them, as a share of the lower peak. */
  valleyShare: number;
  /** Least height of the lower peak as a share of the higher: the tails' scatter makes no modes. */
  minShare: number;
}

export interface Modes {
  /** Bins of the modes, the smaller first: one, or two. */
  bins: number[];
  /** Bin of the least count between two modes. */
  valleyBin: number | null;
  /** Least count between two modes over the count of the lower; 1 of one mode. */
  valleyRatio: number;
}

/**
 * The highest bin (of equals the first), and the bin that rises most above the valley towards it, if the
 * two keep the rule.
 */
export function modesOf({ counts, width }: Histogram, rule: ModeRule): Modes {
  const count = (bin: number): number => counts[bin] ?? 0;
  const highest = counts.reduce((best, each, bin) => (each > count(best) ? bin : best), 0);
  let found: Modes = { bins: [highest], valleyBin: null, valleyRatio: 1 };
  let prominence = 0;
  for (const bin of counts.keys()) {
    const [first, last] = [Math.min(bin, highest), Math.max(bin, highest)];
    // Why the small share of a bin: distances of whole bins are not exact in binary.
    if ((last - first + 1e-6) * width < rule.apart) continue;
    if (count(bin) < rule.minShare * count(highest)) continue;
    const valleyBin = lowestBetween(counts, first, last);
    const valleyRatio = count(valleyBin) / count(bin);
    if (valleyRatio > rule.valleyShare || count(bin) - count(valleyBin) <= prominence) continue;
    prominence = count(bin) - count(valleyBin);
    found = { bins: [first, last], valleyBin, valleyRatio };
  }
  return found;
}

function lowestBetween(counts: readonly number[], first: number, last: number): number {
  let lowest = first;
  for (let bin = first; bin <= last; bin += 1) {
    if ((counts[bin] ?? 0) < (counts[lowest] ?? 0)) lowest = bin;
  }
  return lowest;
}
