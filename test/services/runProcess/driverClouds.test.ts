// The clouds of a recorded motion, as a program for ROS reads them: the points of the driver's cloud, moved by the
// recorded transforms to the time of each, are those of the cloud with ground truth.
import { McapIndexedReader } from '@mcap/core';
import { FileHandleReadable } from '@mcap/nodejs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { zstdDecompressSync } from 'node:zlib';
import { expect, it, onTestFinished } from 'vitest';
import type { Pose, TickRecord } from '#contract/host/run.ts';
import { compose, quaternionOf, rotate, slerped } from '#domain/shared/pose.ts';
import { hashedColumnsOf, recordedColumnsOf } from '#domain/sensor/recordedColumns.ts';
import { createNodeFiles } from '#hosts/node/nodeFiles.ts';
import { assetsFolder } from '#hosts/packageFolders.ts';
import { createRecordings } from '#recordings/recordings.ts';
import { coordinateStepM } from '#recordings/ros/driverFields.ts';
import { decodeRos } from '#recordings/ros/schemas.ts';
import { drivenMotion } from '#services/bench/slowSensor.ts';
import { createDocuments } from '#services/documents/documents.ts';
import { createDriveRecorder } from '#services/runProcess/recordDrive.ts';
import { senseTick } from '#services/runProcess/sensing.ts';
import { temporaryFolder } from '#test/support/folder.ts';
import { openWorker } from '#test/workers/realWorker.ts';

const scenario = fileURLToPath(new URL('../../interop/yard.understory.yaml', import.meta.url));
const recordings = createRecordings();
const decompressHandlers = { zstd: (bytes: Uint8Array) => zstdDecompressSync(bytes) };
const tickNs = 5e7;

/** A curve, uphill. */
function tickAt(tick: number): TickRecord {
  const t = tick + 1;
  const truth: Pose = {
    positionM: [0.1 * t, 0.02 * t * t, 0.03 * t],
    rotation: quaternionOf({ yawRad: 0.05 * t, pitchRad: -0.02 * t, rollRad: 0.01 * t }),
  };
  return {
    tick,
    timeNs: t * tickNs,
    truth,
    estimate: truth,
    speedMPerS: 2,
    distanceToGoalM: 5,
    collisions: 0,
    activity: 'driving',
  };
}

/** A recording of some ticks with a sensor of the samples. */
async function record(sensor: string, settings: string[] = []): Promise<string> {
  const documents = createDocuments({ files: createNodeFiles({ assetsFolder }) });
  const loaded = await documents.compile(scenario, { settings }, { sensor });
  const { compiled, heights } = loaded;
  const { worker } = await openWorker(loaded);
  const file = join(temporaryFolder(), 'run.mcap');
  const writer = await recordings.create(file, {
    compiled,
    heights,
    classes: compiled.recipe.classes,
    isa: worker.hello.isa,
    understoryVersion: '0',
    engine: 'e',
  });
  const recorder = createDriveRecorder(writer, recordedColumnsOf(compiled), {
    check: () => undefined,
  });
  try {
    for (const tick of [0, 1, 2]) {
      const motion = drivenMotion(tickAt(tick - 1), tickAt(tick));
      const { scans } = await senseTick(worker, compiled.sensors, motion, null, {
        seed: 1,
        hashColumns: hashedColumnsOf(compiled),
        viewPoints: 0,
        columns: null,
        packingsOf: (scan) => recorder.packings(scan),
        signal: new AbortController().signal,
      });
      const { truth, ...tickRecord } = tickAt(tick);
      const sensorPoses = compiled.sensors.map(({ mount }) => compose(truth, mount));
      const map = { geometry: { cells: 1, cellM: 1, originM: [0, 0] as [number, number] } };
      await recorder.record({
        record: { ...tickRecord, truth },
        fromNs: motion.fromNs,
        scans,
        sensorPoses,
        command: { speedMPerS: 0, yawRateRadPerS: 0 },
        path: null,
        steps: { timesNs: motion.timesNs.slice(0, -1), poses: motion.poses.slice(0, -1) },
        map: { ...map, cost: Uint8Array.of(0) },
      });
    }
  } finally {
    await recorder.close();
  }
  return file;
}

interface CloudMessage {
  header: { stamp: { sec: number; nanosec: number }; frame_id: string };
  height: number;
  width: number;
  fields: { name: string; offset: number; datatype: number; count: number }[];
  point_step: number;
  row_step: number;
  data: Uint8Array;
  is_dense: boolean;
}

