// Some rows of a table of returns.
import type { ColumnArray, ReturnTable } from '#contract/columns.ts';

export interface SelectedRows {
  table: ReturnTable;
  rows: number;
}

/** The rows for which `isWanted`, in their order; the columns stay. Where all are: the same table. */
export function selectRows(
  table: ReturnTable,
  rows: number,
  isWanted: (row: number) => boolean,
): SelectedRows {
  const isSelected = Uint8Array.from({ length: rows }, (_, row) => (isWanted(row) ? 1 : 0));
  const count = isSelected.reduce((sum, one) => sum + one, 0);
  if (count === rows) return { table, rows };
  const selected = Object.entries(table).map(([name, column]: [string, ColumnArray]) => {
    return [name, column.filter((_: unknown, row: number) => isSelected[row] === 1)];
  });
  return { table: Object.fromEntries(selected) as ReturnTable, rows: count };
}
