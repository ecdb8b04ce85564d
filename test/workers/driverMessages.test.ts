// Messages of drivers whose scans are no ticks: one a revolution, sweep or image with the returns of all ticks that it
// lies in, to the byte what the driver's cloud of that time alone is; from rows that the worker packed and from tables.
import { McapIndexedReader } from '@mcap/core';
import { FileHandleReadable } from '@mcap/nodejs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { zstdDecompressSync } from 'node:zlib';
import { describe, expect, it, onTestFinished } from 'vitest';
import { returnColumnNames, type ReturnTable } from '#contract/columns.ts';
import type { Pose } from '#contract/host/run.ts';
import { recordedColumns } from '#domain/sensor/recordedColumns.ts';
import { joinReturns } from '#domain/shared/joinColumns.ts';
import { createRecordings } from '#recordings/recordings.ts';
import { driverClouds, encodeDriverCloud } from '#recordings/ros/driverCloud.ts';
import { recordedEpoch } from '#recordings/ros/epoch.ts';
import { cloudOfScan } from '#recordings/foreign/laserScan.ts';
import { firstPulseFrom } from '#recordings/ros/pulseNumbers.ts';
import { decodeRos } from '#recordings/ros/schemas.ts';
import { createDocuments, type LoadedScenario } from '#services/documents/documents.ts';
import type { RecordedTick, RecordingWriter } from '#services/ports/recordings.ts';
import { scanPacked } from '#services/runProcess/packedScan.ts';
import { createNodeFiles } from '#hosts/node/nodeFiles.ts';
import { assetsFolder } from '#hosts/packageFolders.ts';
import { temporaryFolder } from '#test/support/folder.ts';
import { straight } from '#validation/trajectories.ts';
import { openWorker } from './realWorker.ts';

const documents = createDocuments({ files: createNodeFiles({ assetsFolder }) });
const recordings = createRecordings();
const decompressHandlers = { zstd: (bytes: Uint8Array) => zstdDecompressSync(bytes) };
const trajectory = straight([0, 0, 1.5], [1, 0, 1.5], 1e9);
const { worker } = await openWorker(await documents.compile('box', {}, { sensor: 'vlp-16' }));

interface Recorded {
  packed: string;
  tables: string;
  /** The returns of all ticks. */
  table: ReturnTable;
  loaded: LoadedScenario;
}

const still: Pose = { positionM: [0, 0, 0], rotation: [0, 0, 0, 1] };

function tickAt(tick: number, timeNs: number, truth = still): RecordedTick {
  const record = { tick, timeNs, truth, estimate: truth, speedMPerS: 0, distanceToGoalM: 0 };
  return { ...record, collisions: 0, activity: 'driving', sensorPoses: [truth] };
}

/** The same ticks in two recordings: packed by the worker, and as tables. */
async function record(
  { sensor, rateHz, settings = [] }: { sensor: string; rateHz?: number; settings?: string[] },
  timesNs: readonly number[],
  poseAt: (tick: number) => Pose = () => still,
): Promise<Recorded> {
  const loaded = await documents.compile('box', { settings }, { sensor, rateHz });
  const { compiled, heights } = loaded;
  const [rig] = compiled.sensors;
  if (rig === undefined) throw new Error('there is no sensor');
  const folder = temporaryFolder();
  const [packed, tables] = ['packed', 'tables'].map((name) => join(folder, `${name}.mcap`));
  if (packed === undefined || tables === undefined) throw new Error('there are two files');
  const about = { classes: compiled.recipe.classes, understoryVersion: '0', engine: 'e' };
  const header = { compiled, heights, isa: worker.hello.isa, ...about };
  const [ofPacked, ofTables] = [
    await recordings.create(packed, header),
    await recordings.create(tables, header),
  ] as [RecordingWriter, RecordingWriter];
  const all: ReturnTable[] = [];
  for (const [tick, toNs] of timesNs.slice(1).entries()) {
    const fromNs = timesNs[tick] ?? 0;
    const interval = { sensor: rig.recipe, fromNs, toNs, seed: 1, misses: false };
    const parts: ReturnTable[] = [];
    const { hash, pulses, returns, rows, packed } = await scanPacked(
      worker,
      { ...interval, columns: returnColumnNames },
      trajectory,
      ofPacked.packings({ sensor: 0, fromNs, toNs }, recordedColumns),
      { onChunk: ({ columns }) => void parts.push(columns) },
    );
    const scan = { tick, sensor: 0, fromNs, toNs, pulses, returns, hash, rows };
    const table = joinReturns(parts, returnColumnNames);
    all.push(table);
    await ofPacked.packedScan({ ...scan, packed });
    await ofPacked.tick(tickAt(tick, toNs, poseAt(tick)));
    await ofTables.scan({ ...scan, table });
    await ofTables.tick(tickAt(tick, toNs, poseAt(tick)));
  }
  await ofPacked.close();
  await ofTables.close();
  return { packed, tables, table: joinReturns(all, returnColumnNames), loaded };
}

