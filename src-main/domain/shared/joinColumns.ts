// One table out of consecutive parts of it, as they arrive in chunks.
import { UnderstoryError } from '#contract/errors.ts';
import {
  columnTypes,
  returnColumns,
  type ColumnArrays,
  type Columns,
  type ColumnType,
  type ReturnColumnName,
  type ReturnTable,
} from '#contract/columns.ts';

/** The columns of `types`, each in one array; a single part is not copied. Empty arrays without parts. */
export type JoinedColumns<T extends Readonly<Record<string, { type: ColumnType }>>> = {
  [N in keyof T]: ColumnArrays[T[N]['type']];
};

/** @throws UnderstoryError 'protocol' for a part that lacks a column, or has it in another type */
export function joinColumns<T extends Readonly<Record<string, { type: ColumnType }>>>(
  parts: readonly Columns[],
  types: T,
): JoinedColumns<T> {
  return joined(parts, types) as JoinedColumns<T>;
}

/** `joinColumns` for a table of returns by the names of its columns. */
export function joinReturns<N extends ReturnColumnName>(
  parts: readonly ReturnTable[],
  names: readonly N[],
): Required<Pick<ReturnTable, N>> {
  const types: Record<string, { type: ColumnType }> = {};
  for (const name of names) types[name] = returnColumns[name];
  return joined(parts, types) as Required<Pick<ReturnTable, N>>;
}

function joined(parts: readonly Columns[], types: Record<string, { type: ColumnType }>): Columns {
  const columns = Object.entries(types).map(([name, { type }]) => {
    const arrays = parts.map((part) => columnOf(part, name, type));
    const [only] = arrays;
    const array = only !== undefined && arrays.length === 1 ? only : concatenated(arrays, type);
    return [name, array] as const;
  });
  return Object.fromEntries(columns);
}

function columnOf(part: Columns, name: string, type: ColumnType): Columns[string] {
  const array = part[name];
  if (array instanceof columnTypes[type]) return array;
  const found = array === undefined ? 'no such column' : array.constructor.name;
  throw new UnderstoryError('protocol', `expected column ${name} as ${type}, found ${found}`);
}

function concatenated(arrays: readonly Columns[string][], type: ColumnType): Columns[string] {
  const rows = arrays.reduce((sum, { length }) => sum + length, 0);
  const whole = new columnTypes[type](rows);
  let at = 0;
  for (const array of arrays) {
    // Why the cast: both are of the column's one type, which the compiler cannot follow through a name.
    (whole as Float32Array).set(array as Float32Array, at);
    at += array.length;
  }
  return whole;
}
