// Returns as sensor_msgs/PointCloud2, and back without loss. Points stand in the world's frame, where
// the rolling scan of a moving sensor is already straight; x y z intensity ring time are as in Velodyne's
// XYZIRT, the rest is sensor data and ground truth.
// Stored bit for bit: every 4-, 2- and 1-byte column. Derived exactly: time_ns = stamp + t,
// pulse = firstPulse + pulse, range_clean_m = range_m where the cloud has no field range_clean (no noise).
import type { ReturnColumnName, ReturnTable } from '#contract/columns.ts';
import { columnTypes, returnColumnNames, returnColumns } from '#contract/columns.ts';
import { UnderstoryError } from '#contract/errors.ts';
import { decodeRos, encodeRos, nanoseconds, rosTime, type RosTime } from './schemas.ts';
import { mapFrame } from './topics.ts';

/** A scan as a message: its returns, and the simulated instant that its times count from. */
export interface Cloud {
  /** Stamp of the message; every time_ns lies in [fromNs, fromNs + 2^32). */
  fromNs: number;
  table: ReturnTable;
  rows: number;
}

/** Serialised cloud; firstPulse is what its field `pulse` counts from. */
export interface CloudMessage {
  bytes: Uint8Array;
  firstPulse: bigint;
}

interface PointField {
  name: string;
  offset: number;
  /** sensor_msgs/PointField: UINT8 2, UINT16 4, UINT32 6, FLOAT32 7. */
  datatype: number;
  count: number;
}

type FieldType = 'u8' | 'u16' | 'u32' | 'f32';
const datatypes: Record<FieldType, number> = { u8: 2, u16: 4, u32: 6, f32: 7 };

/** Field names by column, in the order of the fields; `time_ns` becomes the two fields time and t. */
const fieldNames = new Map<ReturnColumnName, string>([
  ['x_m', 'x'],
  ['y_m', 'y'],
  ['z_m', 'z'],
  ['intensity', 'intensity'],
  ['ring', 'ring'],
  ['return_no', 'return_no'],
  ['n_returns', 'n_returns'],
  ['time_ns', 't'],
  ['pulse', 'pulse'],
  ...returnColumnNames
    .filter((name) => returnColumns[name].type === 'f32')
    .filter((name) => !['x_m', 'y_m', 'z_m', 'intensity'].includes(name))
    .map((name): [ReturnColumnName, string] => [name, name.replace(/_(m|rad)$/, '')]),
  ['object_id', 'object_id'],
  ['class_id', 'class_id'],
  ['material_id', 'material_id'],
]);

/** Rows are packed in blocks that stay in the first-level cache while field after field is filled in. */
const blockRows = 256;

/**
 * Packs a scan; the columns that the table has become the fields.
 * @throws RangeError where times or pulses of one scan span 2^32 or more: scans are to be cut before
 */
export function encodeCloud({ fromNs, table, rows }: Cloud): CloudMessage {
  const firstPulse = rows > 0 ? (table.pulse?.[0] ?? 0n) : 0n;
  const sources = sourcesOf(table, rows, BigInt(fromNs), firstPulse);
  const { fields, pointStep } = layOut(sources);
  const head = encodeRos('sensor_msgs/msg/PointCloud2', {
    header: { stamp: rosTime(fromNs), frame_id: mapFrame },
    height: 1,
    width: rows,
    fields,
    is_bigendian: false,
    point_step: pointStep,
    row_step: pointStep * rows,
    data: new Uint8Array(0),
    is_dense: !(table.return_no?.subarray(0, rows).includes(0) ?? false),
  });
  // An empty cloud ends in the length of its data (u32) and is_dense (u8): the rows go in between.
  const rowsAt = head.length - 1;
  const bytes = new Uint8Array(head.length + pointStep * rows);
  bytes.set(head.subarray(0, rowsAt));
  bytes.set(head.subarray(rowsAt), rowsAt + pointStep * rows);
  new DataView(bytes.buffer).setUint32(rowsAt - 4, pointStep * rows, true);
  packRows(bytes.buffer, rowsAt, pointStep, sources, fields, rows);
  return { bytes, firstPulse };
}

/**
 * The reverse of encodeCloud: columns as they were packed.
 * @param firstPulse what encodeCloud gave beside the bytes
 * @throws UnderstoryError 'corrupt' where fields and data do not agree
 */
