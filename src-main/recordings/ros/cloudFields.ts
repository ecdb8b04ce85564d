// The layout of a cloud: which columns become which fields of a sensor_msgs/PointCloud2, where they stand
// in a point, and the bytes of the message around the points. Whoever packs points, here or in the worker,
// takes it from here.
import type { ReturnColumnName } from '#contract/columns.ts';
import { columnTypes, returnColumnNames, returnColumns } from '#contract/columns.ts';
import { encodeRos, rosTime } from './schemas.ts';
import { mapFrame } from './topics.ts';

/** Types of fields; 64-bit columns become u32 differences. */
export type FieldType = 'u8' | 'u16' | 'u32' | 'f32';

/** sensor_msgs/PointField: UINT8 2, UINT16 4, UINT32 6, FLOAT32 7. */
export const datatypes: Record<FieldType, number> = { u8: 2, u16: 4, u32: 6, f32: 7 };

/**
 * Field names by column, in the order of the fields; `time_ns` becomes the two fields time and t, and
 * `sensor_time_ns` the words sensor_t_low and sensor_t_high: a sensor's own clock may be anywhere.
 */
export const fieldNames = new Map<ReturnColumnName, string>([
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
  ['triangle_id', 'triangle_id'],
  ['mirrors', 'mirrors'],
  ['sensor_time_ns', 'sensor_t'],
]);

/** A field of a cloud, and how its values come from the column. */
export interface CloudField {
  column: ReturnColumnName;
  name: string;
  type: FieldType;
  /** In a point. */
  offset: number;
  /**
   * As it is; less the time or pulse that the cloud counts from; that in seconds; the words of a 64-bit
   * value, side by side.
   */
  from: 'value' | 'difference' | 'seconds' | 'low' | 'high';
}

export interface CloudLayout {
  fields: CloudField[];
  /** Bytes of a point: whole 4-byte words. */
  pointStep: number;
}

/** Lays columns out as fields: in the order of fieldNames, each aligned to its own size. */
export function layOutCloud(columns: ReadonlySet<ReturnColumnName>): CloudLayout {
  const fields: CloudField[] = [];
  let end = 0;
  const add = (field: Omit<CloudField, 'offset'>): void => {
    const size = columnTypes[field.type].BYTES_PER_ELEMENT;
    const offset = Math.ceil(end / size) * size;
    fields.push({ ...field, offset });
    end = offset + size;
  };
  for (const [column, name] of fieldNames) {
    if (!columns.has(column)) continue;
    const { type } = returnColumns[column];
    if (column === 'time_ns') add({ column, name: 'time', type: 'f32', from: 'seconds' });
    if (column === 'sensor_time_ns') {
      for (const from of ['low', 'high'] as const) {
        add({ column, name: `${name}_${from}`, type: 'u32', from });
      }
    } else if (type === 'i64' || type === 'u64') {
      add({ column, name, type: 'u32', from: 'difference' });
    } else add({ column, name, type, from: 'value' });
  }
  return { fields, pointStep: Math.ceil(end / 4) * 4 };
}

/** Bytes of a cloud's message before and after its points, for so many of them. */
export function encodeCloudFrame(
  { fields, pointStep }: CloudLayout,
  cloud: { fromNs: number; rows: number; isDense: boolean },
): { before: Uint8Array; after: Uint8Array } {
  const { fromNs, rows, isDense } = cloud;
  const empty = encodeRos('sensor_msgs/msg/PointCloud2', {
    header: { stamp: rosTime(fromNs), frame_id: mapFrame },
    height: 1,
    width: rows,
    fields: fields.map(({ name, offset, type }) => ({
      name,
      offset,
      datatype: datatypes[type],
      count: 1,
    })),
    is_bigendian: false,
    point_step: pointStep,
    row_step: pointStep * rows,
    data: new Uint8Array(0),
    is_dense: isDense,
  });
  // An empty cloud ends in the length of its data (u32) and is_dense (u8): the points go in between.
  const before = empty.slice(0, -1);
  new DataView(before.buffer).setUint32(before.length - 4, pointStep * rows, true);
  return { before, after: empty.slice(-1) };
}

/** Where `before` of encodeCloudFrame has the number of points and their bytes, each a u32. */
export function countsIn(before: Uint8Array): { widthAt: number; bytesAt: [number, number] } {
  // CDR: 4 bytes of encapsulation, the stamp (2 × 4), the frame's name (length, text, NUL), the height.
  const nameEnd = 4 + 8 + 4 + mapFrame.length + 1;
  return {
    widthAt: Math.ceil(nameEnd / 4) * 4 + 4,
    bytesAt: [before.length - 8, before.length - 4], // row_step, and the length of the data
  };
}
