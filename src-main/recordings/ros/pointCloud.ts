// Returns with ground truth as sensor_msgs/PointCloud2, and back without loss. Points are in the world's frame, where
// the rolling scan of a moving sensor is already straight. driverCloud.ts has clouds as drivers publish them.
// Stored bit for bit: every 4-, 2- and 1-byte column. Derived exactly: time_ns = stamp + t,
// pulse = firstPulse + pulse, range_clean_m = range_m where the cloud has no field range_clean (no noise).
import type { ReturnColumnName, ReturnTable } from '#contract/columns.ts';
import { columnTypes, returnColumnNames, returnColumns } from '#contract/columns.ts';
import { UnderstoryError } from '#contract/errors.ts';
import { selectRows } from '#domain/shared/selectRows.ts';
import {
  type CloudField,
  type CloudHead,
  type CloudLayout,
  datatypes,
  encodeCloudFrame,
  fieldNames,
  type FieldType,
  fieldTypeOf,
  layOutCloud,
  stampValue,
} from './cloudFields.ts';
import { type Epoch, type RosTime, simulatedTime } from './epoch.ts';
import { frames } from './frames.ts';
import {
  firstPulseOf,
  type PulseRecipe,
  withoutFollowing,
  withPulseColumns,
} from './pulseColumns.ts';
import { scaledColumn } from './scaledValues.ts';
import { decodeRos } from './schemas.ts';

/** A scan as a message: its returns, and the simulated instant that its times count from. */
export interface Cloud {
  /** Stamp of the message; every time_ns lies in [fromNs, fromNs + 2^32). */
  fromNs: number;
  table: ReturnTable;
  rows: number;
  /** Zero of the field `pulse`; default: the first row's pulse, or firstPulseOf a recipe. */
  firstPulse?: bigint;
  /** Columns that follow from the pulses of this sensor are no fields. Left out: all columns are. */
  recipe?: PulseRecipe;
}

/** Serialised cloud; firstPulse is what its field `pulse` counts from. */
export interface CloudMessage {
  bytes: Uint8Array;
  firstPulse: bigint;
}

/** A field of a message. */
export interface PointField {
  name: string;
  offset: number;
  datatype: number;
  count: number;
}

/** Rows are packed in blocks that stay in the first-level cache while field after field is filled in. */
const blockRows = 256;

/**
 * Packs a scan; the columns that the table has become the fields.
 * @throws RangeError where times or pulses of one scan span 2^32 or more: scans are to be cut before
 */
export function encodeCloud(
  { fromNs, table, rows, recipe, ...cloud }: Cloud,
  epoch: Epoch = simulatedTime,
): CloudMessage {
  const ofRow = rows > 0 ? (table.pulse?.[0] ?? 0n) : 0n;
  const firstPulse = cloud.firstPulse ?? (recipe && firstPulseOf(recipe, fromNs)) ?? ofRow;
  const layout = layOutCloud(packedColumns(table, rows, recipe));
  const head = { frameId: frames.map, height: 1, width: rows, isDense: isDense(table, rows) };
  const points = packPoints(layout, { fromNs, table, rows }, firstPulse);
  return { bytes: cloudOf(layout, { ...head, stamp: epoch.stamp(fromNs) }, points), firstPulse };
}

/** Whether every row is a return: a pulse without an echo has return_no 0. */
export function isDense({ return_no }: ReturnTable, rows: number): boolean {
  return !(return_no?.subarray(0, rows).includes(0) ?? false);
}

/** A message around its points. */
export function cloudOf(layout: CloudLayout, head: CloudHead, points: Uint8Array): Uint8Array {
  const { before, after } = encodeCloudFrame(layout, head);
  const bytes = new Uint8Array(before.length + points.length + after.length);
  bytes.set(before);
  bytes.set(points, before.length);
  bytes.set(after, before.length + points.length);
  return bytes;
}

