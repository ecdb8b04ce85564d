// Parallel coordinates: one upright axis for each column, on which every run has a place; ranges of axes choose runs.
import { extent } from '#domain/shared/statistics.ts';
import { axisTicks } from '../plots/axisTicks.ts';
import { compareValues, numberOf, valueText, type ResultValue } from './resultValue.ts';

export interface ParallelAxis {
  name: string;
  /** Places of each run as shares from the lower end, NaN where it has no value. */
  shares: Float64Array;
  marks: readonly { text: string; share: number }[];
}

/** From the lower to the upper end, as shares of an axis. */
export interface ShareRange {
  from: number;
  to: number;
}

/** Numbers are placed by their size, words in their order at equal distances. */
export function parallelAxis(
  name: string,
  values: readonly ResultValue[],
  maxMarks: number,
): ParallelAxis {
  const known = values.filter((value) => value !== null);
  return known.some((value) => typeof value === 'string')
    ? ofWords(name, values, known)
    : ofNumbers(name, values.map(numberOf), maxMarks);
}

/** The runs that lie within every range. A run without a value on an axis with a range does not. */
export function runsWithin(
  axes: readonly ParallelAxis[],
  ranges: Readonly<Record<string, ShareRange>>,
): Uint8Array {
  const within = new Uint8Array(axes[0]?.shares.length ?? 0).fill(1);
  for (const { name, shares } of axes) {
    const range = ranges[name];
    if (range === undefined) continue;
    for (const [run, share] of shares.entries()) {
      if (!(share >= range.from && share <= range.to)) within[run] = 0;
    }
  }
  return within;
}

function ofNumbers(
  name: string,
  numbers: readonly (number | null)[],
  maxMarks: number,
): ParallelAxis {
  const known = numbers.filter((value) => value !== null);
  const [low, high] = known.length === 0 ? [0, 1] : extent(known);
  const length = high - low;
  const shares = Float64Array.from(numbers, (value) =>
    value === null ? NaN : length > 0 ? (value - low) / length : 0.5,
  );
  const marks =
    length > 0 ? axisTicks(low, high, maxMarks) : [{ text: valueText(low), share: 0.5 }];
  return { name, shares, marks: known.length === 0 ? [] : marks };
}

function ofWords(
  name: string,
  values: readonly ResultValue[],
  known: readonly ResultValue[],
): ParallelAxis {
  const words = [...new Set(known)].toSorted(compareValues);
  const shareOf = (at: number): number => (words.length > 1 ? at / (words.length - 1) : 0.5);
  const places = new Map(words.map((word, at) => [word, shareOf(at)]));
  return {
    name,
    shares: Float64Array.from(values, (value) => places.get(value) ?? NaN),
    marks: words.map((word, at) => ({ text: valueText(word), share: shareOf(at) })),
  };
}
