// Comma-separated text with the contract's column names; `class_id` is written as `class`, by name, and so is
// `sensor`, the last column, where rows are from several. A pulse without an echo, and a ray that met nothing,
// keeps what is known of it and its counts of 0; cells without a value are empty. Numbers have as many digits as bring
// back the same 32-bit value; world coordinates about an origin have micrometres.
import {
  type ColumnArray,
  type ColumnType,
  type ReturnColumn,
  returnColumnNames,
  returnColumns,
} from '#contract/columns.ts';
import { joinHeaded } from '../join/joinHeaded.ts';
import { type Format, type RowSource, rowSourceOf } from './format.ts';
import type { PartFile } from './partFile.ts';
import { worldTable } from './worldColumns.ts';

/** Rows that become one piece of text before they are written. Why so few: others get their turn between pieces. */
const pieceRows = 512;

/** Columns without a value where nothing was met, although they are numbers and not NaN. */
const idColumns: readonly string[] = returnColumnNames.filter((name) => {
  const { kind, type, isOfMisses = false }: ReturnColumn = returnColumns[name];
  return kind === 'truth' && !isReal(type) && !isOfMisses;
});

function isReal(type: ColumnType): boolean {
  return type === 'f32' || type === 'f64';
}

export const csv: Format = {
  async write(file, { columns, classes, originM, ...sources }) {
    const csvTable = await openCsvTable(file, columns, classes, rowSourceOf(sources));
    return {
      write: (table, rows, sensor) => csvTable.write(worldTable(table, originM), rows, sensor),
      finish: (rows) => Promise.resolve(rows),
      leftOut: [],
    };
  },
  join: joinHeaded({ lastLine: null, counts: [], padding: null }),
};

/** Columns by name, of equal length. */
type Table = Record<string, ColumnArray | undefined>;

/** Starts a CSV file of any of the contract's columns. */
export async function openCsvTable(
  file: PartFile,
  columns: readonly string[],
  classes: readonly string[],
  source: RowSource | null = null,
): Promise<{ write(table: Table, rows: number, sensor: number): Promise<void> }> {
  const encoder = new TextEncoder();
  const quotedClasses = classes.map(quoted);
  const names = columns.map((column) => (column === 'class_id' ? 'class' : column));
  if (source !== null) names.push(source.name);
  await file.append(encoder.encode(`${names.join(',')}\n`));
  return {
    async write(table, rows, sensor) {
      const cells = columns.map((column) => cellsOf(column, table, quotedClasses));
      const sourceText = quoted(source?.textOf(sensor) ?? '');
      if (source !== null) cells.push(() => sourceText);
      for (let from = 0; from < rows; from += pieceRows) {
        let text = '';
        for (let row = from; row < Math.min(from + pieceRows, rows); row++) {
          text += `${cells.map((cell) => cell(row)).join(',')}\n`;
        }
        await file.append(encoder.encode(text));
      }
    },
  };
}

/**
 * The shortest of 8 or 9 significant digits that a reader turns into the same 32-bit number; empty for NaN.
 * Nine always do (IEEE 754), eight mostly.
 */
export function formatFloat32(value: number): string {
  if (Number.isNaN(value)) return '';
  const short = Number(value.toPrecision(8));
  return String(Math.fround(short) === value ? short : Number(value.toPrecision(9)));
}

/** A world coordinate in metres to a micrometre; empty for NaN. */
function formatWorldM(value: number): string {
  return Number.isNaN(value) ? '' : String(Number(value.toFixed(6)));
}

/** Gives the text of a cell by row. @throws TypeError where the table lacks the column */
function cellsOf(column: string, table: Table, classes: string[]): (row: number) => string {
  const array = table[column];
  if (array === undefined) throw new TypeError(`the table lacks the column ${column}`);
  if (array instanceof Float32Array) return (row) => formatFloat32(array[row] ?? NaN);
  if (array instanceof Float64Array) return (row) => formatWorldM(array[row] ?? NaN);
  if (!idColumns.includes(column)) return (row) => String(array[row]);
  const isMiss = missesOf(table);
  const text =
    column === 'class_id'
      ? (row: number) => classes[Number(array[row])] ?? String(array[row])
      : (row: number) => String(array[row]);
  return (row) => (isMiss(row) ? '' : text(row));
}

/** Returns which rows are pulses without an echo or rays that met nothing, from whatever column shows it. */
function missesOf({ hit_no, return_no, n_returns, range_m, x_m }: Table): (row: number) => boolean {
  const counts = hit_no ?? return_no ?? n_returns;
  if (counts !== undefined) return (row) => counts[row] === 0;
  const measured = range_m ?? x_m;
  return (row) => measured !== undefined && Number.isNaN(measured[row]);
}

/** A cell of a CSV file. */
export function quoted(text: string): string {
  return /[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
