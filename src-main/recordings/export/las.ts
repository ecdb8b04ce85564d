// LAS 1.4 with points of format 6, or 7 with colours (ASPRS LAS specification 1.4 R15): for PDAL, CloudCompare, QGIS, LAStools. What the
// format has a field for goes there, every other column into extra bytes under its own name, so that no value is lost.
// Positions are steps of 0.1 mm from the header's
// offset, the origin of the scene. Pulses without an echo have no position and are left out.
import type { ColumnType, ReturnColumnName } from '#contract/columns.ts';
import { UnderstoryError } from '#contract/errors.ts';
import type { OriginM } from '#contract/worldOrigin.ts';
import type { Format, FormatOptions } from './format.ts';
import { lasHeader, lasHeaderBytes, type LasExtent, type LasExtra } from './lasHeader.ts';
import { worldColumnType, worldTable, type WorldTable } from './worldColumns.ts';

const stepM = 1e-4;
/** A point of format 6, before its extra bytes; format 7 adds a colour. */
const pointBytes = 30;
const colourBytes = 6;
const colours = ['red', 'green', 'blue'] as const;
/** Counts of returns have four bits. */
const maxReturns = 15;
const scanAngleStepDeg = 0.006;

/** Columns that fields of the format hold exactly. */
const inFields: readonly ReturnColumnName[] = ['x_m', 'y_m', 'z_m', 'time_ns'];
const positions = ['x_m', 'y_m', 'z_m'] as const;

/** Classes of the format's own table, by the names of this package's scenes. */
const standardClasses = new Map([
  ['ground', 2],
  ['grass', 3],
  ['shrub', 4],
  ['tree', 5],
  ['wall', 6],
]);
/** From here on classes are the user's. */
const firstOwnClass = 64;
const maxOwnClasses = 256 - firstOwnClass;

/** Starts a LAS file. @throws UnderstoryError 'bad-input' without the columns of the position */
export const las: Format = async (file, options) => {
  if (!positions.every((name) => options.columns.includes(name))) {
    throw new UnderstoryError('bad-input', 'a LAS file needs the columns x_m, y_m and z_m', {
      problems: [{ path: 'columns', code: 'missing', message: 'expected x_m, y_m and z_m' }],
    });
  }
  const hasColours = colours.every((name) => options.columns.includes(name));
  const { originM, wkt } = options;
  const { extras, stride } = extraBytes(options.columns, hasColours, originM);
  const classCodes = options.classes.map(classCode);
  const classNames = new Map(classCodes.map((code, id) => [code, options.classes[id] ?? '']));
  const extent: LasExtent = {
    points: 0,
    byReturn: Array<number>(maxReturns).fill(0),
    least: [Infinity, Infinity, Infinity],
    most: [-Infinity, -Infinity, -Infinity],
  };
  const header = (): Uint8Array => {
    return lasHeader({
      hasColours,
      stride,
      stepM,
      originM,
      wkt,
      extras,
      classNames,
      sensors: options.sensors ?? [],
      extent,
    });
  };
  const leftOut: string[] = [];
  let misses = 0;
  await file.append(header());
  return {
    async write(relative, rows, sensor) {
      const table = worldTable(relative, originM);
      const sourceId = options.sensors === undefined ? 0 : sensor + 1;
      const packed = packPoints({
        table,
        rows,
        originM,
        hasColours,
        stride,
        extras,
        classCodes,
        sourceId,
        extent,
      });
      misses += rows - packed.byteLength / stride;
      await file.append(packed);
    },
    async finish() {
      await file.patchHead(header().subarray(0, lasHeaderBytes));
      if (misses > 0) leftOut.push(`${misses} pulses without an echo`);
      return extent.points;
    },
    leftOut,
  };
};

/** One extra value for each column that no field holds whole. */
function extraBytes(
  columns: FormatOptions['columns'],
  hasColours: boolean,
  originM: OriginM,
): { extras: LasExtra[]; stride: number } {
  const held = hasColours ? [...inFields, ...colours] : inFields;
  let offset = pointBytes + (hasColours ? colourBytes : 0);
  const extras = columns
    .filter((column) => !held.includes(column))
    .map((column) => {
      const at = offset;
      const type = worldColumnType(column, originM);
      offset += sizes[type];
      // Why: programs that ignore case have a field of that name already.
      return {
        column,
        type,
        offset: at,
        name: column === 'intensity' ? 'relative_intensity' : column,
      };
    });
  return { extras, stride: offset };
}

const sizes = { u8: 1, u16: 2, u32: 4, i32: 4, u64: 8, i64: 8, f32: 4, f64: 8 } as const;

