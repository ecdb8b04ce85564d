// The layout of a cloud: which columns become which fields of a sensor_msgs/PointCloud2, their offsets in a point,
// and the bytes of the message around the points, for packing here and in the worker. This is the cloud with ground
// truth: every column of the contract has fields, whatever its type, and none is left out of a recording without a
// word. driverFields.ts has the layouts of drivers.
import {
  type ColumnType,
  columnTypes,
  type ReturnColumnName,
  returnColumns,
} from '#contract/columns.ts';
import type { RosTime } from './epoch.ts';
import { encodeRos } from './schemas.ts';

/** Types of fields. */
export type FieldType = 'u8' | 'u16' | 'u32' | 'i32' | 'f32' | 'f64';

/** sensor_msgs/PointField: UINT8 2, UINT16 4, INT32 5, UINT32 6, FLOAT32 7, FLOAT64 8. */
export const datatypes: Record<FieldType, number> = {
  u8: 2,
  u16: 4,
  i32: 5,
  u32: 6,
  f32: 7,
  f64: 8,
};

/** How a column of each type is recorded: as a field of its type, or 64-bit values as two words side by side. */
const fieldTypes: Record<ColumnType, FieldType | 'words'> = {
  u8: 'u8',
  u16: 'u16',
  u32: 'u32',
  i32: 'i32',
  f32: 'f32',
  u64: 'words',
  i64: 'words',
  f64: 'words',
};

/** The type of a column's field, or of the fields of its words. */
export function fieldTypeOf(type: ColumnType): FieldType {
  const own = fieldTypes[type];
  return own === 'words' ? 'u32' : own;
}

/**
 * Columns that begin a point, as in Velodyne's XYZI; the other measured f32 follow. Why this order (RECORDING.md): what
 * differs from point to point lies together, then what repeats in the points of a laser, then what repeats in those of
 * a firing. A compressor then needs few matches, each long.
 */
const leading = ['x_m', 'y_m', 'z_m', 'intensity'];
/** After the measured f32; other whole numbers come before `ring`. */
const alikeByLaser = ['true_range_m', 'object_id', 'elevation_rad', 'class_id'];
const smallByLaser = ['ring', 'return_no', 'n_returns'];
/** Those of pulse and time count from a base of the cloud, as a u32. */
const alikeByFiring = ['beam_share', 'pulse', 'time_ns', 'azimuth_rad'];
const countedFrom = ['time_ns', 'pulse'];

const shortNames: Record<string, string> = { time_ns: 't', sensor_time_ns: 'sensor_t' };

type Table<N extends string> = Record<N, { type: ColumnType }>;

/**
 * Field names by column, in the order of the fields; columns that no list above names are in the table's order, 64-bit
 * ones last. `time_ns` becomes the two fields time and t; of another 64-bit column the name is followed by _low and
 * _high: a sensor's own clock may be anywhere.
 */
export function nameFields<N extends string>(table: Table<N>): Map<N, string> {
  const names = Object.keys(table) as N[];
  const listed = [...leading, ...alikeByLaser, ...smallByLaser, ...alikeByFiring];
  const among = (list: string[]): N[] =>
    list.flatMap((name) => names.filter((known) => known === name));
  const rest = (isWanted: (type: FieldType | 'words') => boolean): N[] =>
    names.filter((name) => !listed.includes(name) && isWanted(fieldTypes[table[name].type]));
  const ordered = [
    ...among(leading),
    ...rest((type) => type === 'f32'),
    ...among(alikeByLaser),
    ...rest((type) => type !== 'f32' && type !== 'words'),
    ...among(smallByLaser),
    ...among(alikeByFiring),
    ...rest((type) => type === 'words'),
  ];
  return new Map(
    ordered.map((name) => [name, shortNames[name] ?? name.replace(/_(m|rad|ns|m_per_s)$/, '')]),
  );
}

/** Those of returns. */
export const fieldNames = nameFields<ReturnColumnName>(returnColumns);

/** A field of a cloud, and how its values come from the column. */
export interface CloudField<N extends string = ReturnColumnName> {
  column: N;
  name: string;
  type: FieldType;
  /** In a point. */
  offset: number;
  /**
   * As it is; less the time or pulse that the cloud counts from; that in seconds; the time of the stamp's clock, an f64 in
   * units of 1/factor ns; the words of a 64-bit
   * value, side by side; plus + factor · value, whole numbers rounded and limited to their range.
   */
  from: 'value' | 'difference' | 'seconds' | 'absolute' | 'low' | 'high' | 'scaled';
  /** Default: 1. */
  factor?: number;
  /** Default: 0. */
  plus?: number;
  /** Scaled floats are multiples of it; default: any value. */
  step?: number;
}

