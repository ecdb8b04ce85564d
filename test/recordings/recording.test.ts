// A recording as the official readers see it, and as our own reader gives it back.
import { McapIndexedReader, McapStreamReader } from '@mcap/core';
import { FileHandleReadable } from '@mcap/nodejs';
import { parse } from '@foxglove/rosmsg';
import { MessageReader } from '@foxglove/rosmsg2-serialization';
import { readFileSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { zstdDecompressSync } from 'node:zlib';
import { expect, onTestFinished, test } from 'vitest';
import { defaultScanColumns } from '#contract/columns.ts';
import { createRecordings } from '#recordings/recordings.ts';
import { recordSample, sampleHeader, sampleScan, sampleTick } from './samples.ts';
import { temporaryFolder } from '#test/support/folder.ts';

const recordings = createRecordings();
const decompressHandlers = { zstd: (bytes: Uint8Array) => zstdDecompressSync(bytes) };

async function record(ticks: number, name = 'run.mcap'): Promise<string> {
  const file = join(temporaryFolder(), name);
  const writer = await recordings.create(file, sampleHeader());
  await recordSample(writer, ticks);
  await writer.close();
  return file;
}

async function openOfficially(file: string): Promise<McapIndexedReader> {
  const handle = await open(file);
  onTestFinished(() => handle.close());
  return McapIndexedReader.Initialize({
    readable: new FileHandleReadable(handle),
    decompressHandlers,
  });
}

test('the official reader decodes every message with the schemas of the file', async () => {
  const reader = await openOfficially(await record(3));
  expect(reader.header.profile).toBe('ros2');
  const counts = new Map<string, number>();
  for await (const message of reader.readMessages()) {
    const channel = reader.channelsById.get(message.channelId);
    const schema = reader.schemasById.get(channel?.schemaId ?? -1);
    const text = new TextDecoder().decode(schema?.data);
    const definitions = parse(text, { ros2: true });
    const decoded = new MessageReader(definitions).readMessage<{ data?: string }>(message.data);
    expect(decoded).toBeTypeOf('object');
    if (schema?.name === 'std_msgs/msg/String') {
      expect(JSON.parse(decoded.data ?? '')).toHaveProperty('tick');
    }
    counts.set(channel?.topic ?? '', (counts.get(channel?.topic ?? '') ?? 0) + 1);
  }
  expect(Object.fromEntries(counts)).toEqual({
    '/tf_static': 1,
    '/clock': 3,
    '/tf': 3,
    '/odom': 3,
    '/ground_truth/odom': 3,
    '/map': 3,
    '/plan': 3,
    '/understory/tick': 3,
    '/understory/scan': 6,
    '/vlp_16/points_truth': 3,
    '/front_scanner/points_truth': 3,
  });
});

test('the official streaming reader accepts the whole file, its checksums included', async () => {
  const bytes = readFileSync(await record(2));
  const reader = new McapStreamReader({ decompressHandlers, validateCrcs: true });
  reader.append(bytes);
  let records = 0;
  while (reader.nextRecord() !== undefined) records += 1;
  expect(reader.done()).toBe(true);
  expect(records).toBeGreaterThan(20);
});

test('a point cloud read by its fields alone holds the points of the scan', async () => {
  const reader = await openOfficially(await record(2));
  const scan = sampleScan(1);
  const { x_m, pulse, object_id, n_returns } = scan.table;
  let clouds = 0;
  for await (const { channelId, data, logTime } of reader.readMessages({
    topics: ['/vlp_16/points_truth'],
    startTime: BigInt(scan.toNs),
  })) {
    clouds += 1;
    const schemaId = reader.channelsById.get(channelId)?.schemaId ?? -1;
    const text = new TextDecoder().decode(reader.schemasById.get(schemaId)?.data);
    const cloud = new MessageReader(parse(text, { ros2: true })).readMessage<{
      header: { frame_id: string; stamp: { sec: number; nanosec: number } };
      width: number;
      fields: { name: string; offset: number; datatype: number }[];
      point_step: number;
      data: Uint8Array;
      is_dense: boolean;
    }>(data);
    expect(logTime).toBe(BigInt(scan.toNs));
    expect(cloud.header).toEqual({ frame_id: 'map', stamp: { sec: 0, nanosec: 100_000_000 } });
    expect(cloud.width).toBe(scan.rows);
    expect(cloud.is_dense).toBe(false); // tick 1 holds misses
    expect(cloud.fields.slice(0, 6).map((field) => field.name)).toEqual([
      'x',
      'y',
      'z',
      'intensity',
      'range',
      'incidence',
    ]);
    // The driver's cloud has all that follows from the pulse.
    const names = new Set(cloud.fields.map(({ name }) => name));
    expect(['ring', 't', 'time', 'azimuth', 'elevation'].filter((name) => names.has(name))).toEqual(
      [],
    );
    const view = new DataView(cloud.data.buffer, cloud.data.byteOffset, cloud.data.byteLength);
    const at = (row: number, name: string): number =>
      row * cloud.point_step + (cloud.fields.find((field) => field.name === name)?.offset ?? NaN);
    for (let row = 0; row < scan.rows; row++) {
      expect(view.getFloat32(at(row, 'x'), true)).toBe(x_m?.[row]);
      expect(view.getUint32(at(row, 'object_id'), true)).toBe(object_id?.[row]);
      expect(view.getUint8(at(row, 'n_returns'))).toBe(n_returns?.[row]);
      const since = Number((pulse?.[row] ?? 0n) - (pulse?.[0] ?? 0n));
      expect(view.getUint32(at(row, 'pulse'), true)).toBe(since);
    }
  }
  expect(clouds).toBe(1);
});

test('our reader gives back header, scans, ticks, maps and paths as they were written', async () => {
  const reader = await recordings.open(await record(3));
  onTestFinished(() => reader.close());
  const { compiled, ...header } = sampleHeader();
  expect(reader.isComplete).toBe(true);
  expect(reader.header).toMatchObject(header);
  expect(reader.header.compiled.scenario.scene).toEqual(compiled.scenario.scene);
  expect(reader.header.compiled.sensors).toEqual(compiled.sensors);
  const scans = await Array.fromAsync(reader.scans());
  expect(scans.map(({ tick, sensor }) => [tick, sensor])).toEqual(
    [0, 1, 2].flatMap((tick) => [
      [tick, 0],
      [tick, 1],
    ]),
  );
  for (const scan of scans) {
    const written = sampleScan(scan.tick, scan.sensor, scan.sensor === 0 ? 3000 : 10);
    for (const name of defaultScanColumns) expect(scan.table[name]).toEqual(written.table[name]);
    expect({ ...scan, table: null }).toEqual({ ...written, table: null });
  }
  expect(await Array.fromAsync(reader.ticks())).toEqual([0, 1, 2].map(sampleTick));
  const maps = await Array.fromAsync(reader.maps());
  expect(maps[1]?.geometry).toEqual({ cells: 20, cellM: 0.1, originM: [-1.1, 2] });
  expect(maps[1]?.cost.subarray(0, 9)).toEqual(Uint8Array.of(255, 2, 3, 4, 5, 6, 7, 255, 9));
  const paths = await Array.fromAsync(reader.paths());
  expect(paths[2]).toEqual({
    timeNs: 300_000_000,
    xM: Float32Array.of(2, 1.1, 2.2),
    yM: Float32Array.of(0.1, -2, 3.3),
  });
});

test('the same run gives the same bytes, whatever the file is called', async () => {
  const [a, b] = [await record(3, 'a.mcap'), await record(3, 'b.mcap')];
  expect(readFileSync(a).equals(readFileSync(b))).toBe(true);
});

test('no path of this machine goes into a recording', async () => {
  const file = await record(1);
  expect(readFileSync(file).includes('/home/user')).toBe(false);
  const reader = await recordings.open(file);
  onTestFinished(() => reader.close());
  const [model] = reader.header.compiled.recipe.models;
  expect(model?.source).toMatchObject({ kind: 'mesh', file: 'log.obj' });
  expect(reader.header.compiled.scenario.sensors[1]?.sensor).toBe('mine.yaml');
});

test('a growing recording can be read up to its last complete chunk', async () => {
  const file = join(temporaryFolder(), 'run.mcap');
  const writer = await recordings.create(file, sampleHeader());
  await writer.scan(sampleScan(0));
  await writer.tick(sampleTick(0));
  await writer.flush();
  await writer.scan(sampleScan(1));
  const reader = await recordings.open(file);
  onTestFinished(() => reader.close());
  expect(reader.isComplete).toBe(false);
  expect((await Array.fromAsync(reader.scans())).map((scan) => scan.tick)).toEqual([0]);
  await writer.close();
});

test('a recording whose scans have other columns than its first is refused', async () => {
  const file = join(temporaryFolder(), 'run.mcap');
  const writer = await recordings.create(file, sampleHeader());
  const scan = sampleScan(0, 0, 5);
  const table = { ...scan.table };
  delete table.intensity;
  await writer.scan(scan);
  await writer.tick(sampleTick(0));
  await writer.scan({ ...scan, table });
  await writer.close();
  const reader = await recordings.open(file);
  onTestFinished(() => reader.close());
  const readAll = async (): Promise<void> => {
    for await (const { rows } of reader.scans()) expect(rows).toBe(5);
  };
  await expect(readAll()).rejects.toMatchObject({
    code: 'corrupt',
    message: expect.stringContaining('expected the columns of the first scan') as string,
  });
});