function classCode(name: string, id: number): number {
  return standardClasses.get(name) ?? firstOwnClass + Math.min(id, maxOwnClasses - 1);
}

/** Bytes of the rows that have a position; `extent` takes them in. @throws TypeError where a column is lacking */
function packPoints(work: {
  table: WorldTable;
  rows: number;
  originM: OriginM;
  hasColours: boolean;
  stride: number;
  extras: readonly LasExtra[];
  classCodes: readonly number[];
  sourceId: number;
  extent: LasExtent;
}): Uint8Array {
  const { table, rows, originM, hasColours, stride, extras, classCodes, sourceId, extent } = work;
  const axes = positions.map((name) => columnOf(table, name));
  const { time_ns, azimuth_rad, intensity, class_id } = table;
  const channels = hasColours ? colours.map((name) => columnOf(table, name)) : [];
  const columns = extras.map((extra) => ({ ...extra, values: columnOf(table, extra.column) }));
  const bytes = new Uint8Array(stride * rows);
  const view = new DataView(bytes.buffer);
  let at = 0;
  for (let row = 0; row < rows; row++) {
    if (axes.some((axis) => Number.isNaN(axis[row]))) continue;
    for (const [index, axis] of axes.entries()) {
      const offsetM = originM[index] ?? 0;
      const steps = stepsOf(Number(axis[row]) - offsetM);
      view.setInt32(at + 4 * index, steps, true);
      extent.least[index] = Math.min(extent.least[index] ?? 0, offsetM + steps * stepM);
      extent.most[index] = Math.max(extent.most[index] ?? 0, offsetM + steps * stepM);
    }
    const returnNo = countOf(table.return_no?.[row]);
    view.setUint16(at + 12, Math.round(65535 * clamp(intensity?.[row] ?? 0, 0, 1)), true);
    view.setUint8(at + 14, returnNo | (Math.max(returnNo, countOf(table.n_returns?.[row])) << 4));
    view.setUint8(at + 16, class_id === undefined ? 0 : (classCodes[class_id[row] ?? 0] ?? 1));
    view.setInt16(at + 18, scanAngle(azimuth_rad?.[row] ?? 0), true);
    view.setUint16(at + 20, sourceId, true);
    view.setFloat64(at + 22, Number(time_ns?.[row] ?? 0) * 1e-9, true);
    for (const [index, values] of channels.entries()) {
      // Sixteen bits, as the format demands: 255 becomes 65535.
      view.setUint16(at + pointBytes + 2 * index, 257 * Number(values[row] ?? 0), true);
    }
    for (const { type, offset, values } of columns) {
      setValue(view, at + offset, type, values[row] ?? 0);
    }
    extent.points += 1;
    extent.byReturn[returnNo - 1] = (extent.byReturn[returnNo - 1] ?? 0) + 1;
    at += stride;
  }
  return bytes.subarray(0, at);
}

function columnOf<N extends ReturnColumnName>(table: WorldTable, name: N) {
  const values = table[name];
  if (values === undefined) throw new TypeError(`the table lacks the column ${name}`);
  return values;
}

function stepsOf(positionM: number): number {
  const steps = Math.round(positionM / stepM);
  if (Math.abs(steps) < 2 ** 31) return steps;
  const reachKm = (2 ** 31 * stepM) / 1000;
  const message = `a LAS file reaches ${reachKm} km from the origin of the scene; a point lies at ${positionM} m from it`;
  throw new UnderstoryError('bad-input', message, {
    problems: [{ path: 'out', code: 'too-far', message }],
  });
}

/** From 1, as four bits hold it; a row that does not say is the only return. */
function countOf(value: number | undefined): number {
  return clamp(value ?? 1, 1, maxReturns);
}

/** The azimuth within half a turn, in the format's steps. */
function scanAngle(azimuthRad: number): number {
  const turns = azimuthRad / (2 * Math.PI);
  return Math.round(((turns - Math.round(turns)) * 360) / scanAngleStepDeg);
}

function clamp(value: number, least: number, most: number): number {
  return Math.min(most, Math.max(least, value));
}

function setValue(view: DataView, at: number, type: ColumnType, value: number | bigint): void {
  if (type === 'u64') view.setBigUint64(at, BigInt(value), true);
  else if (type === 'i64') view.setBigInt64(at, BigInt(value), true);
  else if (type === 'f64') view.setFloat64(at, Number(value), true);
  else if (type === 'f32') view.setFloat32(at, Number(value), true);
  else if (type === 'u32') view.setUint32(at, Number(value), true);
  else if (type === 'u16') view.setUint16(at, Number(value), true);
  else view.setUint8(at, Number(value));
}
