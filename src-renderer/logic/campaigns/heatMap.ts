// Results over two axes: the mean of a measure in each cell, with the runs behind it.
import { extent } from '#domain/shared/statistics.ts';
import type { ResultValue } from './resultValue.ts';
import { valueBins, type ValueBins } from './valueBins.ts';

/** Columns of equal length, a planned run each. */
export interface PlotRows {
  /** Index in the plan. */
  index: ArrayLike<number>;
  x: readonly ResultValue[];
  y: readonly ResultValue[];
  /** The measure; null: the run has none (yet). */
  value: readonly (number | null)[];
}

export interface HeatCell {
  column: number;
  row: number;
  /** Mean of the runs with a value; null: there is none. */
  mean: number | null;
  /** Runs with a value, and all that the plan has here. */
  done: number;
  planned: number;
  /** Plan indices of all. */
  runs: readonly number[];
}

export interface HeatMap {
  x: ValueBins;
  y: ValueBins;
  /** Cells with planned runs, row by row from below. */
  cells: readonly HeatCell[];
  /** Over all means; null: there are none. */
  low: number | null;
  high: number | null;
}

/** Cells in the order of their rows and columns. */
export function heatMapOf({ index, x, y, value }: PlotRows): HeatMap {
  const [xBins, yBins] = [valueBins(x), valueBins(y)];
  const cells = new Map<number, { sum: number; done: number; runs: number[] }>();
  for (let at = 0; at < index.length; at += 1) {
    const [column, row] = [xBins.binOf(x[at] ?? null), yBins.binOf(y[at] ?? null)];
    if (column === null || row === null) continue;
    const key = row * xBins.labels.length + column;
    const cell = cells.get(key) ?? { sum: 0, done: 0, runs: [] };
    cells.set(key, cell);
    cell.runs.push(index[at] ?? 0);
    const measured = value[at] ?? null;
    if (measured === null) continue;
    cell.sum += measured;
    cell.done += 1;
  }
  const shown = [...cells]
    .toSorted(([one], [other]) => one - other)
    .map(([key, { sum, done, runs }]) => ({
      column: key % xBins.labels.length,
      row: Math.floor(key / xBins.labels.length),
      mean: done === 0 ? null : sum / done,
      done,
      planned: runs.length,
      runs,
    }));
  const means = shown.flatMap(({ mean }) => mean ?? []);
  const [low, high] = extent(means);
  return {
    x: xBins,
    y: yBins,
    cells: shown,
    low: means.length === 0 ? null : low,
    high: means.length === 0 ? null : high,
  };
}

/** 0 to 1 within the map's means; one half where all are equal. */
export function shareOf(mean: number, { low, high }: Pick<HeatMap, 'low' | 'high'>): number {
  if (low === null || high === null || high <= low) return 0.5;
  return (mean - low) / (high - low);
}
