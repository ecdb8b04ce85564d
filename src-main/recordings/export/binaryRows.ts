// Tables of returns as tightly packed little-endian rows after a text header that lists typed fields (PCD,
// PLY). 64-bit integers become doubles, which these formats' readers support; they are exact below 2^53: 104
// days in nanoseconds. The meaning of numbers is given in comments of the header.
import type { ReturnColumnName } from '#contract/columns.ts';
import type { Pose } from '#contract/host/run.ts';
import { joinHeaded, type HeadedRows } from '../join/joinHeaded.ts';
import { type Format, type FormatOptions, rowSourceOf } from './format.ts';
import { isZeroOrigin } from '#contract/worldOrigin.ts';
import { filled } from '#domain/shared/filledArrays.ts';
import type { PartFile } from './partFile.ts';
import { worldColumnType, worldTable, type WorldTable } from './worldColumns.ts';

export interface RowField {
  name: string;
  /** null: the sensor or leg, the same in all rows of a table; 'rgb': red, green and blue in one number, 0xRRGGBB. */
  column: ReturnColumnName | 'rgb' | null;
  type: 'u8' | 'u16' | 'u32' | 'f32' | 'f64';
  offset: number;
  bytes: number;
}

const colours: readonly ReturnColumnName[] = ['red', 'green', 'blue'];
const positions: Partial<Record<ReturnColumnName, string>> = { x_m: 'x', y_m: 'y', z_m: 'z' };

/** Values of a format's header. */
export interface RowHeader {
  fields: RowField[];
  /** Meanings of ids. */
  comments: string[];
  points: number;
  /** Dots of a comment, whose number makes up for the digits of `points`. */
  dots: string;
  /** worldFromSensor of a sensor at rest. */
  viewpoint: Pose | undefined;
}

/** As headedPoints.ts of foreign files reads it. */
function volumeComments({ classes, volumeClasses }: FormatOptions): string[] {
  if (volumeClasses === undefined) return [];
  const ids = classes.flatMap((name, id) => (volumeClasses.includes(name) ? [` ${id}`] : []));
  return [`volume_class_ids:${ids.join('')}`];
}

/**
 * A format of such rows. @param render the lines of its header; the last is followed by the first row
 * @param headed how its header is read again
 * @param options.packsColours red, green and blue become one field 'rgb', the last of the columns
 * @param options.isRelative positions stay relative to the origin, which a comment states
 */
export function binaryRows(
  render: (header: RowHeader) => string[],
  headed: HeadedRows,
  { packsColours = false, isRelative = false } = {},
): Format {
  const write: Format['write'] = async (file, given) => {
    const options: FormatOptions = isRelative ? { ...given, originM: [0, 0, 0] } : given;
    const source = rowSourceOf(options);
    const fields = rowFields(options, packsColours);
    const comments = [
      ...options.classes.map((name, id) => `class_id ${id}: ${name}`),
      ...volumeComments(options),
      ...(source?.names ?? []).map((name, index) => {
        return `${source?.name} ${source?.numberOf(index)}: ${name}`;
      }),
      ...(isZeroOrigin(given.originM) ? [] : originComments(given, isRelative)),
    ];
    const head = { fields, comments, viewpoint: options.viewpoint };
    const header = await openHeader(file, (points, padding) => {
      const lines = render({ ...head, points, dots: '.'.repeat(padding) });
      return `${lines.join('\n')}\n`;
    });
    return {
      write: (table, rows, sensor) =>
        file.append(
          packRows(fields, worldTable(table, options.originM), rows, source?.numberOf(sensor) ?? 0),
        ),
      async finish(rows) {
        await header.finish(rows);
        return rows;
      },
      leftOut: [],
    };
  };
  return { write, join: joinHeaded(headed) };
}

/** Says which coordinates the positions are. */
function originComments({ originM, crs }: FormatOptions, isRelative: boolean): string[] {
  const system =
    crs === undefined ? [] : [`coordinate reference system: ${crs.replace(/\s+/g, ' ')}`];
  return isRelative
    ? [`x y z are relative to the world position ${originM.join(' ')}`, ...system]
    : system;
}

/** One field a column; x, y and z come first and are called so, as readers expect. */
function rowFields(
  {
    columns: all,
    originM,
    ...sources
  }: Pick<FormatOptions, 'columns' | 'sensors' | 'legs' | 'originM'>,
  packsColours: boolean,
): RowField[] {
  const hasColours = packsColours && colours.every((column) => all.includes(column));
  const columns = hasColours ? all.filter((column) => !colours.includes(column)) : all;
  const first = (Object.keys(positions) as ReturnColumnName[]).filter((c) => columns.includes(c));
  const ordered = [...first, ...columns.filter((column) => !first.includes(column))];
  let offset = 0;
  const fields: RowField[] = ordered.map((column) => {
    const columnType = worldColumnType(column, originM);
    const type = columnType === 'i64' || columnType === 'u64' ? 'f64' : columnType;
    const bytes = { u8: 1, u16: 2, u32: 4, f32: 4, f64: 8 }[type];
    offset += bytes;
    return { name: positions[column] ?? column, column, type, offset: offset - bytes, bytes };
  });
  if (hasColours) {
    fields.push({ name: 'rgb', column: 'rgb', type: 'u32', offset, bytes: 4 });
    offset += 4;
  }
  const source = rowSourceOf(sources);
  if (source !== null) {
    fields.push({ name: source.name, column: null, type: 'u16', offset, bytes: 2 });
  }
  return fields;
}

/** Bytes of `rows` rows. @throws TypeError where the table lacks a column */
function packRows(fields: RowField[], table: WorldTable, rows: number, sensor: number): Uint8Array {
  const stride = fields.reduce((sum, field) => sum + field.bytes, 0);
  const bytes = new Uint8Array(stride * rows);
  const view = new DataView(bytes.buffer);
  for (const { column, type, offset } of fields) {
    const array =
      column === null
        ? new Uint16Array(rows).fill(sensor)
        : column === 'rgb'
          ? packedColours(table, rows)
          : table[column];
    if (array === undefined) throw new TypeError(`the table lacks the column ${String(column)}`);
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

function packedColours({ red, green, blue }: WorldTable, rows: number): Uint32Array | undefined {
  if (red === undefined || green === undefined || blue === undefined) return undefined;
  return filled(new Uint32Array(rows), (row) => {
    return ((red[row] ?? 0) << 16) | ((green[row] ?? 0) << 8) | (blue[row] ?? 0);
  });
}

/**
 * Writes a text header that holds the number of points, known only at the end: its place is reserved by
 * a comment whose dots are replaced by digits.
 * @param render the header for a number of points, with `padding` dots in a comment
 */
async function openHeader(
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
