// Frames, odometry, attitude and position fixes of a recording, as its schemas decode them.
import { McapIndexedReader } from '@mcap/core';
import { FileHandleReadable } from '@mcap/nodejs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { zstdDecompressSync } from 'node:zlib';
import { describe, expect, onTestFinished, test } from 'vitest';
import { createRecordings } from '#recordings/recordings.ts';
import { sensorFrames } from '#recordings/ros/frames.ts';
import { geodeticOf } from '#recordings/ros/geodetic.ts';
import { decodeRos, type RosType } from '#recordings/ros/schemas.ts';
import type { RecordingHeader } from '#services/ports/recordings.ts';
import { sampleHeader, sampleScan, sampleTick } from './samples.ts';
import { temporaryFolder } from '#test/support/folder.ts';

const recordings = createRecordings();
const decompressHandlers = { zstd: (bytes: Uint8Array) => zstdDecompressSync(bytes) };

type Scene = Partial<RecordingHeader['compiled']['scenario']['scene']>;

/** The sample with another origin or CRS, and with an epoch. */
function headerOf(scene: Scene, epoch?: string): RecordingHeader {
  const header = sampleHeader();
  const { scenario } = header.compiled;
  const changed = {
    ...scenario,
    scene: { ...scenario.scene, ...scene },
    ...(epoch !== undefined && { recording: { epoch } }),
  };
  return { ...header, compiled: { ...header.compiled, scenario: changed } };
}

const covariance = Array.from({ length: 36 }, (_, i) => i / 100);

async function record(header: RecordingHeader): Promise<string> {
  const file = join(temporaryFolder(), 'run.mcap');
  const writer = await recordings.create(file, header);
  for (const tick of [0, 1]) {
    const fromNs = tick * 1e8;
    await writer.readings({
      imu: [0, 5e7].map((ns) => ({
        timeNs: fromNs + ns,
        rotation: [0, 0, 0, 1],
        angularRadPerS: [0.1, 0.2, 0.3],
        specificForceMPerS2: [1, 2, 9],
      })),
      fixes: [{ timeNs: fromNs + 1e7, positionM: [0.5, 0.25, 3] }],
    });
    await writer.scan(sampleScan(tick, 0, 40));
    await writer.tick(sampleTick(tick), {
      trueAngularRadPerS: [0.01, 0.02, 0.03],
      estimate: {
        linearMPerS: [1.5, 0, 0],
        angularRadPerS: [0, 0, 0.25],
        poseCovariance: covariance,
        twistCovariance: covariance.map((value) => 2 * value),
      },
    });
    const { timeNs } = sampleTick(tick);
    await writer.command({ timeNs, actsNs: timeNs + 1e8, speedMPerS: 1, yawRateRadPerS: 0.5 });
    const cost = new Uint8Array(400);
    await writer.map({ geometry: { cells: 20, cellM: 0.1, originM: [0, 0] }, timeNs, cost });
    await writer.path({ timeNs, xM: Float32Array.of(1), yM: Float32Array.of(2) });
  }
  await writer.close();
  return file;
}

interface Message {
  topic: string;
  type: RosType;
  logTime: bigint;
  data: Uint8Array;
}

async function messagesOf(file: string, topic?: string): Promise<Message[]> {
  const handle = await open(file);
  onTestFinished(() => handle.close());
  const readable = new FileHandleReadable(handle);
  const reader = await McapIndexedReader.Initialize({ readable, decompressHandlers });
  const messages: Message[] = [];
  for await (const { channelId, logTime, data } of reader.readMessages(
    topic === undefined ? {} : { topics: [topic] },
  )) {
    const channel = reader.channelsById.get(channelId);
    const type = reader.schemasById.get(channel?.schemaId ?? -1)?.name as RosType;
    messages.push({ topic: channel?.topic ?? '', type, logTime, data: data.slice() });
  }
  return messages;
}

async function decoded<T>(file: string, topic: string): Promise<T[]> {
  return (await messagesOf(file, topic)).map(({ type, data }) => decodeRos<T>(type, data));
}

interface Vector {
  x: number;
  y: number;
  z: number;
}

interface Transforms {
  transforms: {
    header: { frame_id: string };
    child_frame_id: string;
    transform: { translation: Vector };
  }[];
}

