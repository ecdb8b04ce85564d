// Recordings as other programs write them: MCAP by the library of its authors, messages by the definitions of ROS 2,
// fields byte by byte after the drivers' sources; KITTI sequences after the benchmark's description. Nothing of the
// product's own writers is used.
import { McapWriter } from '@mcap/core';
import { ros2jazzy } from '@foxglove/rosmsg-msgs-common';
import { MessageWriter } from '@foxglove/rosmsg2-serialization';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Pose } from '#contract/host/run.ts';
import { inSensor, lasers, columns, type TrueBeam } from './room.ts';

type Definition = ConstructorParameters<typeof MessageWriter>[0][number];
const all = ros2jazzy as Record<string, Definition>;

/** The wall time of the first cloud. */
export const startNs = 1_700_000_000_000_000_000n;

export interface Message {
  topic: string;
  type: string;
  timeNs: number;
  message: unknown;
}

function writerOf(type: string): MessageWriter {
  const found: Definition[] = [];
  const visit = (name: string): void => {
    const definition = all[name];
    if (definition === undefined || found.includes(definition)) return;
    found.push(definition);
    for (const field of definition.definitions) if (field.isComplex === true) visit(field.type);
  };
  visit(type.replace('/msg/', '/'));
  return new MessageWriter(found);
}

/** Writes an MCAP file, not compressed. */
export async function writeMcap(file: string, messages: readonly Message[]): Promise<void> {
  const parts: Uint8Array[] = [];
  let size = 0n;
  const writer = new McapWriter({
    writable: {
      write: (bytes) => {
        parts.push(bytes.slice());
        size += BigInt(bytes.length);
        return Promise.resolve();
      },
      position: () => size,
    },
  });
  await writer.start({ profile: 'ros2', library: 'test' });
  const channels = new Map<string, { id: number; writer: MessageWriter }>();
  const ordered = [...messages].sort((a, b) => a.timeNs - b.timeNs);
  for (const [sequence, { topic, type, timeNs, message }] of ordered.entries()) {
    let channel = channels.get(topic);
    if (channel === undefined) {
      const data = new TextEncoder().encode('');
      const schemaId = await writer.registerSchema({ name: type, encoding: 'ros2msg', data });
      const id = await writer.registerChannel({
        schemaId,
        topic,
        messageEncoding: 'cdr',
        metadata: new Map(),
      });
      channels.set(topic, (channel = { id, writer: writerOf(type) }));
    }
    const time = startNs + BigInt(timeNs);
    const data = channel.writer.writeMessage(message);
    const stamps = { logTime: time, publishTime: time };
    await writer.addMessage({ channelId: channel.id, sequence, ...stamps, data });
  }
  await writer.end();
  writeFileSync(file, Buffer.concat(parts));
}

function stampOf(timeNs: number): { sec: number; nsec: number; nanosec: number } {
  const time = startNs + BigInt(timeNs);
  const nsec = Number(time % 1_000_000_000n);
  return { sec: Number(time / 1_000_000_000n), nsec, nanosec: nsec };
}

function rosPose({ positionM, rotation }: Pose): {
  position: { x: number; y: number; z: number };
  orientation: { x: number; y: number; z: number; w: number };
} {
  const [x, y, z] = positionM;
  const [qx, qy, qz, qw] = rotation;
  return { position: { x, y, z }, orientation: { x: qx, y: qy, z: qz, w: qw } };
}

/** One transform of /tf or /tf_static. */
export function tf(
  parent: string,
  child: string,
  timeNs: number,
  pose: Pose,
  topic = '/tf',
): Message {
  const { position, orientation } = rosPose(pose);
  const transforms = [
    {
      header: { stamp: stampOf(timeNs), frame_id: parent },
      child_frame_id: child,
      transform: { translation: position, rotation: orientation },
    },
  ];
  return { topic, type: 'tf2_msgs/msg/TFMessage', timeNs, message: { transforms } };
}

export function odometry(timeNs: number, pose: Pose, child = 'velodyne'): Message {
  const message = {
    header: { stamp: stampOf(timeNs), frame_id: 'odom' },
    child_frame_id: child,
    pose: { pose: rosPose(pose), covariance: new Array(36).fill(0) },
    twist: { covariance: new Array(36).fill(0) },
  };
  return { topic: '/odometry', type: 'nav_msgs/msg/Odometry', timeNs, message };
}

/** A cloud of ouster_ros (profile original): a grid; cells without a return are zeros. Rings count from the highest. */
export function ousterCloud(beams: readonly TrueBeam[], stampNs: number): Message {
  const step = 48;
  const data = new Uint8Array(step * lasers * columns);
  const view = new DataView(data.buffer);
  for (const beam of beams) {
    const ring = lasers - 1 - beam.laser;
    const at = step * (ring * columns + beam.column);
    view.setUint32(at + 20, beam.timeNs - stampNs, true);
    view.setUint16(at + 26, ring, true);
    if (!Number.isFinite(beam.rangeM)) continue;
    for (const [axis, m] of inSensor(beam).entries()) view.setFloat32(at + 4 * axis, m, true);
    view.setFloat32(at + 16, 100 + beam.laser, true);
    view.setUint32(at + 32, Math.round(beam.rangeM * 1000), true);
  }
  const fields = [
    ...(['x', 'y', 'z'] as const).map((name, axis) => ({ name, offset: 4 * axis, datatype: 7 })),
    { name: 'intensity', offset: 16, datatype: 7 },
    { name: 't', offset: 20, datatype: 6 },
    { name: 'reflectivity', offset: 24, datatype: 4 },
    { name: 'ring', offset: 26, datatype: 4 },
    { name: 'ambient', offset: 28, datatype: 4 },
    { name: 'range', offset: 32, datatype: 6 },
  ];
  return cloud('/ouster/points', 'os_lidar', stampNs, {
    fields,
    step,
    data,
    height: lasers,
    width: columns,
  });
}

