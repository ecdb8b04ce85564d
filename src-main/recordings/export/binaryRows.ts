// Tables of returns as tightly packed little-endian rows, for formats that list typed fields in a text
// header (PCD, PLY). 64-bit integers become doubles, which these formats' readers know; they are exact
// below 2^53: 104 days in nanoseconds.
import { returnColumns, type ReturnColumnName, type ReturnTable } from '#contract/columns.ts';
import type { PartFile } from './partFile.ts';

export interface RowField {
  name: string;
  column: ReturnColumnName;
  type: 'u8' | 'u16' | 'u32' | 'f32' | 'f64';
  offset: number;
  bytes: number;
}

const positions: Partial<Record<ReturnColumnName, string>> = { x_m: 'x', y_m: 'y', z_m: 'z' };

/** One field a column; x, y and z come first and are called so, as readers expect. */
export function rowFields(columns: readonly ReturnColumnName[]): RowField[] {
  const first = (Object.keys(positions) as ReturnColumnName[]).filter((c) => columns.includes(c));
  const ordered = [...first, ...columns.filter((column) => !first.includes(column))];
  let offset = 0;
  return ordered.map((column) => {
    const { type: columnType } = returnColumns[column];
    const type = columnType === 'i64' || columnType === 'u64' ? 'f64' : columnType;
    const bytes = { u8: 1, u16: 2, u32: 4, f32: 4, f64: 8 }[type];
    offset += bytes;
    return { name: positions[column] ?? column, column, type, offset: offset - bytes, bytes };
  });
}

/** Bytes of `rows` rows. @throws TypeError where the table lacks a column */
export function packRows(fields: RowField[], table: ReturnTable, rows: number): Uint8Array {
  const stride = fields.reduce((sum, field) => sum + field.bytes, 0);
  const bytes = new Uint8Array(stride * rows);
  const view = new DataView(bytes.buffer);
  for (const { column, type, offset } of fields) {
    const array = table[column];
    if (array === undefined) throw new TypeError(`the table lacks the column ${column}`);
    for (let row = 0, at = offset; row < rows; row++, at += stride) {
      const value = Number(array[row]);
      if (type === 'f32') view.setFloat32(at, value, true);
      else if (type === 'u8') view.setUint8(at, value);
      else if (type === 'u16') view.setUint16(at, value, true);
      else if (type === 'u32') view.setUint32(at, value, true);
      else view.setFloat64(at, value, true);
    }
  }
  return bytes;
}

/**
 * Writes a text header that holds the number of points, known only at the end: its place is kept by
 * a comment whose dots give way to digits.
 * @param render the header for a number of points, with `padding` dots in a comment
 */
export async function openHeader(
  file: PartFile,
  render: (points: number, padding: number) => string,
): Promise<{ finish(points: number): Promise<void> }> {
  const length = render(Number.MAX_SAFE_INTEGER, 1).length;
  const header = (points: number): Uint8Array => {
    const padding = 1 + length - render(points, 1).length;
    return new TextEncoder().encode(render(points, padding));
  };
  await file.append(header(0));
  return { finish: (points) => file.patchHead(header(points)) };
}