interface Cloud extends CloudMessage {
  stampNs: number;
  /** Values of a field, point by point. */
  values: (name: string) => number[];
}

function cloudOf(data: Uint8Array): Cloud {
  const message = decodeRos<CloudMessage>('sensor_msgs/msg/PointCloud2', data.slice());
  const { fields, height, width, point_step: step, data: points } = message;
  const view = new DataView(points.buffer, points.byteOffset, points.byteLength);
  expect(points).toHaveLength(height * width * step);
  expect(message.row_step).toBe(width * step);
  const values = (name: string): number[] => {
    const field = fields.find((known) => known.name === name);
    if (field === undefined) throw new Error(`there is no field ${name}`);
    const at = (row: number): number => row * step + field.offset;
    const read = (row: number): number => {
      if (field.datatype === 7) return view.getFloat32(at(row), true);
      if (field.datatype === 6) return view.getUint32(at(row), true);
      return field.datatype === 4 ? view.getUint16(at(row), true) : view.getUint8(at(row));
    };
    return Array.from({ length: height * width }, (_, row) => read(row));
  };
  const { sec, nanosec } = message.header.stamp;
  return { ...message, stampNs: sec * 1e9 + nanosec, values };
}

interface Transforms {
  transforms: {
    header: { stamp: { sec: number; nanosec: number }; frame_id: string };
    child_frame_id: string;
    transform: {
      translation: { x: number; y: number; z: number };
      rotation: { x: number; y: number; z: number; w: number };
    };
  }[];
}

interface Played {
  driver: Cloud[];
  truth: Cloud[];
  /** base_link → sensor, and map → base_link_truth by time. */
  mount: { frame: string; pose: Pose };
  ends: Map<number, Pose>;
}

/** Messages that a player of the file publishes. */
async function play(file: string): Promise<Played> {
  const handle = await open(file);
  onTestFinished(() => handle.close());
  const readable = new FileHandleReadable(handle);
  const reader = await McapIndexedReader.Initialize({ readable, decompressHandlers });
  const played: Omit<Played, 'mount'> = { driver: [], truth: [], ends: new Map() };
  let mount: Played['mount'] | null = null;
  for await (const { channelId, data } of reader.readMessages()) {
    const topic = reader.channelsById.get(channelId)?.topic ?? '';
    if (topic.endsWith('/points')) played.driver.push(cloudOf(data));
    if (topic.endsWith('/points_truth')) played.truth.push(cloudOf(data));
    if (topic !== '/tf' && topic !== '/tf_static') continue;
    const { transforms } = decodeRos<Transforms>('tf2_msgs/msg/TFMessage', data.slice());
    for (const { header, child_frame_id: child, transform } of transforms) {
      const { translation: at, rotation: turn } = transform;
      const pose: Pose = {
        positionM: [at.x, at.y, at.z],
        rotation: [turn.x, turn.y, turn.z, turn.w],
      };
      if (header.frame_id === 'base_link') mount = { frame: child, pose };
      if (child !== 'base_link_truth') continue;
      played.ends.set(header.stamp.sec * 1e9 + header.stamp.nanosec, pose);
    }
  }
  if (mount === null) throw new Error('the sensor has no place on the vehicle');
  return { ...played, mount };
}

/** Where a point of the driver's cloud is in `map`, by the transforms. */
function inMap({ ends, mount }: Played, timeNs: number, point: [number, number, number]) {
  const fromNs = Math.floor(timeNs / tickNs) * tickNs;
  const [from, to] = [ends.get(fromNs), ends.get(fromNs + tickNs)];
  if (from === undefined || to === undefined) throw new Error(`no transform at ${timeNs}`);
  const share = (timeNs - fromNs) / tickNs;
  const pose = slerped(compose(from, mount.pose), compose(to, mount.pose), share);
  const [x, y, z] = rotate(pose.rotation, point);
  return [pose.positionM[0] + x, pose.positionM[1] + y, pose.positionM[2] + z] as const;
}

const halfUlp = 2 ** -24; // of a float, relative
/** A turn mixes the three coordinates of a point, each off by at most half a step. */
const stepping = (Math.sqrt(3) * coordinateStepM) / 2;

