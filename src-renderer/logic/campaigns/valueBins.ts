// The values of an axis as the columns or rows of a heat map: each value, or, where there are too many
// numbers, bins between round ones.
import { extent } from '#domain/shared/statistics.ts';
import { niceStep } from '#renderer/logic/sensor/footprint.ts';
import { compareValues, valueText, type ResultValue } from './resultValue.ts';

export interface ValueBins {
  /** In order. */
  labels: readonly string[];
  /** The bin of a value; null: it has none. */
  binOf: (value: ResultValue) => number | null;
  /** The values of a bin, where it has several: from the first to below the second, or to it in the last bin. */
  rangeOf: (bin: number) => { from: number; to: number; isLast: boolean } | null;
}

/** `maxBins`: more values than that are put into bins of about as many. */
export function valueBins(values: readonly ResultValue[], maxBins = 20): ValueBins {
  const known = values.filter((value) => value !== null);
  const distinct = [...new Set(known)];
  const numbers = distinct.filter((value) => typeof value === 'number');
  if (distinct.length <= maxBins || numbers.length < distinct.length) {
    const sorted = distinct.toSorted(compareValues);
    const bins = new Map(sorted.map((value, index) => [value, index]));
    return {
      labels: sorted.map((value) => valueText(value)),
      binOf: (value) => (value === null ? null : (bins.get(value) ?? null)),
      rangeOf: () => null,
    };
  }
  return rangedBins(numbers, maxBins);
}

/** Equal steps; of numbers over two powers of ten or more, equal factors. */
function rangedBins(numbers: readonly number[], maxBins: number): ValueBins {
  const [low, high] = extent(numbers);
  const edges = low > 0 && high / low >= 100 ? factors(low, high) : steps(low, high, maxBins / 2);
  return {
    labels: edges
      .slice(0, -1)
      .map((from, index) => `${valueText(from)} – ${valueText(edges[index + 1])}`),
    binOf: (value) => {
      if (typeof value !== 'number') return null;
      const above = edges.findIndex((edge) => edge > value);
      const bin = above === -1 ? edges.length - 2 : above - 1;
      return value < low || value > high ? null : Math.max(0, Math.min(bin, edges.length - 2));
    },
    rangeOf: (bin) => {
      const [from, to] = [edges[bin], edges[bin + 1]];
      const isLast = bin === edges.length - 2;
      return from === undefined || to === undefined ? null : { from, to, isLast };
    },
  };
}

/** Round numbers, the first at or below `low`, the last at or above `high`. */
function steps(low: number, high: number, least: number): number[] {
  const step = niceStep((high - low) / Math.max(1, least));
  const first = Math.floor(low / step + 1e-9);
  const last = Math.max(first + 1, Math.ceil(high / step - 1e-9));
  return Array.from({ length: last - first + 1 }, (_, index) =>
    Number(((first + index) * step).toPrecision(12)),
  );
}

/** 1, 2, 5, 10 …: the numbers between which `low` and `high` lie. */
function factors(low: number, high: number): number[] {
  const edges: number[] = [];
  for (let power = Math.floor(Math.log10(low)); power <= Math.ceil(Math.log10(high)); power += 1) {
    for (const factor of [1, 2, 5]) edges.push(Number((factor * 10 ** power).toPrecision(12)));
  }
  const first = Math.max(
    0,
    edges.findLastIndex((edge) => edge <= low),
  );
  const last = edges.findIndex((edge) => edge >= high);
  return edges.slice(first, last === -1 ? undefined : last + 1);
}
