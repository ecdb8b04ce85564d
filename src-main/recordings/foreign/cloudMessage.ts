// sensor_msgs/PointCloud2 of other programs: the fields of Velodyne's, Ouster's and Autoware's drivers, and plain ones,
// found by their names.
import { UnderstoryError } from '#contract/errors.ts';
import type { SourceCloud, TimeOptions } from '#services/ports/logSources.ts';
import { decodeRos } from '../ros/schemas.ts';
import { expectTimeField, timeFieldOf, timesSinceBase } from './pointTimes.ts';

/** A field, as a message states it. */
export interface RawField {
  name: string;
  offset: number;
  datatype: number;
}

interface RawCloud {
  header: { stamp: StampLike; frame_id: string };
  height: number;
  width: number;
  fields: RawField[];
  is_bigendian: boolean;
  point_step: number;
  row_step: number;
  data: Uint8Array;
}

/** sensor_msgs/PointField: INT8 1 … FLOAT64 8. */
const getters: Record<number, (view: DataView, at: number, isLittle: boolean) => number> = {
  1: (view, at) => view.getInt8(at),
  2: (view, at) => view.getUint8(at),
  3: (view, at, isLittle) => view.getInt16(at, isLittle),
  4: (view, at, isLittle) => view.getUint16(at, isLittle),
  5: (view, at, isLittle) => view.getInt32(at, isLittle),
  6: (view, at, isLittle) => view.getUint32(at, isLittle),
  7: (view, at, isLittle) => view.getFloat32(at, isLittle),
  8: (view, at, isLittle) => view.getFloat64(at, isLittle),
};
const sizes: Record<number, number> = { 1: 1, 2: 1, 3: 2, 4: 2, 5: 4, 6: 4, 7: 4, 8: 8 };

const laserNames = ['ring', 'channel', 'laser', 'laser_id', 'line'];
const intensityNames = ['intensity', 'reflectivity', 'i'];
const labelNames = ['label', 'class_id', 'class', 'classification'];

/** Which driver's layout the fields are. */
export function layoutOf(fields: readonly Pick<RawField, 'name'>[]): string {
  const has = (name: string): boolean => fields.some((field) => field.name === name);
  if (has('t') && has('range')) return 'ouster';
  if (has('time_stamp') && has('channel')) return 'autoware';
  if (has('time') && has('ring')) return 'velodyne';
  if (has('tag') && has('line')) return 'livox';
  if (has('timestamp') && has('ring')) return 'robosense or hesai';
  return 'plain';
}

/** Nanoseconds since `baseNs` of a stamp. */
export function sinceBase({ sec, nsec, nanosec }: StampLike, baseNs: bigint): number {
  return Number(BigInt(sec) * 1_000_000_000n + BigInt(nsec ?? nanosec ?? 0) - baseNs);
}

/** A time as the decoder gives it. */
export interface StampLike {
  sec: number;
  nsec?: number;
  nanosec?: number;
}

/** Strides that a message leaves at 0 follow from its width and its data. */
function withStrides(cloud: RawCloud): RawCloud {
  const { width, height, data } = cloud;
  const points = width * height;
  const step = cloud.point_step || (points > 0 ? Math.floor(data.length / points) : 0);
  return { ...cloud, point_step: step, row_step: cloud.row_step || width * step };
}

/** Header and fields of a message. @throws UnderstoryError 'corrupt' */
export function decodeRawCloud(bytes: Uint8Array): RawCloud {
  let cloud: RawCloud;
  try {
    cloud = withStrides(decodeRos<RawCloud>('sensor_msgs/msg/PointCloud2', bytes));
  } catch {
    throw new UnderstoryError('corrupt', 'a message is no sensor_msgs/PointCloud2 in CDR');
  }
  const { height, width, point_step: step, row_step: rowStep, data, fields } = cloud;
  const isWhole = width * step <= rowStep && data.length >= (height - 1) * rowStep + width * step;
  const areInside = fields.every(
    ({ offset, datatype }) => offset + (sizes[datatype] ?? Infinity) <= step,
  );
  if ((height * width > 0 && !isWhole) || !areInside) {
    throw new UnderstoryError('corrupt', 'a point cloud is not as long as its fields say');
  }
  return cloud;
}

/**
 * The points of a message. @param times of the request
 * @throws UnderstoryError 'corrupt', 'bad-input' for one without x, y and z or without the field of times that is named
 */
export function cloudOfMessage(
  bytes: Uint8Array,
  sweep: number,
  baseNs: bigint,
  times: TimeOptions,
): SourceCloud {
  const cloud = decodeRawCloud(bytes);
  const { width, height, fields, point_step: step, row_step: rowStep, data } = cloud;
  const points = width * height;
  const view = new DataView(data.buffer, data.byteOffset, data.byteLength);
  const isLittle = !cloud.is_bigendian;
  const stampNs = sinceBase(cloud.header.stamp, baseNs);
  const fieldOf = (names: readonly string[]): RawField | null => {
    const [found, ...others] = names.flatMap((name) =>
      fields.filter((field) => field.name === name),
    );
    if (found !== undefined && others.some(({ name }) => name === found.name)) {
      throw new UnderstoryError('bad-input', `a cloud has several fields '${found.name}'`);
    }
    return found ?? null;
  };
  const fill = <T extends Float64Array | Float32Array>(
    values: T,
    { offset, datatype }: RawField,
  ): T => {
    const get = getters[datatype];
    if (get === undefined) return values;
    for (let row = 0, point = 0; row < height; row++) {
      for (let column = 0; column < width; column++, point++) {
        values[point] = get(view, row * rowStep + column * step + offset, isLittle);
      }
    }
    return values;
  };
  const axis = (name: string): Float64Array => {
    const field = fieldOf([name]);
    if (field !== null) return fill(new Float64Array(points), field);
    throw new UnderstoryError('bad-input', `a cloud has no field '${name}'`);
  };
  const [intensity, laser, label] = [intensityNames, laserNames, labelNames].map(fieldOf);
  const isWhole = new Map(fields.map(({ name, datatype }) => [name, datatype < 7]));
  const timeField = timeFieldOf(isWhole, times);
  expectTimeField(
    timeField,
    fields.map(({ name }) => name),
    times,
  );
  const time = timeField === null ? null : fieldOf([timeField.name]);
  return {
    sweep,
    stampNs,
    frameId: cloud.header.frame_id,
    points,
    xM: axis('x'),
    yM: axis('y'),
    zM: axis('z'),
    intensity: intensity ? fill(new Float32Array(points), intensity) : null,
    laser: laser ? fill(new Float64Array(points), laser) : null,
    timeNs:
      time === null || timeField === null
        ? null
        : timesSinceBase(fill(new Float64Array(points), time), timeField, stampNs, baseNs),
    timeField,
    classId: label ? fill(new Float64Array(points), label) : null,
    isOrganised: height > 1,
  };
}
