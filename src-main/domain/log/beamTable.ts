// Tables of beams (contract/log/log.ts): made, selected, ordered.
import { columnTypes, type ColumnArray } from '#contract/columns.ts';
import {
  type LogColumnName,
  logColumns,
  optionalLogColumns,
  type OptionalLogColumn,
  type LogTable,
  requiredLogColumns,
} from '#contract/log/log.ts';

/** A table of zeros. */
export function beamTable(beams: number, optional: readonly OptionalLogColumn[] = []): LogTable {
  const names = [...requiredLogColumns, ...optional];
  const columns = names.map((name): [LogColumnName, ColumnArray] => {
    const isOrigin = name.startsWith('origin_');
    return [
      name,
      isOrigin ? new Float64Array(beams) : new columnTypes[logColumns[name].type](beams),
    ];
  });
  // Why the cast: Object.fromEntries loses which type belongs to which name.
  return Object.fromEntries(columns) as unknown as LogTable;
}

/** The rows of these numbers, in their order. */
export function selectBeams(table: LogTable, rows: Uint32Array): LogTable {
  const columns = Object.entries(table).map(([name, array]: [string, ColumnArray]) => {
    const taken = array.slice(0, 0).constructor as new (length: number) => ColumnArray;
    const values = new taken(rows.length);
    for (let to = 0; to < rows.length; to++) values[to] = array[rows[to] ?? 0] as never;
    return [name, values];
  });
  return Object.fromEntries(columns) as LogTable;
}

/** The rows in the order of their times; equal times stay in their order. */
export function inTimeOrder(table: LogTable, beams: number): LogTable {
  const rows = timeOrder(table, beams);
  return rows === null ? table : selectBeams(table, rows);
}

/** Numbers of the rows in that order; null: they are in it. */
export function timeOrder({ time_ns: times }: LogTable, beams: number): Uint32Array | null {
  let isOrdered = true;
  for (let row = 1; row < beams && isOrdered; row++) {
    isOrdered = (times[row] ?? 0n) >= (times[row - 1] ?? 0n);
  }
  if (isOrdered) return null;
  const [firstNs = 0n] = times;
  const since = Float64Array.from(times.subarray(0, beams), (timeNs) => Number(timeNs - firstNs));
  const rows = Uint32Array.from(since, (_, row) => row);
  return rows.sort((a, b) => (since[a] ?? 0) - (since[b] ?? 0) || a - b);
}

/** The rows of several tables with the same columns, one after another. */
export function joinBeams(tables: readonly { table: LogTable; beams: number }[]): LogTable {
  const [first] = tables;
  if (first === undefined) return beamTable(0);
  if (tables.length === 1) return first.table;
  const total = tables.reduce((sum, { beams }) => sum + beams, 0);
  const optional = optionalLogColumns.filter((name) => first.table[name] !== undefined);
  const joined = beamTable(total, optional) as unknown as Record<string, Float64Array>;
  let at = 0;
  for (const { table, beams } of tables) {
    for (const [name, array] of Object.entries(table)) {
      joined[name]?.set(array.subarray(0, beams) as Float64Array, at);
    }
    at += beams;
  }
  return joined as unknown as LogTable;
}
