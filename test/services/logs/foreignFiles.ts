// Recordings as other programs write them: MCAP by the library of its authors, messages by the definitions of ROS 2,
// fields byte by byte after the drivers' sources; KITTI sequences after the benchmark's description. Nothing of the
// product's own writers is used.
import { McapWriter } from '@mcap/core';
import { ros2jazzy } from '@foxglove/rosmsg-msgs-common';
import { MessageWriter } from '@foxglove/rosmsg2-serialization';
import { mkdirSync, writeFileSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { basename, join } from 'node:path';
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

/** Writes messages of a type in CDR. */
export function writerOf(type: string): MessageWriter {
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

/** Writes an MCAP file, not compressed unless `options` of the library say how. */
export async function writeMcap(
  file: string,
  messages: readonly Message[],
  options: Omit<ConstructorParameters<typeof McapWriter>[0], 'writable'> = {},
): Promise<void> {
  const parts: Uint8Array[] = [];
  let size = 0n;
  const writer = new McapWriter({
    ...options,
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

export function stampOf(timeNs: number): { sec: number; nsec: number; nanosec: number } {
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
    twist: {
      twist: { linear: { x: 0, y: 0, z: 0 }, angular: { x: 0, y: 0, z: 0 } },
      covariance: new Array(36).fill(0),
    },
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

/** A pose of its own in a frame of the world, as of a positioning system. */
export function poseStamped(timeNs: number, pose: Pose): Message {
  const message = { header: { stamp: stampOf(timeNs), frame_id: 'map' }, pose: rosPose(pose) };
  return { topic: '/pose', type: 'geometry_msgs/msg/PoseStamped', timeNs, message };
}

type Get = (beam: TrueBeam) => number;
const inSensorAxis =
  (axis: 0 | 1 | 2): Get =>
  (beam) =>
    inSensor(beam)[axis];

/** Autoware's PointXYZIRC (no times), or PointXYZIRCAEDT. */
export function autowareCloud(
  beams: readonly TrueBeam[],
  stampNs: number,
  kind: 'xyzirc' | 'xyzircaedt',
): Message {
  const hits = beams.filter(({ rangeM }) => Number.isFinite(rangeM));
  const short: [string, number, Get][] = [
    ...(['x', 'y', 'z'] as const).map((name, axis): [string, number, Get] => {
      return [name, 7, inSensorAxis(axis as 0 | 1 | 2)];
    }),
    ['intensity', 2, ({ laser }) => 10 + laser],
    ['return_type', 2, () => 1],
    ['channel', 4, ({ laser }) => lasers - 1 - laser],
  ];
  const long: [string, number, Get][] = [
    ['azimuth', 7, ({ azimuthRad }) => azimuthRad],
    ['elevation', 7, ({ elevationRad }) => elevationRad],
    ['distance', 7, ({ rangeM }) => rangeM],
    ['time_stamp', 6, ({ timeNs }) => timeNs - stampNs],
  ];
  const columns = kind === 'xyzirc' ? short : [...short, ...long];
  return packed('/sensing/lidar/top', stampNs, hits, columns);
}

/** A cloud of Velodyne's driver in dual mode: each pulse twice, the second one `beyondM` behind and fainter. */
export function dualCloud(beams: readonly TrueBeam[], stampNs: number, beyondM: number): Message {
  const hits = beams.filter(({ rangeM }) => Number.isFinite(rangeM));
  const both = hits.flatMap((beam) => [
    { ...beam, column: 0 },
    { ...beam, rangeM: beam.rangeM + beyondM, column: 1 },
  ]);
  return packed('/velodyne_points', stampNs, both, [
    ...(['x', 'y', 'z'] as const).map((name, axis): [string, number, Get] => {
      return [name, 7, inSensorAxis(axis as 0 | 1 | 2)];
    }),
    ['intensity', 7, ({ column }) => (column === 0 ? 9 : 4)],
    ['ring', 4, ({ laser }) => laser],
    ['time', 7, ({ timeNs }) => (timeNs - stampNs) / 1e9],
  ]);
}

/** A cloud of one row with these fields: name, datatype of PointField, value. */
export function packed(
  topic: string,
  stampNs: number,
  beams: readonly TrueBeam[],
  columns: readonly [string, number, Get][],
): Message {
  const bytesOf: Record<number, number> = { 2: 1, 4: 2, 6: 4, 7: 4, 8: 8 };
  let step = 0;
  const fields = columns.map(([name, datatype]) => {
    const offset = step;
    step += bytesOf[datatype] ?? 0;
    return { name, offset, datatype };
  });
  const data = new Uint8Array(step * beams.length);
  const view = new DataView(data.buffer);
  for (const [row, beam] of beams.entries()) {
    for (const [column, { offset, datatype }] of fields.entries()) {
      const value = columns[column]?.[2](beam) ?? 0;
      const at = step * row + offset;
      if (datatype === 2) view.setUint8(at, value);
      else if (datatype === 4) view.setUint16(at, value, true);
      else if (datatype === 6) view.setUint32(at, value, true);
      else if (datatype === 8) view.setFloat64(at, value, true);
      else view.setFloat32(at, value, true);
    }
  }
  const shape = { height: 1, width: beams.length };
  return cloud(topic, 'velodyne', stampNs, { fields, step, data, ...shape });
}

/** A folder of rosbag2 with one SQLite file, by the tables that its storage plugin makes. */
export function writeBag(folder: string, messages: readonly Message[]): string {
  mkdirSync(folder, { recursive: true });
  const file = join(folder, `${basename(folder)}_0.db3`);
  const database = new DatabaseSync(file);
  database.exec(`
    CREATE TABLE schema(schema_version INTEGER PRIMARY KEY, ros_distro TEXT NOT NULL);
    CREATE TABLE metadata(id INTEGER PRIMARY KEY, metadata_version INTEGER NOT NULL, metadata TEXT NOT NULL);
    CREATE TABLE topics(id INTEGER PRIMARY KEY, name TEXT NOT NULL, type TEXT NOT NULL,
      serialization_format TEXT NOT NULL, offered_qos_profiles TEXT NOT NULL);
    CREATE TABLE messages(id INTEGER PRIMARY KEY, topic_id INTEGER NOT NULL, timestamp INTEGER NOT NULL, data BLOB NOT NULL);
    CREATE INDEX timestamp_idx ON messages (timestamp ASC);
    BEGIN`);
  const addTopic = database.prepare(
    'INSERT INTO topics(name, type, serialization_format, offered_qos_profiles) VALUES (?, ?, ?, ?)',
  );
  const add = database.prepare('INSERT INTO messages(topic_id, timestamp, data) VALUES (?, ?, ?)');
  const topics = new Map<string, { id: number | bigint; writer: MessageWriter }>();
  for (const { topic, type, timeNs, message } of messages) {
    let known = topics.get(topic);
    if (known === undefined) {
      const id = addTopic.run(topic, type, 'cdr', '').lastInsertRowid;
      topics.set(topic, (known = { id, writer: writerOf(type) }));
    }
    add.run(known.id, startNs + BigInt(timeNs), known.writer.writeMessage(message));
  }
  database.exec('COMMIT');
  database.close();
  writeFileSync(join(folder, 'metadata.yaml'), 'rosbag2_bagfile_information:\n  version: 9\n');
  return file;
}

/** x, y and z, and other fields of single precision, if any. */
export function plainCloud(
  points: readonly (readonly number[])[],
  stampNs: number,
  others: readonly string[] = [],
): Message {
  const data = new Uint8Array(new Float32Array(points.flat()).buffer);
  const names = ['x', 'y', 'z', ...others];
  const fields = names.map((name, index) => ({ name, offset: 4 * index, datatype: 7 }));
  const shape = { height: 1, width: points.length };
  return cloud('/points', 'velodyne', stampNs, { fields, step: 4 * names.length, data, ...shape });
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