export function decodeCloud(bytes: Uint8Array, firstPulse: bigint): Cloud {
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
  const fromNs = nanoseconds(message.header.stamp);
  const table: Record<string, unknown> = {};
  for (const [column, name] of fieldNames) {
    const field = fields.find((candidate) => candidate.name === name);
    if (field === undefined) continue;
    const values = unpackField(data.buffer, field, pointStep, rows);
    if (column === 'time_ns') {
      table[column] = new BigInt64Array(sums(BigInt(fromNs), values));
    } else if (column === 'pulse') {
      table[column] = new BigUint64Array(sums(firstPulse, values));
    } else {
      table[column] = values;
    }
  }
  if (table['range_m'] instanceof Float32Array && table['range_clean_m'] === undefined) {
    table['range_clean_m'] = table['range_m'].slice();
  }
  return { fromNs, table: table, rows };
}

/** A field about to be packed: its element values as raw unsigned words of its own width. */
interface Source {
  name: string;
  type: FieldType;
  words: Uint8Array | Uint16Array | Uint32Array;
}

function sourcesOf(table: ReturnTable, rows: number, fromNs: bigint, firstPulse: bigint): Source[] {
  const sources: Source[] = [];
  for (const [column, name] of fieldNames) {
    const array = table[column];
    if (array === undefined || (column === 'range_clean_m' && isCleanRangeTheSame(table, rows))) {
      continue;
    }
    if (array instanceof BigInt64Array || array instanceof BigUint64Array) {
      const t = differences(array, rows, column === 'time_ns' ? fromNs : firstPulse);
      if (column === 'time_ns') {
        const seconds = new Float32Array(rows);
        for (let row = 0; row < rows; row++) seconds[row] = (t[row] as number) * 1e-9;
        sources.push({ name: 'time', type: 'f32', words: new Uint32Array(seconds.buffer) });
      }
      sources.push({ name, type: 'u32', words: t });
    } else {
      const type = returnColumns[column].type as FieldType;
      sources.push({ name, type, words: wordsOf(array, rows) });
    }
  }
  return sources;
}

/** The elements as unsigned words of their own width: packing moves bits, so that NaNs stay as they are. */
function wordsOf(
  { buffer, byteOffset, BYTES_PER_ELEMENT }: Uint8Array | Uint16Array | Uint32Array | Float32Array,
  rows: number,
): Source['words'] {
  if (BYTES_PER_ELEMENT === 1) return new Uint8Array(buffer, byteOffset, rows);
  if (BYTES_PER_ELEMENT === 2) return new Uint16Array(buffer, byteOffset, rows);
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

/** Offsets in the order of the sources, each aligned to its own size; rows are whole 4-byte words. */
function layOut(sources: Source[]): { fields: PointField[]; pointStep: number } {
  let end = 0;
  const fields = sources.map(({ name, type }) => {
    const size = columnTypes[type].BYTES_PER_ELEMENT;
    const offset = Math.ceil(end / size) * size;
    end = offset + size;
    return { name, offset, datatype: datatypes[type], count: 1 };
  });
  return { fields, pointStep: Math.ceil(end / 4) * 4 };
}

function packRows(
  buffer: ArrayBuffer,
  rowsAt: number,
  pointStep: number,
  sources: Source[],
  fields: PointField[],
  rows: number,
): void {
  if (rowsAt % 4 !== 0) throw new RangeError('CDR puts the rows on a multiple of 4');
  // The last byte of the message (is_dense) is left out: the rest is whole words.
  const wordBytes = rowsAt + pointStep * rows;
  const out8 = new Uint8Array(buffer, 0, wordBytes);
  const out16 = new Uint16Array(buffer, 0, wordBytes / 2);
  const out32 = new Uint32Array(buffer, 0, wordBytes / 4);
  for (let from = 0; from < rows; from += blockRows) {
    const to = Math.min(from + blockRows, rows);
    for (const [index, { words }] of sources.entries()) {
      const at = rowsAt + (fields[index]?.offset ?? 0) + from * pointStep;
      if (words instanceof Uint32Array) {
        copy32(out32, at / 4, pointStep / 4, words, from, to);
      } else if (words instanceof Uint16Array) {
        copySmall(out16, at / 2, pointStep / 2, words, from, to);
      } else {
        copySmall(out8, at, pointStep, words, from, to);
      }
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

function unpackField(
  buffer: ArrayBuffer,
  { datatype, offset }: PointField,
  pointStep: number,
  rows: number,
): Uint8Array | Uint16Array | Uint32Array | Float32Array {
  const type = (Object.keys(datatypes) as FieldType[]).find((key) => datatypes[key] === datatype);
  const size = type === undefined ? 0 : columnTypes[type].BYTES_PER_ELEMENT;
  if (type === undefined || offset % size !== 0 || pointStep % size !== 0 || offset >= pointStep) {
    throw new UnderstoryError('corrupt', 'a point cloud has a field that Understory did not write');
  }
  const all = new columnTypes[type](buffer);
  const result = new columnTypes[type](rows);
  for (let row = 0, at = offset / size; row < rows; row++, at += pointStep / size) {
    result[row] = all[at] as number;
  }
  return result;
}