type Messages = [logTimeNs: number, data: Uint8Array][];

/** Messages of a topic with their log times, less an epoch. */
async function messagesOf(file: string, topic: string, epochNs = 0): Promise<Messages> {
  const handle = await open(file);
  onTestFinished(() => handle.close());
  const readable = new FileHandleReadable(handle);
  const reader = await McapIndexedReader.Initialize({ readable, decompressHandlers });
  const messages: Messages = [];
  for await (const { logTime, data } of reader.readMessages({ topics: [topic] })) {
    messages.push([Number(logTime - BigInt(epochNs)), data.slice()]);
  }
  return messages;
}

/** The rows of pulses from one number up to another. */
function rowsBetween(table: ReturnTable, from: bigint, to: bigint): ReturnTable {
  const rows = [...(table.pulse ?? [])].flatMap((pulse, row) =>
    pulse >= from && pulse < to ? [row] : [],
  );
  const [start, end] = [rows[0] ?? 0, rows.length === 0 ? 0 : (rows.at(-1) ?? 0) + 1];
  const cut = Object.entries(table).map(([name, values]) => [name, values.slice(start, end)]);
  return Object.fromEntries(cut) as ReturnTable;
}

/** The clouds of [starts[k], starts[k + 1]), each encoded alone. */
function expectedClouds({ table, loaded }: Recorded, startsNs: readonly number[]): Uint8Array[] {
  const { compiled } = loaded;
  const [driver] = driverClouds(compiled);
  if (driver === undefined) throw new Error('there is no sensor');
  return startsNs.slice(1).map((toNs, index) => {
    const fromNs = startsNs[index] ?? 0;
    const [first, end] = [
      firstPulseFrom(driver.recipe, fromNs),
      firstPulseFrom(driver.recipe, toNs),
    ];
    const rows = rowsBetween(table, first, end);
    const scan = {
      fromNs,
      table: rows,
      rows: rows.pulse?.length ?? 0,
      pulses: Number(end - first),
    };
    return encodeDriverCloud(driver, scan, recordedEpoch(compiled.scenario));
  });
}

function everyScan(rateHz: number, endNs: number): number[] {
  const scans = Array.from({ length: Math.ceil((endNs * rateHz) / 1e9) }, (_, scan) =>
    Math.round((scan * 1e9) / rateHz),
  );
  return [...scans, endNs];
}

function ticksOf(count: number, tickNs = 1e8): number[] {
  return Array.from({ length: count + 1 }, (_, tick) => tick * tickNs);
}

const organised = 'recording.organised=true';
const epoch = 'recording.epoch=2024-05-01T00:00:00Z';
const epochNs = Date.UTC(2024, 4, 1) * 1e6;
const drivers = ['livox', 'robosense', 'hesai', 'autoware', 'ouster'];

