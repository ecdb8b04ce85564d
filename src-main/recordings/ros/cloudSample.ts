// A sample of a cloud for a screen: every n-th point, and of these only the columns that are
// shown. The other fields of the message are not unpacked.
import {
  type ColumnArrays,
  columnTypes,
  type ReturnColumnName,
  type ReturnTable,
} from '#contract/columns.ts';
import type { sampledColumns } from '#contract/host/shownPoints.ts';
import { UnderstoryError } from '#contract/errors.ts';
import type { RecordedTick } from '#services/ports/recordings.ts';
import { datatypes, fieldNames, type FieldType } from './cloudFields.ts';
import { decodeDriverCloud, type DriverCloud } from './driverCloud.ts';
import { inWorld, motionOf } from './driverWorld.ts';
import type { Epoch, RosTime } from './epoch.ts';
import { firstPulseOf, type PulseRecipe, withPulseColumns } from './pulseColumns.ts';
import { decodeRos } from './schemas.ts';

/** Columns that are copied unchanged into a cloud. */
type PlainColumn = (typeof sampledColumns)[number];

export interface CloudSample {
  table: ReturnTable;
  /** Points that are in the table, and points of the whole cloud with a place. */
  rows: number;
  returns: number;
}

interface CloudMessage {
  header: { stamp: RosTime };
  width: number;
  point_step: number;
  fields: { name: string; offset: number; datatype: number }[];
  data: Uint8Array;
}

/**
 * Takes returns of a serialised cloud, evenly, up to a maximum; another `turn` takes others.
 * @param of the sensor and the times of the recording
 * @throws UnderstoryError 'corrupt' where fields and data do not agree
 */
export function sampleCloud(
  bytes: Uint8Array,
  wanted: readonly PlainColumn[],
  { recipe, epoch }: { recipe: PulseRecipe; epoch: Epoch },
  take: { maxPoints: number; turn: number },
): CloudSample {
  const message = decodeRos<CloudMessage>('sensor_msgs/msg/PointCloud2', bytes);
  const { width, point_step: pointStep, data, fields } = message;
  if (data.length !== width * pointStep) {
    throw new UnderstoryError('corrupt', 'a point cloud is not as long as its header says');
  }
  const view = new DataView(data.buffer, data.byteOffset, data.byteLength);
  const hits = hitRows(view, fields, width, pointStep);
  const { first, stride, rows } = evenly(hits.length, take);
  const valuesOf = (column: ReturnColumnName): ColumnArrays[FieldType] | null => {
    const field = fields.find(({ name }) => name === fieldNames.get(column));
    if (field === undefined) return null;
    const type = typeOf(field.datatype);
    const values = new columnTypes[type](rows);
    const get = getterOf(view, type);
    for (let row = 0; row < rows; row++) {
      values[row] = get((hits[first + row * stride] ?? 0) * pointStep + field.offset);
    }
    return values;
  };
  const firstPulse = firstPulseOf(recipe, epoch.simulated(message.header.stamp));
  const sinceFirst = valuesOf('pulse') ?? [];
  const following: ReturnTable =
    firstPulse === null || sinceFirst.length === 0
      ? {}
      : withPulseColumns(
          { pulse: BigUint64Array.from(sinceFirst, (since) => firstPulse + BigInt(since)) },
          rows,
          recipe,
        );
  const columns = wanted.flatMap((column) => {
    const values = valuesOf(column) ?? following[column];
    return values === undefined ? [] : [[column, values] as const];
  });
  return { table: Object.fromEntries(columns), rows, returns: hits.length };
}

/** As sampleCloud, of a cloud in the sensor's frame: what it states, with points in the world. */
export function sampleDriverCloud(
  bytes: Uint8Array,
  { clouds, epoch }: { clouds: readonly DriverCloud[]; epoch: Epoch },
  sensor: number,
  tick: RecordedTick,
  take: { maxPoints: number; turn: number },
): CloudSample {
  const cloud = clouds[sensor];
  const motion = motionOf(tick, sensor);
  if (cloud === undefined || motion === null) return { table: {}, rows: 0, returns: 0 };
  const points = decodeDriverCloud(bytes, cloud, epoch, (returns) => {
    const { first, stride, rows } = evenly(returns, take);
    return Array.from({ length: rows }, (_, row) => first + row * stride);
  });
  const { table, rows, returns } = inWorld(points, motion);
  return { table, rows, returns };
}

/** Which of so many returns are taken. */
function evenly(
  returns: number,
  { maxPoints, turn }: { maxPoints: number; turn: number },
): { first: number; stride: number; rows: number } {
  // Why odd: the lasers of a sensor fire in turns of even length, and all of them are to be seen.
  const share = Math.ceil(returns / Math.max(maxPoints, 1));
  const stride = share > 1 && share % 2 === 0 ? share + 1 : Math.max(share, 1);
  const first = turn % stride;
  const rows = maxPoints === 0 ? 0 : Math.max(0, Math.ceil((returns - first) / stride));
  return { first, stride, rows };
}

/** Rows that are returns: a pulse without an echo has return_no 0. */
function hitRows(
  view: DataView,
  fields: CloudMessage['fields'],
  width: number,
  pointStep: number,
): Uint32Array {
  const returnNo = fields.find(({ name }) => name === 'return_no');
  const rows = new Uint32Array(width);
  let count = 0;
  for (let row = 0; row < width; row++) {
    if (returnNo !== undefined && view.getUint8(row * pointStep + returnNo.offset) === 0) continue;
    rows[count++] = row;
  }
  return rows.subarray(0, count);
}

function typeOf(datatype: number): FieldType {
  const type = (Object.keys(datatypes) as FieldType[]).find((key) => datatypes[key] === datatype);
  if (type !== undefined) return type;
  throw new UnderstoryError('corrupt', 'a point cloud has a field that Understory did not write');
}

function getterOf(view: DataView, type: FieldType): (at: number) => number {
  switch (type) {
    case 'u8':
      return (at) => view.getUint8(at);
    case 'u16':
      return (at) => view.getUint16(at, true);
    case 'u32':
      return (at) => view.getUint32(at, true);
    case 'i32':
      return (at) => view.getInt32(at, true);
    case 'f32':
      return (at) => view.getFloat32(at, true);
    case 'f64':
      return (at) => view.getFloat64(at, true);
  }
}
