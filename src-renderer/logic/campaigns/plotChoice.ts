// Which columns of results a plot can show, and the columns of rows as plots take them.
import type { ResultColumn, ResultRow } from '#contract/host/campaignMethods.ts';
import { numberOf, type ResultValue } from './resultValue.ts';
import type { ValueBins } from './valueBins.ts';

export const plotViews = ['heat', 'scatter', 'parallel', 'matrix', 'groups'] as const;
export type PlotView = (typeof plotViews)[number];

export interface PlotChoice {
  /** Columns of the heat map and the scatter plot; '' while there are none. */
  x: string;
  y: string;
  measure: string;
  /** Column that colours runs; '': one colour. */
  colour: string;
  /** Columns that make groups. */
  by: string[];
  /** Columns of parallel axes and of the matrix, in this order. */
  along: string[];
}

/** Columns of the plan that are no values of an axis. */
const planOnly: ReadonlySet<string> = new Set(['run', 'state']);

/** 'axis': what varies, scenario, sensor and seed included. 'measure': numbers and switches of a run. */
export function plottable(
  columns: readonly ResultColumn[],
  kind: 'axis' | 'measure',
): ResultColumn[] {
  return columns.filter((column) => {
    if (kind === 'measure') return column.kind === 'measure' && column.type !== 'text';
    return column.kind === 'axis' || (column.kind === 'plan' && !planOnly.has(column.name));
  });
}

/** The values of a column, row by row; all unknown where there is no such column. */
export function columnValues(
  columns: readonly ResultColumn[],
  rows: readonly ResultRow[],
  name: string,
): ResultValue[] {
  const at = columns.findIndex((column) => column.name === name);
  return rows.map(({ values }) => (at === -1 ? null : (values[at] ?? null)));
}

/** The same as numbers: switches are 0 and 1. */
export function columnNumbers(
  columns: readonly ResultColumn[],
  rows: readonly ResultRow[],
  name: string,
): (number | null)[] {
  return columnValues(columns, rows, name).map(numberOf);
}

/** The condition for rows with these values: "density = 200 and scenario = 'clearing'". */
export function whereOf(
  conditions: readonly (readonly [column: string, value: ResultValue])[],
): string {
  return conditions
    .filter(([, value]) => value !== null)
    .map(([column, value]) => `${column} = ${literal(value)}`)
    .join(' and ');
}

/** The condition for rows in a bin of a column: its range, or its only value. */
export function whereInBin(
  column: string,
  bins: ValueBins,
  bin: number,
  value: ResultValue,
): string {
  const range = bins.rangeOf(bin);
  if (range === null) return whereOf([[column, value]]);
  const below = range.isLast ? '<=' : '<';
  return `${column} >= ${range.from} and ${column} ${below} ${range.to}`;
}

function literal(value: ResultValue): string {
  if (typeof value === 'string') return value.includes("'") ? `"${value}"` : `'${value}'`;
  return typeof value === 'boolean' ? String(Number(value)) : String(value);
}