/** The points of a scan, one after another. @throws RangeError as encodeCloud */
export function packPoints(
  { fields, pointStep }: CloudLayout,
  { fromNs, table, rows }: Cloud,
  firstPulse: bigint,
  epoch: Epoch = simulatedTime,
): Uint8Array<ArrayBuffer> {
  const points = new Uint8Array(pointStep * rows);
  const bases = { fromNs: BigInt(fromNs), firstPulse, stamp: epoch.stamp(fromNs) };
  const sources = fields.map((field) => sourceOf(field, table, rows, bases));
  const areWords = pointStep % 4 === 0 && fields.every(({ type }) => type !== 'f64');
  if (areWords) packRows(points.buffer, 0, pointStep, sources, fields, rows);
  else packBytes(points, pointStep, sources, fields);
  return points;
}

/**
 * The reverse of encodeCloud: columns as they were packed.
 * @param firstPulse what encodeCloud gave beside the bytes
 * @param recipe that of encodeCloud
 * @throws UnderstoryError 'corrupt' where fields and data do not agree
 */
export function decodeCloud(
  bytes: Uint8Array,
  firstPulse: bigint,
  epoch: Epoch = simulatedTime,
  recipe?: PulseRecipe,
): Cloud {
  const message = decodeRos<{
    header: { stamp: RosTime };
    width: number;
    fields: PointField[];
    point_step: number;
    data: Uint8Array;
  }>('sensor_msgs/msg/PointCloud2', bytes);
  const { fields, point_step: pointStep, width: rows } = message;
  const data = new Uint8Array(message.data); // a copy: aligned for the word views below
  if (data.length !== pointStep * rows) {
    throw new UnderstoryError('corrupt', 'a point cloud is not as long as its header says');
  }
  const fromNs = epoch.simulated(message.header.stamp);
  const table: Record<string, unknown> = {};
  for (const [column, name] of fieldNames) {
    const [field, high] = [name, `${name}_high`].map((wanted) =>
      fields.find((candidate) => [wanted, `${wanted}_low`].includes(candidate.name)),
    );
    if (field === undefined) continue;
    const type = fieldTypeOf(returnColumns[column].type);
    const values = unpackField(data.buffer, field, type, pointStep, rows);
    if (column === 'time_ns') {
      table[column] = new BigInt64Array(sums(BigInt(fromNs), values));
    } else if (column === 'pulse') {
      table[column] = new BigUint64Array(sums(firstPulse, values));
    } else if (high !== undefined) {
      const words = new Uint32Array(2 * rows);
      const highWords = unpackField(data.buffer, high, type, pointStep, rows);
      for (let row = 0; row < rows; row++) {
        words.set([values[row] as number, highWords[row] as number], 2 * row);
      }
      table[column] = new columnTypes[returnColumns[column].type](words.buffer);
    } else {
      table[column] = values;
    }
  }
  if (table['range_m'] instanceof Float32Array && table['range_clean_m'] === undefined) {
    table['range_clean_m'] = table['range_m'].slice();
  }
  const whole = recipe === undefined ? table : withPulseColumns(table, rows, recipe);
  return { fromNs, table: whole, rows };
}

/** A cloud without the rows of pulses that had no echo. */
export function withoutMisses({ fromNs, table, rows }: Cloud): Cloud {
  const returnNo = table.return_no;
  return { fromNs, ...selectRows(table, rows, (row) => returnNo?.[row] !== 0) };
}

/** The columns that become fields: those that are there and cannot be derived. */
function packedColumns(
  table: ReturnTable,
  rows: number,
  recipe: PulseRecipe | undefined,
): Set<ReturnColumnName> {
  const there = returnColumnNames.filter((name) => table[name] !== undefined);
  const columns = new Set(withoutFollowing(there, recipe));
  if (isCleanRangeTheSame(table, rows)) columns.delete('range_clean_m');
  return columns;
}

/** The values of a field as raw unsigned words of its own width. */
type Source = Uint8Array | Uint16Array | Uint32Array | Float64Array;

