// Clouds as the driver of a sensor publishes them: in the sensor's frame, each point as the sensor saw it at its own
// time (drivers do not undo motion either), in the driver's fields, organised on request. And back, as far as such a
// cloud goes: for recordings without ground truth.
import type { ReturnTable } from '#contract/columns.ts';
import { traitsOf } from '#contract/documents/scan/scanRecipe.ts';
import { UnderstoryError } from '#contract/errors.ts';
import type { CompiledScenario, CompiledSensor } from '#contract/host/run.ts';
import { rowNumbers } from '#domain/shared/filledArrays.ts';
import { type CloudField, type CloudLayout, stampValue } from './cloudFields.ts';
import { gridOf, gridWidth, organise, type CloudGrid, type PulseSpan } from './cloudGrid.ts';
import { driverLayout } from './driverFields.ts';
import { type Epoch, type RosTime, simulatedTime } from './epoch.ts';
import { sensorFrames } from './frames.ts';
import {
  type Cloud,
  cloudOf,
  isDense,
  packPoints,
  type PointField,
  unpackField,
} from './pointCloud.ts';
import { firstPulseFrom } from './pulseNumbers.ts';
import { unscaledValue } from './scaledValues.ts';
import { decodeRos } from './schemas.ts';

/** How a sensor's clouds are made. */
export interface DriverCloud {
  layout: CloudLayout;
  frameId: string;
  recipe: CompiledSensor['recipe'];
  /** Null: points follow each other in the order of their times. */
  grid: CloudGrid | null;
}

/** Those of the sensors of a scenario. */
export function driverClouds({
  scenario: { recording },
  sensors,
}: Pick<CompiledScenario, 'scenario' | 'sensors'>): DriverCloud[] {
  const frames = sensorFrames(sensors.map(({ name }) => name));
  return sensors.map((sensor, index) => {
    const layout = driverLayout(sensor);
    const { recipe } = sensor;
    // A panorama has one laser: a grid would be one row.
    const isGrid = recording?.organised === true && traitsOf(recipe.scan).lines === null;
    const grid = isGrid ? gridOf(recipe, layout) : null;
    return { layout, frameId: frames[index] ?? '', recipe, grid };
  });
}

/** Whether a table has the columns of such a cloud. */
export function hasDriverColumns(
  { layout, grid }: DriverCloud,
  table: Readonly<Record<string, unknown>>,
): boolean {
  const needed = layout.fields.map(({ column }): string => column);
  return [...needed, ...(grid === null ? [] : ['pulse'])].every(
    (column) => table[column] !== undefined,
  );
}

/**
 * A scan as its driver publishes it. @param cloud.pulses of the scan, with returns or without
 * @throws TypeError where the table lacks a column (hasDriverColumns); RangeError as encodeCloud
 */
export function encodeDriverCloud(
  cloud: DriverCloud,
  scan: Cloud & { pulses: number },
  epoch: Epoch = simulatedTime,
): Uint8Array {
  const { fromNs, table, rows, pulses } = scan;
  const points = packPoints(cloud.layout, scan, 0n, epoch);
  const stamp = epoch.stamp(fromNs);
  if (cloud.grid === null)
    return rowsMessage(cloud, { stamp, rows, isDense: isDense(table, rows) }, points);
  const pulse = table.pulse?.subarray(0, rows);
  if (pulse === undefined) throw new TypeError("column 'pulse' is not there to be packed");
  const span = { firstPulse: firstPulseFrom(cloud.recipe, fromNs), pulses };
  return gridMessage({ ...cloud, grid: cloud.grid }, { stamp, pulse, span }, points);
}

/** A message of packed points, one after another. */
export function rowsMessage(
  { layout, frameId }: Pick<DriverCloud, 'layout' | 'frameId'>,
  { stamp, rows, isDense }: { stamp: RosTime; rows: number; isDense: boolean },
  points: Uint8Array,
): Uint8Array {
  return cloudOf(layout, { stamp, frameId, height: 1, width: rows, isDense }, points);
}

/** A message of packed points at the cells of their pulses. */
export function gridMessage(
  { layout, frameId, grid }: Pick<DriverCloud, 'layout' | 'frameId'> & { grid: CloudGrid },
  { stamp, pulse, span }: { stamp: RosTime; pulse: BigUint64Array; span: PulseSpan },
  points: Uint8Array,
): Uint8Array {
  const shape = { height: grid.grid.rows, width: gridWidth(grid.grid, span), isDense: false };
  const cells = organise(grid, layout.pointStep, points, pulse, span);
  return cloudOf(layout, { stamp, frameId, ...shape }, cells);
}

