// Means of groups with their intervals, as marks on a common axis for each measure.
import type { GroupStatistic } from '#contract/host/campaignMethods.ts';
import { extent } from '#domain/shared/statistics.ts';

export interface MeanMark {
  /** 0 to 1 on the axis. */
  mean: number;
  low: number;
  high: number;
}

export interface MeasureAxis {
  from: number;
  to: number;
}

/** Differences below it, relative to the values, are rounding: they have no length. */
const minRelativeLength = 1e-9;

/** The axis of a measure: all intervals fit; shares have 0 to 1. Null: there is no mean. */
export function measureAxis(statistics: readonly GroupStatistic[]): MeasureAxis | null {
  const known = statistics.filter(({ mean }) => mean !== null);
  if (known.length === 0) return null;
  if (known.every(({ kind }) => kind === 'share')) return { from: 0, to: 1 };
  const values = known.flatMap(({ mean, low, high }) =>
    [mean, low, high].filter((value) => value !== null),
  );
  const [low, high] = extent(values);
  const size = Math.max(Math.abs(low), Math.abs(high));
  const isPoint = high - low <= minRelativeLength * size;
  const margin = isPoint ? Math.max(0.5, size * 0.1) : 0.06 * (high - low);
  return { from: low - margin, to: high + margin };
}

/** Null: the group has no mean. Without an interval both ends are the mean. */
export function meanMark(
  { mean, low, high }: GroupStatistic,
  { from, to }: MeasureAxis,
): MeanMark | null {
  if (mean === null) return null;
  const share = (value: number): number => (value - from) / (to - from);
  return { mean: share(mean), low: share(low ?? mean), high: share(high ?? mean) };
}
