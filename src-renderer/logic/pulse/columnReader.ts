// Values of columns by name and row.
import type { Columns } from '#contract/columns.ts';

/** Reads `prefix + name` as a number; NaN where there is no such column or row. */
export function columnReader(
  columns: Columns,
  prefix: string,
): (name: string, row: number) => number {
  return (name, row) => Number(columns[prefix + name]?.[row] ?? NaN);
}