describe('frames', () => {
  test('are one tree: each has one parent, and all lead to the root', async () => {
    const file = await record(headerOf({ origin: [500_000, 5_400_000, 300] }));
    const parents = new Map<string, string>();
    for (const { transforms } of [
      ...(await decoded<Transforms>(file, '/tf_static')),
      ...(await decoded<Transforms>(file, '/tf')),
    ]) {
      for (const { header, child_frame_id: child } of transforms) {
        expect(parents.get(child) ?? header.frame_id).toBe(header.frame_id);
        parents.set(child, header.frame_id);
      }
    }
    expect(Object.fromEntries(parents)).toEqual({
      map: 'world',
      odom: 'map',
      base_link: 'odom',
      base_link_truth: 'map',
      'vlp-16': 'base_link',
      'front.scanner': 'base_link',
    });
  });

  test('place the scene in the world where it has an origin', async () => {
    const origin: [number, number, number] = [500_000.5, 5_400_000.25, 300];
    const [far] = await decoded<Transforms>(await record(headerOf({ origin })), '/tf_static');
    const found = far?.transforms.find(({ child_frame_id: child }) => child === 'map');
    expect(found?.transform.translation).toEqual({ x: origin[0], y: origin[1], z: origin[2] });
    const [near] = await decoded<Transforms>(await record(headerOf({})), '/tf_static');
    expect(near?.transforms.map(({ child_frame_id: child }) => child)).not.toContain('map');
  });

  test('of sensors never have the name of another frame', () => {
    expect(sensorFrames(['roof', 'map', 'map_sensor'])).toEqual([
      'roof',
      'map_sensor',
      'map_sensor_sensor',
    ]);
  });
});

test('odometry has the frames of REP-105, speeds and covariances', async () => {
  const file = await record(headerOf({}));
  const [odom] = await decoded<object>(file, '/odom');
  expect(odom).toMatchObject({
    header: { frame_id: 'odom' },
    child_frame_id: 'base_link',
    pose: { covariance: Float64Array.from(covariance) },
    twist: {
      twist: { linear: { x: 1.5, y: 0, z: 0 }, angular: { x: 0, y: 0, z: 0.25 } },
      covariance: Float64Array.from(covariance, (value) => 2 * value),
    },
  });
  const [truth] = await decoded<object>(file, '/ground_truth/odom');
  expect(truth).toMatchObject({
    header: { frame_id: 'map' },
    child_frame_id: 'base_link_truth',
    twist: {
      twist: { linear: { x: sampleTick(0).speedMPerS }, angular: { x: 0.01, y: 0.02, z: 0.03 } },
    },
  });
});

test('attitudes are logged at their own times, with the variance of the compass', async () => {
  const file = await record(headerOf({}));
  const messages = await messagesOf(file, '/imu/data');
  expect(messages.map(({ logTime }) => Number(logTime))).toEqual([0, 5e7, 1e8, 1.5e8]);
  const variance = (0.3 * (Math.PI / 180)) ** 2; // the vehicle's default, in degrees
  expect(decodeRos('sensor_msgs/msg/Imu', messages[1]?.data ?? new Uint8Array())).toMatchObject({
    header: { frame_id: 'base_link', stamp: { sec: 0, nanosec: 5e7 } },
    orientation_covariance: Float64Array.of(variance, 0, 0, 0, variance, 0, 0, 0, variance),
    angular_velocity: { x: 0.1, y: 0.2, z: 0.3 },
    linear_acceleration: { x: 1, y: 2, z: 9 },
  });
});

interface Fix {
  latitude: number;
  longitude: number;
  altitude: number;
  position_covariance: Float64Array;
}

test('fixes are in latitude and longitude where the scene has a CRS', async () => {
  const scene = { origin: [500_000, 0, 100] as [number, number, number], crs: 'EPSG:32632' };
  const [fix] = await decoded<Fix>(await record(headerOf(scene)), '/gps/fix');
  // Near the equator on the central meridian (9° east, scale 0.9996): a degree of longitude is π·a/180, one of latitude
  // π·a·(1 − e²)/180.
  const [aM, flattening] = [6_378_137, 1 / 298.257223563];
  const degreeM = (Math.PI * aM * 0.9996) / 180;
  expect(fix?.longitude).toBeCloseTo(9 + 0.5 / degreeM, 9);
  expect(fix?.latitude).toBeCloseTo(0.25 / (degreeM * (1 - flattening) ** 2), 9);
  expect(fix?.altitude).toBe(103);
  expect(fix?.position_covariance[0]).toBeCloseTo(0.05 ** 2, 12);
  expect(await messagesOf(await record(headerOf({})), '/gps/fix')).toHaveLength(0);
});

