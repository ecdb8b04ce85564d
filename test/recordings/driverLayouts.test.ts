// Clouds in the fields of each driver: names, types and offsets as the public drivers have them, and the points that
// the importer of foreign recordings reads from them, in every legal variant of a PointCloud2.
import { describe, expect, it } from 'vitest';
import { type Driver, driverSchema } from '#contract/documents/sensor.ts';
import { cloudOfMessage, decodeRawCloud, layoutOf } from '#recordings/foreign/cloudMessage.ts';
import { driverLayout } from '#recordings/ros/driverFields.ts';
import { driverClouds, decodeDriverCloud, encodeDriverCloud } from '#recordings/ros/driverCloud.ts';
import { recordedEpoch } from '#recordings/ros/epoch.ts';
import { decodeRos, encodeRos } from '#recordings/ros/schemas.ts';
import { sampleCompiled } from './samples.ts';

const types = { u8: 2, u16: 4, u32: 6, f32: 7, f64: 8 };
type Expected = [name: string, offset: number, type: keyof typeof types][];
const xyzi: Expected = [
  ['x', 0, 'f32'],
  ['y', 4, 'f32'],
  ['z', 8, 'f32'],
  ['intensity', 12, 'f32'],
];
const stamped: Expected = [...xyzi, ['ring', 16, 'u16'], ['timestamp', 18, 'f64']];

/** By livox_ros_driver2 (lddc.cpp), rslidar_sdk, HesaiLidar_ROS_2.0 and autoware_point_types. */
const published: Partial<Record<Driver, { step: number; fields: Expected }>> = {
  livox: {
    step: 26,
    fields: [...xyzi, ['tag', 16, 'u8'], ['line', 17, 'u8'], ['timestamp', 18, 'f64']],
  },
  robosense: { step: 26, fields: stamped },
  hesai: { step: 26, fields: stamped },
  autoware: {
    step: 32,
    fields: [
      ...xyzi.slice(0, 3),
      ['intensity', 12, 'u8'],
      ['return_type', 13, 'u8'],
      ['channel', 14, 'u16'],
      ['azimuth', 16, 'f32'],
      ['elevation', 20, 'f32'],
      ['distance', 24, 'f32'],
      ['time_stamp', 28, 'u32'],
    ],
  },
};

const fromNs = 300_000_000;
const rows = 5;
const lasers = 4;
const column = (value: (row: number) => number) =>
  Float32Array.from({ length: rows }, (_, row) => value(row));
const table = {
  time_ns: BigInt64Array.from({ length: rows }, (_, row) => BigInt(fromNs + 1_234_567 * row)),
  pulse: BigUint64Array.from({ length: rows }, (_, row) => BigInt(row)),
  ring: Uint16Array.from({ length: rows }, (_, row) => row % lasers),
  return_no: new Uint8Array(rows).fill(1),
  intensity: column((row) => row / 10),
  azimuth_rad: column((row) => row / 7),
  elevation_rad: column((row) => -row / 9),
  range_m: column((row) => Math.hypot(row, 2, 3)),
  x_sensor_m: column((row) => row),
  y_sensor_m: column(() => 2),
  z_sensor_m: column(() => 3),
};

function encoded(driver: Driver) {
  const { scenario, sensors } = sampleCompiled();
  const [first] = sensors;
  if (first === undefined) throw new Error('no sensor');
  const rings = Array.from({ length: lasers }, (_, ring) => ring);
  const recipe = { ...first.recipe, banks: [{ elevationsRad: rings, rings }] };
  const recording = { ...scenario.recording, epoch: '2026-03-01T12:00:00Z' };
  const [cloud] = driverClouds({
    scenario: { ...scenario, recording },
    sensors: [{ ...first, recipe, driver }],
  });
  if (cloud === undefined) throw new Error('no cloud');
  const epoch = recordedEpoch({ recording });
  return {
    cloud,
    epoch,
    bytes: encodeDriverCloud(cloud, { fromNs, table, rows, pulses: rows }, epoch),
  };
}