describe('messages', () => {
  it.each([
    { sensor: 'vlp-16', rateHz: 5, settings: [] },
    { sensor: 'vlp-16', rateHz: 7, settings: [organised] },
    { sensor: 'vlp-16', rateHz: 20, settings: [] },
    { sensor: 'hdl-64e', rateHz: 15, settings: [organised, epoch] },
    { sensor: 'lms-291', rateHz: 37.5, settings: [] },
    { sensor: 'lms-511', rateHz: 50, settings: [organised] },
    { sensor: 'tof-camera', rateHz: 30, settings: [] },
    ...drivers.map((driver) => {
      return { sensor: 'vlp-16', rateHz: 7, settings: [`sensor.driver=${driver}`] };
    }),
  ])('of $sensor at $rateHz Hz ($settings) are scans', async ({ sensor, rateHz, settings }) => {
    const timesNs = ticksOf(5);
    const given = sensor === 'vlp-16' || sensor === 'hdl-64e' ? { rateHz } : {};
    const recorded = await record({ sensor, settings, ...given }, timesNs);
    const startsNs = everyScan(rateHz, 5e8);
    const baseNs = settings.includes(epoch) ? epochNs : 0;
    const messages = await messagesOf(recorded.packed, '/lidar/points', baseNs);
    expect(messages.map(([timeNs]) => timeNs)).toEqual(startsNs.slice(1));
    for (const [index, data] of expectedClouds(recorded, startsNs).entries()) {
      if (Buffer.compare(data, messages[index]?.[1] ?? data.subarray(0, 1)) !== 0) {
        expect.fail(`message ${index} differs from the cloud of its time`);
      }
    }
    const ofTables = await messagesOf(recorded.tables, '/lidar/points', baseNs);
    expect(ofTables).toEqual(messages);
  });

  it('are those of ticks where both have one length, whatever the phase', async () => {
    const timesNs = ticksOf(3).map((timeNs) => timeNs + 3.7e7);
    const recorded = await record({ sensor: 'vlp-16', rateHz: 10 }, timesNs);
    const messages = await messagesOf(recorded.packed, '/lidar/points');
    expect(messages.map(([timeNs]) => timeNs)).toEqual(timesNs.slice(1));
    expect(messages.map(([, data]) => data)).toEqual(expectedClouds(recorded, timesNs));
  });

  it('end where the sensor jumps, and begin with the recording', async () => {
    const timesNs = ticksOf(4).map((timeNs) => timeNs + 1e8);
    const away = (tick: number): Pose => ({ ...still, positionM: [tick < 3 ? 0 : 5, 0, 0] });
    const recorded = await record({ sensor: 'vlp-16', rateHz: 5 }, timesNs, away);
    const cutsNs = [1e8, 2e8, 4e8, 5e8];
    const messages = await messagesOf(recorded.packed, '/lidar/points');
    expect(messages.map(([timeNs]) => timeNs)).toEqual(cutsNs.slice(1));
    expect(messages.map(([, data]) => data)).toEqual(expectedClouds(recorded, cutsNs));
  });
});

describe('a recording of such messages', () => {
  it('states checksums of what a scan alone decides', async () => {
    const { packed } = await record({ sensor: 'vlp-16', rateHz: 7 }, ticksOf(4));
    const reader = await recordings.open(packed);
    const clouds = await Array.fromAsync(reader.clouds());
    await reader.close();
    expect(clouds.map(({ scan, crc32s }) => [scan.tick, crc32s.length])).toEqual([
      [0, 1],
      [1, 1],
      [2, 1],
      [3, 1],
    ]);
  });

  it('has the returns of ticks for readers, without ground truth too', async () => {
    const settings = ['recording.truth=false'];
    const { packed, table } = await record({ sensor: 'vlp-16', rateHz: 7, settings }, ticksOf(4));
    const reader = await recordings.open(packed);
    const scans = await Array.fromAsync(reader.scans());
    await reader.close();
    expect(scans.map(({ tick, fromNs }) => [tick, fromNs])).toEqual([
      [0, 0],
      [1, 1e8],
      [2, 2e8],
      [3, 3e8],
    ]);
    const rings = scans.flatMap((scan) => [...(scan.table.ring ?? [])]);
    expect(rings).toEqual([...(table.ring ?? [])]);
    const metadata = await recordings.openMetadata(packed);
    expect(metadata.scans).toHaveLength(4);
    await metadata.close();
    const messages = await messagesOf(packed, '/lidar/points');
    expect(messages).toHaveLength(3);
  });
});

interface LaserScan {
  header: { stamp: { sec: number; nanosec: number }; frame_id: string };
  angle_min: number;
  angle_max: number;
  angle_increment: number;
  time_increment: number;
  scan_time: number;
  ranges: Float32Array;
  intensities: Float32Array;
}