it.each(['hdl-64e', 'vls-128', 'os1-128'])(
  'points of %s moved by the transforms are those of ground truth',
  async (sensor) => {
    const file = await record(sensor);
    const played = await play(file);
    const reader = await recordings.open(file);
    const scans = await Array.fromAsync(reader.scans());
    await reader.close();
    expect(played.driver).toHaveLength(3);
    expect(played.truth).toHaveLength(3);
    let compared = 0;
    // The start has a transform, too: the first cloud can be placed.
    for (const index of [0, 1, 2]) {
      const [driver, truth] = [played.driver[index] as Cloud, played.truth[index] as Cloud];
      expect(driver.header.frame_id).toBe(played.mount.frame);
      expect(driver.header.stamp).toEqual(truth.header.stamp);
      expect([driver.height, driver.width, driver.is_dense]).toEqual([1, truth.width, true]);
      const isOuster = sensor.startsWith('os');
      const times = isOuster
        ? driver.values('t')
        : driver.values('time').map((seconds) => seconds * 1e9);
      const [x, y, z] = ['x', 'y', 'z'].map((name) => driver.values(name)) as [
        number[],
        number[],
        number[],
      ];
      const [wx, wy, wz] = ['x', 'y', 'z'].map((name) => truth.values(name)) as [
        number[],
        number[],
        number[],
      ];
      for (const [row, time] of times.entries()) {
        // Lasers that fire one after another may do so after the tick's last transform.
        if (time > tickNs) continue;
        const point: [number, number, number] = [x[row] ?? NaN, y[row] ?? NaN, z[row] ?? NaN];
        const rangeM = Math.hypot(...point);
        const expected = [wx[row] ?? NaN, wy[row] ?? NaN, wz[row] ?? NaN];
        const found = inMap(played, driver.stampNs + time, point);
        for (const axis of [0, 1, 2] as const) {
          // Rounding of the point in both clouds (a turn mixes the three coordinates of one), and of the time: with
          // 2.5 m/s and 1.2 rad/s. A point that was placed by one pose a tick would be off by 0.1 m.
          const rounding = halfUlp * (Math.sqrt(3) * rangeM + Math.abs(expected[axis] ?? NaN));
          const timing = halfUlp * time * 1e-9 * (2.5 + 1.2 * rangeM);
          const bound = rounding + timing + stepping + 1e-9;
          if (!(Math.abs(found[axis] - (expected[axis] ?? NaN)) <= bound)) {
            expect.fail(`tick ${index}, point ${row}: ${found.join()} for ${expected.join()}`);
          }
        }
        compared += 1;
      }
      // Other fields of the drivers.
      // The VLS-128 reports bytes itself; of others they are rounded.
      const scale = sensor === 'vls-128' ? 1 : 255;
      const exactly = truth.values('intensity').map((value) => scale * value);
      for (const [row, found] of driver.values('intensity').entries()) {
        const exact = exactly[row] ?? NaN;
        if (!(Number.isInteger(found) && Math.abs(found - exact) <= 0.5)) {
          expect.fail(`intensity ${found} for ${exact}`);
        }
      }
      // Truth has no field for what follows from its pulses; readers give it.
      const { time_ns: timesNs, ring, azimuth_rad: azimuth } = scans[index]?.table ?? {};
      const rings = [...(ring ?? [])];
      const fields = truth.fields.map(({ name }) => name);
      expect(fields.filter((name) => ['t', 'ring', 'azimuth'].includes(name))).toEqual([]);
      expect(azimuth).toHaveLength(truth.width);
      expect(driver.values('ring')).toEqual(isOuster ? rings.map((ring) => 127 - ring) : rings);
      if (!isOuster) continue;
      const since = [...(timesNs ?? [])].map((timeNs) => Number(timeNs) - driver.stampNs);
      expect(driver.values('t')).toEqual(since);
      const ranges = truth.values('range').map((m) => Math.floor(1000 * m + 0.5));
      expect(driver.values('range')).toEqual(ranges);
      expect(new Set(driver.values('ambient'))).toEqual(new Set([0]));
    }
    expect(compared).toBeGreaterThan(20_000);
  },
);

