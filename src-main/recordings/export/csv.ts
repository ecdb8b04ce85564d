// Comma-separated text with the contract's column names; `class_id` is written as `class`, by name, and so
// is `sensor`, the last column, where rows are from several. A
// pulse without an echo keeps what is known of the pulse, return_no 0 and n_returns 0; other cells are
// empty. Numbers have as many digits as bring back the same 32-bit value.
import type { ReturnColumnName, ReturnTable } from '#contract/columns.ts';
import type { Format } from './format.ts';

/** Rows that become one piece of text before they are written. */
const pieceRows = 4096;

/** Columns without a value where there was no echo, although they are numbers and not NaN. */
const idColumns: ReturnColumnName[] = [
  'object_id',
  'class_id',
  'material_id',
  'triangle_id',
  'mirrors',
];

/** Starts a CSV file. */
export const csv: Format = async (file, { columns, classes, sensors }) => {
  const encoder = new TextEncoder();
  const quotedClasses = classes.map(quoted);
  const names: string[] = columns.map((column) => (column === 'class_id' ? 'class' : column));
  if (sensors !== undefined) names.push('sensor');
  await file.append(encoder.encode(`${names.join(',')}\n`));
  return {
    async write(table, rows, sensor) {
      const cells = columns.map((column) => cellsOf(column, table, quotedClasses));
      const sensorName = quoted(sensors?.[sensor] ?? String(sensor));
      if (sensors !== undefined) cells.push(() => sensorName);
      for (let from = 0; from < rows; from += pieceRows) {
        let text = '';
        for (let row = from; row < Math.min(from + pieceRows, rows); row++) {
          text += `${cells.map((cell) => cell(row)).join(',')}\n`;
        }
        await file.append(encoder.encode(text));
      }
    },
    finish: () => Promise.resolve(),
    leftOut: [],
  };
};

/**
 * The shortest of 8 or 9 significant digits that a reader turns into the same 32-bit number; empty for NaN.
 * Nine always do (IEEE 754), eight mostly.
 */
export function formatFloat32(value: number): string {
  if (Number.isNaN(value)) return '';
  const short = Number(value.toPrecision(8));
  return String(Math.fround(short) === value ? short : Number(value.toPrecision(9)));
}

/** Gives the text of a cell by row. @throws TypeError where the table lacks the column */
function cellsOf(
  column: ReturnColumnName,
  table: ReturnTable,
  classes: string[],
): (row: number) => string {
  const array = table[column];
  if (array === undefined) throw new TypeError(`the table lacks the column ${column}`);
  if (array instanceof Float32Array) return (row) => formatFloat32(array[row] ?? NaN);
  if (!idColumns.includes(column)) return (row) => String(array[row]);
  const isMiss = missesOf(table);
  const text =
    column === 'class_id'
      ? (row: number) => classes[Number(array[row])] ?? String(array[row])
      : (row: number) => String(array[row]);
  return (row) => (isMiss(row) ? '' : text(row));
}

/** Tells which rows are pulses without an echo, from whatever column shows it. */
function missesOf({ return_no, n_returns, range_m, x_m }: ReturnTable): (row: number) => boolean {
  const counts = return_no ?? n_returns;
  if (counts !== undefined) return (row) => counts[row] === 0;
  const measured = range_m ?? x_m;
  return (row) => measured !== undefined && Number.isNaN(measured[row]);
}

function quoted(text: string): string {
  return /[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