/** Zeros of differences. */
interface Bases {
  fromNs: bigint;
  firstPulse: bigint;
  /** The time fromNs. */
  stamp: RosTime;
}

function sourceOf(
  field: CloudField,
  table: ReturnTable,
  rows: number,
  { fromNs, firstPulse, stamp }: Bases,
): Source {
  const { column, from, factor = 1 } = field;
  const array = table[column];
  if (array === undefined) throw new TypeError(`column '${column}' is not there to be packed`);
  if (!(array instanceof BigInt64Array || array instanceof BigUint64Array)) {
    return wordsOf(from === 'scaled' ? scaledColumn(array, field, rows) : array, rows);
  }
  if (from === 'low' || from === 'high') {
    const words = new Uint32Array(array.buffer, array.byteOffset, 2 * rows);
    return words.filter((_, index) => index % 2 === (from === 'low' ? 0 : 1));
  }
  const t = differences(array, rows, column === 'time_ns' ? fromNs : firstPulse);
  if (from === 'difference') return t;
  if (from === 'absolute') {
    const start = stampValue(stamp, factor);
    return Float64Array.from(t, (ns) => start + factor * ns);
  }
  const seconds = new Float32Array(rows);
  for (let row = 0; row < rows; row++) seconds[row] = (t[row] as number) * 1e-9;
  return new Uint32Array(seconds.buffer);
}

/** The elements as unsigned words of their own width: packing moves bits, so that NaNs stay as they are. */
function wordsOf(
  {
    buffer,
    byteOffset,
    BYTES_PER_ELEMENT,
  }: Uint8Array | Uint16Array | Uint32Array | Int32Array | Float32Array | Float64Array,
  rows: number,
): Source {
  if (BYTES_PER_ELEMENT === 1) return new Uint8Array(buffer, byteOffset, rows);
  if (BYTES_PER_ELEMENT === 2) return new Uint16Array(buffer, byteOffset, rows);
  if (BYTES_PER_ELEMENT === 8) return new Float64Array(buffer, byteOffset, rows);
  return new Uint32Array(buffer, byteOffset, rows);
}

/**
 * value − base for 64-bit values, as 32-bit numbers. Why: element by element BigInts would cost more
 * than all the rest, and modulo 2^32 the low words are enough; rows are in order of time and pulse.
 */
function differences(
  array: BigInt64Array | BigUint64Array,
  rows: number,
  base: bigint,
): Uint32Array<ArrayBuffer> {
  const result = new Uint32Array(rows);
  if (rows === 0) return result;
  const [first = 0n, last = 0n] = [array[0], array[rows - 1]];
  if (first < base || last < first || last - base >= 1n << 32n) {
    throw new RangeError(
      `a scan from ${base} holds ${first} to ${last}: 2^32 or more, or unordered`,
    );
  }
  const words = new Uint32Array(array.buffer, array.byteOffset, 2 * rows);
  const baseLow = Number(BigInt.asUintN(32, base));
  for (let row = 0; row < rows; row++) {
    result[row] = (words[2 * row] as number) - baseLow;
  }
  return result;
}

/** The reverse of differences: base + difference, as the bytes of 64-bit integers. */
function sums(base: bigint, differences: ArrayLike<number>): ArrayBuffer {
  const words = new Uint32Array(2 * differences.length);
  const low = Number(BigInt.asUintN(32, base));
  const high = Number(BigInt.asUintN(32, base >> 32n));
  for (let row = 0; row < differences.length; row++) {
    const sum = low + (differences[row] as number);
    words[2 * row] = sum;
    words[2 * row + 1] = sum < 2 ** 32 ? high : high + 1;
  }
  return words.buffer;
}

function isCleanRangeTheSame({ range_m, range_clean_m }: ReturnTable, rows: number): boolean {
  if (range_m === undefined || range_clean_m === undefined) return false;
  const bytesOf = (array: Float32Array): Uint8Array =>
    new Uint8Array(array.buffer, array.byteOffset, 4 * rows);
  return Buffer.compare(bytesOf(range_m), bytesOf(range_clean_m)) === 0;
}

