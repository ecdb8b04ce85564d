// The rows of one pulse, out of tables that arrive in order of pulse and may be cut anywhere.
import type { Columns, ReturnColumn } from '#contract/columns.ts';
import { joinColumns } from '#domain/shared/joinColumns.ts';

export interface RowCollector {
  /** Keeps the rows of the pulse, copied; the table has the column `pulse`. */
  take: (table: Columns) => void;
  rows: () => number;
  /** Every column of `types`, of rows() rows. */
  columns: () => Columns;
}

/** Collects the columns of `types` for one pulse. */
export function collectRows(types: Record<string, ReturnColumn>, pulse: number): RowCollector {
  const wanted = BigInt(pulse);
  const parts: Columns[] = [];
  const rows = (): number => parts.reduce((sum, { pulse: part }) => sum + (part?.length ?? 0), 0);
  return {
    take(table) {
      const numbers = table['pulse'];
      if (!(numbers instanceof BigUint64Array)) return;
      const from = numbers.indexOf(wanted);
      if (from < 0) return;
      const to = numbers.lastIndexOf(wanted) + 1;
      const kept = Object.keys(types).flatMap((name) => {
        const array = table[name];
        return array === undefined ? [] : [[name, array.slice(from, to)] as const];
      });
      parts.push(Object.fromEntries(kept));
    },
    rows,
    columns: () => joinColumns(parts, types),
  };
}