export interface CloudLayout<N extends string = ReturnColumnName> {
  fields: CloudField<N>[];
  /** Fields that are always zero. */
  zeros?: Pick<CloudField<N>, 'name' | 'type' | 'offset'>[];
  /** Bytes of a point. */
  pointStep: number;
}

/**
 * Lays columns out as fields: in the order of nameFields, each aligned to its own size.
 * @throws RangeError for a column that the table does not have
 */
export function layOutCloud(columns: ReadonlySet<ReturnColumnName>): CloudLayout {
  return layOut(columns, returnColumns, fieldNames);
}

/** As layOutCloud, of any table. */
export function layOut<N extends string>(
  columns: ReadonlySet<N>,
  table: Table<N>,
  names = nameFields(table),
): CloudLayout<N> {
  const fields: CloudField<N>[] = [];
  let end = 0;
  const add = (field: Omit<CloudField<N>, 'offset'>): void => {
    const size = columnTypes[field.type].BYTES_PER_ELEMENT;
    const offset = Math.ceil(end / size) * size;
    fields.push({ ...field, offset });
    end = offset + size;
  };
  for (const column of columns) {
    if (!names.has(column)) throw new RangeError(`a cloud has no column '${column}'`);
  }
  for (const [column, name] of names) {
    if (!columns.has(column)) continue;
    const type = fieldTypes[table[column].type];
    if (column === 'time_ns') add({ column, name: 'time', type: 'f32', from: 'seconds' });
    if (type !== 'words') {
      add({ column, name, type, from: 'value' });
    } else if (countedFrom.includes(column)) {
      add({ column, name, type: 'u32', from: 'difference' });
    } else {
      for (const from of ['low', 'high'] as const) {
        add({ column, name: `${name}_${from}`, type: 'u32', from });
      }
    }
  }
  return { fields, pointStep: Math.ceil(end / 4) * 4 };
}

/** A stamp in the unit of a field of absolute times. @param factor units of a nanosecond: 1, or 1e-9 for seconds */
export function stampValue({ sec, nanosec }: RosTime, factor: number): number {
  return factor === 1 ? sec * 1e9 + nanosec : sec + nanosec * 1e-9;
}

/** Values of a cloud's message besides its fields. */
export interface CloudHead {
  stamp: RosTime;
  frameId: string;
  /** 1: points in the order of their times. */
  height: number;
  width: number;
  isDense: boolean;
}

/** Bytes of a cloud's message before and after its points, which are height · width. */
export function encodeCloudFrame(
  { fields, zeros = [], pointStep }: CloudLayout,
  { stamp, frameId, height, width, isDense }: CloudHead,
): { before: Uint8Array; after: Uint8Array } {
  const all = [...fields, ...zeros].sort((a, b) => a.offset - b.offset);
  const empty = encodeRos('sensor_msgs/msg/PointCloud2', {
    header: { stamp, frame_id: frameId },
    height,
    width,
    fields: all.map(({ name, offset, type }) => ({
      name,
      offset,
      datatype: datatypes[type],
      count: 1,
    })),
    is_bigendian: false,
    point_step: pointStep,
    row_step: pointStep * width,
    data: new Uint8Array(0),
    is_dense: isDense,
  });
  // An empty cloud ends in the length of its data (u32) and is_dense (u8): the points go in between.
  const before = empty.slice(0, -1);
  new DataView(before.buffer).setUint32(before.length - 4, pointStep * width * height, true);
  return { before, after: empty.slice(-1) };
}

/** Writes the stamp of `before` of encodeCloudFrame. */
export function putStamp(before: Uint8Array, { sec, nanosec }: RosTime): void {
  const view = new DataView(before.buffer, before.byteOffset, before.length);
  // CDR: behind 4 bytes of encapsulation.
  view.setInt32(4, sec, true);
  view.setUint32(8, nanosec, true);
}

/** Where `before` of encodeCloudFrame has its width, the bytes of a row and those of all, each a u32. */
export function countsIn(
  before: Uint8Array,
  frameId: string,
): { widthAt: number; rowBytesAt: number; bytesAt: number } {
  // CDR: 4 bytes of encapsulation, the stamp (2 × 4), the frame's name (length, text, NUL), the height.
  const nameEnd = 4 + 8 + 4 + new TextEncoder().encode(frameId).length + 1;
  return {
    widthAt: Math.ceil(nameEnd / 4) * 4 + 4,
    rowBytesAt: before.length - 8,
    bytesAt: before.length - 4,
  };
}