describe.each(driverSchema.options)('clouds of %s', (driver) => {
  const { cloud, epoch, bytes } = encoded(driver);
  const message = decodeRawCloud(bytes);

  it('have the fields of the driver', () => {
    const expected = published[driver];
    if (expected === undefined) return;
    const found = message.fields.map(({ name, offset, datatype }) => [name, offset, datatype]);
    expect(found).toEqual(expected.fields.map(([name, at, type]) => [name, at, types[type]]));
    expect([message.point_step, message.data.length]).toEqual([
      expected.step,
      expected.step * rows,
    ]);
    expect(driverLayout({ driver, recipe: cloud.recipe }).pointStep).toBe(expected.step);
  });

  it('are read back, and by the importer', () => {
    const { table: back } = decodeDriverCloud(bytes, cloud, epoch);
    // Doubles of seconds since 1970 have steps of 240 ns, of nanoseconds 256 ns; floats of 5 ms steps of 0.5 ns.
    const stepNs = ['livox', 'robosense', 'hesai'].includes(driver) ? 256 : 1;
    for (const [row, timeNs] of (back.time_ns ?? []).entries()) {
      expect(Math.abs(Number(timeNs - (table.time_ns[row] ?? 0n)))).toBeLessThanOrEqual(stepNs);
    }
    expect(back.ring).toEqual(table.ring);
    expect(back.x_sensor_m).toEqual(table.x_sensor_m);
    const baseNs = epoch.logTime(0);
    const read = cloudOfMessage(bytes, 0, baseNs, {});
    expect(read.stampNs).toBe(fromNs);
    expect([...read.xM]).toEqual([...table.x_sensor_m]);
    for (const [row, timeNs] of (read.timeNs ?? []).entries()) {
      expect(Math.abs(timeNs - fromNs - 1_234_567 * row)).toBeLessThanOrEqual(stepNs + 1);
    }
    expect(new Set(read.laser).size).toBe(lasers);
    const known = driver === 'robosense' || driver === 'hesai' ? 'robosense or hesai' : driver;
    expect(layoutOf(message.fields)).toBe(known);
  });

  it.each([
    'big-endian',
    'without a row stride',
    'without strides',
    'with padding',
    'in two rows, padded',
  ])('are read %s', (variant) => {
    const plain = cloudOfMessage(bytes, 0, 0n, {});
    const other = cloudOfMessage(rewritten(bytes, variant), 0, 0n, {});
    const { height } = decodeRawCloud(rewritten(bytes, variant));
    expect(other).toEqual({ ...plain, isOrganised: height > 1 });
  });
});

/** The same points in another form that sensor_msgs/PointCloud2 allows. */
function rewritten(bytes: Uint8Array, variant: string): Uint8Array {
  const message = decodeRos<ReturnType<typeof decodeRawCloud>>(
    'sensor_msgs/msg/PointCloud2',
    bytes,
  );
  const { point_step: step, data } = message;
  if (variant === 'without a row stride') return encode({ ...message, row_step: 0 });
  if (variant === 'without strides') return encode({ ...message, row_step: 0, point_step: 0 });
  if (variant === 'big-endian') {
    const turned = data.slice();
    const sizes: Record<number, number> = { 2: 1, 4: 2, 6: 4, 7: 4, 8: 8 };
    for (let row = 0; row < rows; row++) {
      for (const { offset, datatype } of message.fields) {
        const at = row * step + offset;
        turned.subarray(at, at + (sizes[datatype] ?? 1)).reverse();
      }
    }
    return encode({ ...message, data: turned, is_bigendian: true });
  }
  // 6 bytes after each point, and 5 after each row.
  const height = variant.startsWith('in two') ? rows : 1;
  const width = rows / height;
  const wide = step + 6;
  const rowStep = wide * width + 5;
  const padded = new Uint8Array(rowStep * height).fill(0xa5);
  for (let row = 0; row < rows; row++) {
    const at = height === 1 ? row * wide : row * rowStep;
    padded.set(data.subarray(row * step, (row + 1) * step), at);
  }
  return encode({ ...message, height, width, point_step: wide, row_step: rowStep, data: padded });
}

function encode(message: object): Uint8Array {
  return encodeRos('sensor_msgs/msg/PointCloud2', message);
}