/** A cloud of velodyne_pointcloud (XYZIRT): returns alone, `time` in seconds since the stamp. */
export function velodyneCloud(beams: readonly TrueBeam[], stampNs: number): Message {
  const step = 22;
  const hits = beams.filter(({ rangeM }) => Number.isFinite(rangeM));
  const data = new Uint8Array(step * hits.length);
  const view = new DataView(data.buffer);
  for (const [index, beam] of hits.entries()) {
    const at = step * index;
    for (const [axis, m] of inSensor(beam).entries()) view.setFloat32(at + 4 * axis, m, true);
    view.setFloat32(at + 12, 7, true);
    view.setUint16(at + 16, beam.laser, true);
    view.setFloat32(at + 18, (beam.timeNs - stampNs) / 1e9, true);
  }
  const fields = [
    ...(['x', 'y', 'z', 'intensity'] as const).map((name, axis) => {
      return { name, offset: 4 * axis, datatype: 7 };
    }),
    { name: 'ring', offset: 16, datatype: 4 },
    { name: 'time', offset: 18, datatype: 7 },
  ];
  const shape = { height: 1, width: hits.length };
  return cloud('/velodyne_points', 'velodyne', stampNs, { fields, step, data, ...shape });
}

/** x, y and z alone. */
export function plainCloud(points: readonly (readonly number[])[], stampNs: number): Message {
  const data = new Uint8Array(new Float32Array(points.flat()).buffer);
  const fields = ['x', 'y', 'z'].map((name, axis) => ({ name, offset: 4 * axis, datatype: 7 }));
  const shape = { height: 1, width: points.length };
  return cloud('/points', 'velodyne', stampNs, { fields, step: 12, data, ...shape });
}

function cloud(
  topic: string,
  frame: string,
  stampNs: number,
  layout: {
    fields: { name: string; offset: number; datatype: number }[];
    step: number;
    data: Uint8Array;
    height: number;
    width: number;
  },
): Message {
  const { fields, step, data, height, width } = layout;
  const message = {
    header: { stamp: stampOf(stampNs), frame_id: frame },
    height,
    width,
    fields: fields.map((field) => ({ ...field, count: 1 })),
    is_bigendian: false,
    point_step: step,
    row_step: step * width,
    data,
    is_dense: false,
  };
  return { topic, type: 'sensor_msgs/msg/PointCloud2', timeNs: stampNs, message };
}

/** A sequence of KITTI odometry. `poses`: worldFromSensor of each frame; `frames`: points in the sensor's frame. */
export function writeKitti(
  folder: string,
  poses: readonly Pose[],
  frames: readonly (readonly (readonly [number, number, number, number])[])[],
  timesS: readonly number[],
): void {
  mkdirSync(join(folder, 'velodyne'), { recursive: true });
  for (const [frame, points] of frames.entries()) {
    const bytes = new Uint8Array(new Float32Array(points.flat()).buffer);
    writeFileSync(join(folder, 'velodyne', `${String(frame).padStart(6, '0')}.bin`), bytes);
  }
  // cameraFromSensor of the benchmark, rounded: x right, y down, z ahead, 8 cm above and 27 cm behind.
  const tr = [
    [0, -1, 0, 0],
    [0, 0, -1, -0.08],
    [1, 0, 0, -0.27],
  ];
  const text = (rows: readonly (readonly number[])[]): string => rows.flat().join(' ');
  writeFileSync(join(folder, 'calib.txt'), `P0: 1 0 0 0 0 1 0 0 0 0 1 0\nTr: ${text(tr)}\n`);
  const back = inverse(tr);
  const lines = poses.map((pose) => text(product(product(tr, matrixOf(pose)), back)));
  writeFileSync(join(folder, 'poses.txt'), `${lines.join('\n')}\n`);
  writeFileSync(join(folder, 'times.txt'), `${timesS.join('\n')}\n`);
}

type Rows = readonly (readonly number[])[];

function matrixOf({ positionM, rotation: [x, y, z, w] }: Pose): Rows {
  return [
    [1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w), positionM[0]],
    [2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w), positionM[1]],
    [2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y), positionM[2]],
  ];
}

function product(a: Rows, b: Rows): Rows {
  return a.map((row) =>
    [0, 1, 2, 3].map((column) => {
      const sum = [0, 1, 2].reduce((s, k) => s + (row[k] ?? 0) * (b[k]?.[column] ?? 0), 0);
      return sum + (column === 3 ? (row[3] ?? 0) : 0);
    }),
  );
}

function inverse(rows: Rows): Rows {
  return [0, 1, 2].map((axis) => {
    const column = rows.map((row) => row[axis] ?? 0);
    const shift = -rows.reduce((sum, row, k) => sum + (column[k] ?? 0) * (row[3] ?? 0), 0);
    return [...column, shift];
  });
}