/** Which of so many returns are wanted, in order. */
type Choose = (returns: number) => Iterable<number>;

/** The returns of a cloud: where they are in the sensor's frame, and what else its driver states. */
export interface DriverPoints {
  fromNs: number;
  /** time_ns, ring, intensity, range_m (without a field: the distance), x_sensor_m, y_sensor_m, z_sensor_m. */
  table: ReturnTable;
  rows: number;
  /** Returns in the cloud. */
  returns: number;
}

interface CloudMessage {
  header: { stamp: RosTime };
  height: number;
  width: number;
  fields: PointField[];
  point_step: number;
  data: Uint8Array;
}

/**
 * The reverse of encodeDriverCloud, in the order of time.
 * @throws UnderstoryError 'corrupt' where fields and data do not agree
 */
export function decodeDriverCloud(
  bytes: Uint8Array,
  { layout }: Pick<DriverCloud, 'layout'>,
  epoch: Epoch = simulatedTime,
  choose: Choose = allOf,
): DriverPoints {
  const message = decodeRos<CloudMessage>('sensor_msgs/msg/PointCloud2', bytes);
  const { height, width, fields, point_step: pointStep } = message;
  const data = new Uint8Array(message.data); // a copy: aligned for the word views below
  const points = height * width;
  if (data.length !== pointStep * points) {
    throw new UnderstoryError('corrupt', 'a point cloud is not as long as its header says');
  }
  const valuesOf = (of: CloudField): ArrayLike<number> => {
    const field = fields.find(({ name }) => name === of.name);
    if (field === undefined) {
      throw new UnderstoryError('corrupt', `a point cloud has no field '${of.name}'`);
    }
    return unpackField(data.buffer, field, of.type, pointStep, points);
  };
  const ofColumn = (column: string): CloudField => {
    const field = layout.fields.find((known) => known.column === column);
    if (field === undefined) throw new TypeError(`the layout has no column '${column}'`);
    return field;
  };
  const x = valuesOf(ofColumn('x_sensor_m'));
  const time = ofColumn('time_ns');
  const since = valuesOf(time);
  const startOf = stampValue(message.header.stamp, time.factor ?? 1);
  const timeNs = (row: number): number => {
    const value = since[row] ?? 0;
    if (time.from === 'seconds') return Math.round(value * 1e9);
    // Absolute times are multiples of a fraction of a microsecond, and may be rounded to before the stamp.
    if (time.from === 'absolute') {
      return Math.max(0, Math.round((value - startOf) / (time.factor ?? 1)));
    }
    return value;
  };
  const hits = rowNumbers(points).filter((row) => !Number.isNaN(x[row]));
  if (height > 1) hits.sort((a, b) => timeNs(a) - timeNs(b) || a - b);
  const chosen = Uint32Array.from(choose(hits.length), (index) => hits[index] ?? 0);
  const fromNs = epoch.simulated(message.header.stamp);
  const f32 = (values: ArrayLike<number>): Float32Array<ArrayBuffer> =>
    Float32Array.from(chosen, (row) => values[row] ?? NaN);
  const unscaled = (column: string): number[] => {
    const field = ofColumn(column);
    const values = valuesOf(field);
    return Array.from(chosen, (row) => unscaledValue(values[row] ?? NaN, field));
  };
  const [y, z] = [valuesOf(ofColumn('y_sensor_m')), valuesOf(ofColumn('z_sensor_m'))];
  const hasRange = layout.fields.some(({ column }) => column === 'range_m');
  const rangesM = hasRange
    ? unscaled('range_m')
    : Array.from(chosen, (row) => Math.hypot(x[row] ?? NaN, y[row] ?? NaN, z[row] ?? NaN));
  const table: ReturnTable = {
    time_ns: BigInt64Array.from(chosen, (row) => BigInt(fromNs + timeNs(row))),
    ring: Uint16Array.from(unscaled('ring')),
    range_m: Float32Array.from(rangesM),
    intensity: Float32Array.from(unscaled('intensity')),
    x_sensor_m: f32(x),
    y_sensor_m: f32(y),
    z_sensor_m: f32(z),
  };
  return { fromNs, table, rows: chosen.length, returns: hits.length };
}

function* allOf(returns: number): Generator<number> {
  for (let index = 0; index < returns; index++) yield index;
}