function decodedScans(messages: Messages): LaserScan[] {
  return messages.map(([, data]) => decodeRos<LaserScan>('sensor_msgs/msg/LaserScan', data));
}

describe('laser scans', () => {
  it.each([
    ['lms-291', 37.5, 201],
    ['utm-30lx', 40, 1081],
    ['tim571', 15, 811],
  ])('of %s are sweeps with the ranges of its pulses', async (sensor, rateHz, count) => {
    const recorded = await record({ sensor }, ticksOf(3));
    const startsNs = everyScan(rateHz, 3e8);
    const messages = await messagesOf(recorded.packed, '/lidar/scan');
    expect(messages.map(([timeNs]) => timeNs)).toEqual(startsNs.slice(1));
    expect(await messagesOf(recorded.tables, '/lidar/scan')).toEqual(messages);
    expect(await messagesOf(recorded.packed, '/lidar/points')).toHaveLength(messages.length);
    const { pulse = [], time_ns = [], range_m = [], intensity = [], ...at } = recorded.table;
    const scans = decodedScans(messages);
    const finite = scans.map(({ ranges }) => ranges.filter(Number.isFinite).length);
    expect(finite.reduce((sum, ranges) => sum + ranges, 0)).toBe(new Set(pulse).size);
    expect(pulse.length).toBeGreaterThan(100);
    for (const [row, number] of pulse.entries()) {
      if (row > 0 && pulse[row - 1] === number) continue;
      const scan = scans[Math.floor(Number(number) / count)];
      if (scan === undefined) throw new Error(`no scan of pulse ${number}`);
      const index = Number(number) % count;
      const { stamp } = scan.header;
      const timeNs = stamp.sec * 1e9 + stamp.nanosec + index * scan.time_increment * 1e9;
      expect(scan.ranges).toHaveLength(count);
      expect(scan.ranges[index]).toBe(range_m[row]);
      expect(scan.intensities[index]).toBe(Math.round(255 * (intensity[row] ?? NaN)));
      // Floats of at most 0.1 s and of half a turn.
      expect(Math.abs(timeNs - Number(time_ns[row]))).toBeLessThan(30);
      const angle = scan.angle_min + index * scan.angle_increment;
      const range = range_m[row] ?? NaN;
      expect(Math.cos(angle) * range).toBeCloseTo(at.x_sensor_m?.[row] ?? NaN, 3);
      expect(Math.sin(angle) * range).toBeCloseTo(at.y_sensor_m?.[row] ?? NaN, 3);
    }
    expect(scans[0]?.scan_time).toBeCloseTo(1 / rateHz, 6);
  });

  it('instead of clouds are read back with the same returns', async () => {
    const settings = ['sensor.laserScan=instead', 'recording.truth=false'];
    const { packed, table } = await record({ sensor: 'tim571', settings }, ticksOf(3));
    expect(await messagesOf(packed, '/lidar/points')).toEqual([]);
    const reader = await recordings.open(packed);
    const read = await Array.fromAsync(reader.scans());
    await reader.close();
    expect(read.reduce((sum, { rows }) => sum + rows, 0)).toBe(table.pulse?.length);
    const clouds = (await messagesOf(packed, '/lidar/scan')).map(([, data], sweep) =>
      cloudOfScan(data, sweep, 0n, {}),
    );
    const firsts = [...(table.pulse ?? [])].flatMap((pulse, row, all) =>
      row > 0 && all[row - 1] === pulse ? [] : [row],
    );
    const back = clouds.flatMap(({ xM, yM, points }) =>
      Array.from({ length: points }, (_, point) => Math.hypot(xM[point] ?? NaN, yM[point] ?? NaN)),
    );
    const ranges = back.filter((rangeM) => !Number.isNaN(rangeM));
    expect(ranges.map(Math.fround)).toEqual(firsts.map((row) => table.range_m?.[row]));
  });

  it('are refused for sensors of several planes', async () => {
    const settings = ['sensor.laserScan=beside'];
    const compiling = documents.compile('box', { settings }, { sensor: 'vlp-16' });
    await expect(compiling).rejects.toThrow('expected one laser at elevation 0');
  });
});