function packRows(
  buffer: ArrayBuffer,
  rowsAt: number,
  pointStep: number,
  sources: Source[],
  fields: CloudField[],
  rows: number,
): void {
  if (rowsAt % 4 !== 0) throw new RangeError('rows begin at a multiple of 4');
  const wordBytes = rowsAt + pointStep * rows;
  const out8 = new Uint8Array(buffer, 0, wordBytes);
  const out16 = new Uint16Array(buffer, 0, wordBytes / 2);
  const out32 = new Uint32Array(buffer, 0, wordBytes / 4);
  for (let from = 0; from < rows; from += blockRows) {
    const to = Math.min(from + blockRows, rows);
    for (const [index, words] of sources.entries()) {
      const at = rowsAt + (fields[index]?.offset ?? 0) + from * pointStep;
      if (words instanceof Uint32Array) {
        copy32(out32, at / 4, pointStep / 4, words, from, to);
      } else if (words instanceof Uint16Array) {
        copySmall(out16, at / 2, pointStep / 2, words, from, to);
      } else if (words instanceof Uint8Array) {
        copySmall(out8, at, pointStep, words, from, to);
      }
    }
  }
}

/** Points whose fields or steps are no multiples of their sizes. */
function packBytes(
  out: Uint8Array,
  pointStep: number,
  sources: readonly Source[],
  fields: readonly CloudField[],
): void {
  for (const [index, source] of sources.entries()) {
    const size = source.BYTES_PER_ELEMENT;
    const bytes = new Uint8Array(source.buffer, source.byteOffset, source.byteLength);
    for (let at = fields[index]?.offset ?? 0, from = 0; from < bytes.length; from += size) {
      for (let byte = 0; byte < size; byte++) out[at + byte] = bytes[from + byte] as number;
      at += pointStep;
    }
  }
}

/** Why apart from copySmall: a loop that sees one kind of array is compiled to plain loads and stores. */
function copy32(
  out: Uint32Array,
  first: number,
  step: number,
  words: Uint32Array,
  from: number,
  to: number,
): void {
  for (let row = from, at = first; row < to; row++, at += step) out[at] = words[row] as number;
}

function copySmall(
  out: Uint8Array | Uint16Array,
  first: number,
  step: number,
  words: Uint8Array | Uint16Array,
  from: number,
  to: number,
): void {
  for (let row = from, at = first; row < to; row++, at += step) out[at] = words[row] as number;
}

/** The values of a field that was written as `type`. @throws UnderstoryError 'corrupt' where it is another */
export function unpackField(
  buffer: ArrayBuffer,
  { name, datatype, offset }: PointField,
  type: FieldType,
  pointStep: number,
  rows: number,
): Uint8Array | Uint16Array | Uint32Array | Int32Array | Float32Array | Float64Array {
  const size = columnTypes[type].BYTES_PER_ELEMENT;
  if (datatype !== datatypes[type] || offset + size > pointStep) {
    const found = `datatype ${datatype} at byte ${offset} of ${pointStep}`;
    const message = `the field '${name}' of a point cloud: expected datatype ${datatypes[type]} within a point, found ${found}`;
    throw new UnderstoryError('corrupt', message);
  }
  const result = new columnTypes[type](rows);
  if (offset % size !== 0 || pointStep % size !== 0) {
    const [from, to] = [new Uint8Array(buffer), new Uint8Array(result.buffer)];
    for (let row = 0, at = offset; row < rows; row++, at += pointStep) {
      to.set(from.subarray(at, at + size), row * size);
    }
    return result;
  }
  const all = new columnTypes[type](buffer, 0, Math.floor(buffer.byteLength / size));
  for (let row = 0, at = offset / size; row < rows; row++, at += pointStep / size) {
    result[row] = all[at] as number;
  }
  return result;
}