test.each(['EPSG:32632', 'EPSG:25832'])('latitude 45 on the central meridian of %s', (crs) => {
  // The meridian's arc from the equator to 45° (WGS 84 and GRS 80 agree to 0.1 mm): 4,984,944.378 m.
  const place = geodeticOf(crs)?.([500_000, 0.9996 * 4_984_944.378, 0]);
  expect(place?.longitudeDeg).toBeCloseTo(9, 9);
  expect(place?.latitudeDeg).toBeCloseTo(45, 8);
});

test('what is no CRS that is known here gives no fixes', () => {
  expect(geodeticOf(undefined)).toBeNull();
  expect(geodeticOf('EPSG:31467')).toBeNull();
  expect(geodeticOf('EPSG:32699')).toBeNull();
});

/** A message without its stamps. */
function timeless(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || ArrayBuffer.isView(value)) return value;
  if (Array.isArray(value)) return value.map(timeless);
  const entries = Object.entries(value).filter(
    ([name]) => !/^(stamp|clock|map_load_time)$/.test(name),
  );
  return Object.fromEntries(entries.map(([name, inner]) => [name, timeless(inner)]));
}

describe('an epoch', () => {
  const epoch = '2026-11-22T12:00:00.250+01:00';
  const epochNs = BigInt(Date.UTC(2026, 10, 22, 11, 0, 0, 250)) * 1_000_000n;

  test('shifts stamps and log times, and changes no other byte of a message', async () => {
    const plain = await messagesOf(await record(headerOf({})));
    const shifted = await messagesOf(await record(headerOf({}, epoch)));
    expect(shifted.map(({ topic }) => topic)).toEqual(plain.map(({ topic }) => topic));
    let stamps = 0;
    for (const [index, { topic, type, logTime, data }] of shifted.entries()) {
      const other = plain[index];
      expect(logTime - (other?.logTime ?? 0n), topic).toBe(epochNs);
      expect(data).toHaveLength(other?.data.length ?? NaN);
      const [here, there] = [data, other?.data ?? new Uint8Array()].map((bytes) =>
        decodeRos<{ header?: { stamp: { sec: number; nanosec: number } } }>(type, bytes),
      );
      expect(timeless(here)).toEqual(timeless(there));
      if (here?.header === undefined || there?.header === undefined) continue;
      const nsOf = ({ sec, nanosec }: { sec: number; nanosec: number }): bigint =>
        BigInt(sec) * 1_000_000_000n + BigInt(nanosec);
      expect(nsOf(here.header.stamp) - nsOf(there.header.stamp), topic).toBe(epochNs);
      stamps += 1;
    }
    expect(stamps).toBeGreaterThan(12);
  });

  test('is taken off again by every reader', async () => {
    const files = [await record(headerOf({})), await record(headerOf({}, epoch))];
    const contents = await Promise.all(
      files.map(async (file) => {
        const reader = await recordings.open(file);
        const entries = await Array.fromAsync(reader.entries());
        await reader.close();
        const snapshots = await recordings.openSnapshots(file);
        const shown = await snapshots.at(1.5e8, { maxPoints: 10 });
        const { lastTimeNs } = snapshots;
        const maps = await Array.fromAsync(snapshots.maps());
        await snapshots.close();
        const metadata = await recordings.openMetadata(file);
        const scan = await metadata.scan(metadata.scans[1] ?? sampleScan(1));
        await metadata.close();
        const recovered = await recordings.recover(file);
        return { entries, shown, lastTimeNs, maps, scan, at: recovered.lastTimeNs };
      }),
    );
    expect(contents[1]).toEqual(contents[0]);
    expect(contents[0]?.entries).toHaveLength(10);
    expect(contents[0]?.lastTimeNs).toBe(2e8);
    expect(contents[0]?.shown?.tick.tick).toBe(0);
  });
});