it.each([
  ['hdl-64e', 64],
  ['os1-128', 128],
  ['lms-291', 1],
])('an organised cloud of %s has a row for each ring', async (sensor, rings) => {
  const played = await play(await record(sensor, ['recording.organised=true']));
  const flat = await play(await record(sensor));
  for (const index of [0, 1, 2]) {
    const [grid, list] = [played.driver[index] as Cloud, flat.driver[index] as Cloud];
    expect(grid.height).toBe(rings);
    expect(grid.is_dense).toBe(false);
    expect(grid.fields).toEqual(list.fields);
    const step = grid.point_step;
    const [ring, x] = [grid.values('ring'), grid.values('x')];
    const points: string[] = [];
    for (let cell = 0; cell < grid.height * grid.width; cell += 1) {
      // Why no expect: of so many it would take a minute.
      if (ring[cell] !== Math.floor(cell / grid.width)) expect.fail(`ring of cell ${cell}`);
      if (Number.isNaN(x[cell])) continue;
      points.push(Buffer.from(grid.data.subarray(cell * step, (cell + 1) * step)).toString('hex'));
    }
    // The same points, in another order; a pulse's false alarm has no cell beside its return.
    const listed = Array.from({ length: list.width }, (_, row) =>
      Buffer.from(list.data.subarray(row * step, (row + 1) * step)).toString('hex'),
    );
    const inGrid = new Set(points);
    const left = listed.filter((point) => !inGrid.has(point)).length;
    expect(points.length + left).toBe(listed.length);
    // Six on average for the 1e-4 a pulse of the OS1: above 20 once in a million.
    expect(left).toBeLessThanOrEqual(sensor === 'os1-128' ? 20 : 0);
    // Times grow along a row.
    const time = grid.values(sensor.startsWith('os') ? 't' : 'time');
    for (let row = 0; row < grid.height; row += 1) {
      const along = time
        .slice(row * grid.width, (row + 1) * grid.width)
        .filter((_, column) => !Number.isNaN(x[row * grid.width + column]));
      expect(along).toEqual([...along].sort((a, b) => a - b));
    }
  }
});

it('columns of an organised cloud are firings: all lasers of a column fire at once', async () => {
  const played = await play(await record('os1-128', ['recording.organised=true']));
  // 20,480 firings a second in 50 ms.
  for (const { width, height, values } of played.driver) {
    expect(width).toBe(1024);
    const [t, x] = [values('t'), values('x')];
    for (let column = 0; column < width; column += 1) {
      const times = new Set<number>();
      for (let row = 0; row < height; row += 1) {
        const cell = row * width + column;
        if (!Number.isNaN(x[cell])) times.add(t[cell] ?? NaN);
      }
      if (times.size > 1) expect.fail(`times of column ${column}: ${[...times].join()}`);
    }
  }
});

it('without ground truth there is one cloud a scan, and readers place its points', async () => {
  const file = await record('hdl-64e', ['recording.truth=false']);
  const played = await play(file);
  expect(played.truth).toHaveLength(0);
  expect(played.driver).toHaveLength(3);
  const withTruth = await play(await record('hdl-64e'));
  const reader = await recordings.open(file);
  const scans = await Array.fromAsync(reader.scans());
  const clouds = await Array.fromAsync(reader.clouds());
  await reader.close();
  expect(scans.map(({ tick }) => tick)).toEqual([0, 1, 2]);
  expect(clouds.map(({ crc32s }) => crc32s.length)).toEqual([1, 1, 1]);
  for (const index of [0, 1, 2]) {
    const { table, rows } = scans[index] ?? { table: {}, rows: 0 };
    const truth = withTruth.truth[index] as Cloud;
    expect(rows).toBe(truth.width);
    for (const [name, column] of [
      ['x', table.x_m],
      ['y', table.y_m],
      ['z', table.z_m],
    ] as const) {
      for (const [row, value] of truth.values(name).entries()) {
        // Two roundings of at most 60 m, and of the time at 1.2 rad/s.
        if (!(Math.abs((column?.[row] ?? NaN) - value) <= 4 * 60 * halfUlp + stepping)) {
          expect.fail(`${name} of point ${row}: ${column?.[row]} for ${value}`);
        }
      }
    }
    expect(table.object_id).toBeUndefined();
  }
  const snapshots = await recordings.openSnapshots(file);
  const shown = await snapshots.at(2 * tickNs, { maxPoints: 1e6 });
  await snapshots.close();
  expect(shown?.returns).toBe(scans[1]?.rows);
  expect(shown?.columns['x_m']).toEqual(scans[1]?.table.x_m);
  const metadata = await recordings.openMetadata(file);
  expect(metadata.scans).toHaveLength(3);
  await metadata.close();
});
