// Scans that come packed, as a drive records them: the file reads as if this process had packed them, for
// the official reader and ours, and cut off between a scan's record and its cloud.
import { McapIndexedReader, McapStreamReader } from '@mcap/core';
import { FileHandleReadable } from '@mcap/nodejs';
import { readFileSync, truncateSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { crc32, zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { encodeMessageHead, messageHeadBytes } from '#recordings/mcap/messageHead.ts';
import { createRecordings } from '#recordings/recordings.ts';
import { driverClouds, encodeDriverCloud } from '#recordings/ros/driverCloud.ts';
import { encodeCloud } from '#recordings/ros/pointCloud.ts';
import type { RecordedScan, RecordingWriter } from '#services/ports/recordings.ts';
import type { PackedRows, RowPacking } from '#services/ports/workers.ts';
import { recordedColumns } from '#domain/sensor/recordedColumns.ts';
import { sampleHeader, sampleScan, sampleTick, withSensorPoints } from './samples.ts';
import { temporaryFolder } from '#test/support/folder.ts';

const recordings = createRecordings();
const decompressHandlers = { zstd: (bytes: Uint8Array) => zstdDecompressSync(bytes) };
const ticks = 3;
const sensors = [0, 1];

/** A scan of a drive: recorded columns, no misses. */
function driveScan(tick: number, sensor: number): RecordedScan {
  const scan = sampleScan(2 * tick, sensor, 100 + tick);
  const kept = recordedColumns.map((name) => [name, scan.table[name]]);
  return { ...scan, tick, table: Object.fromEntries(kept) as RecordedScan['table'] };
}

/** The driver's cloud of a scan, and that with ground truth. */
function messagesOf(scan: RecordedScan): { bytes: Uint8Array; bases: PackedRows['bases'] }[] {
  const driver = driverClouds(sampleHeader().compiled)[scan.sensor];
  if (driver === undefined) throw new Error('there is no such sensor');
  const table = withSensorPoints(scan.table);
  const { bytes, firstPulse } = encodeCloud({ ...scan, recipe: driver.recipe });
  return [
    { bytes: encodeDriverCloud(driver, { ...scan, table }), bases: {} },
    { bytes, bases: { pulse: `${firstPulse}` } },
  ];
}

/** The worker's packing of a request, as test/workers/packedRows.test.ts shows. */
function packAs(
  { before }: RowPacking,
  { bytes, bases }: ReturnType<typeof messagesOf>[number],
): PackedRows {
  const asked = new DataView(before.buffer, before.byteOffset, messageHeadBytes);
  const head = encodeMessageHead(
    {
      channelId: asked.getUint16(9, true),
      sequence: asked.getUint32(11, true),
      logTime: asked.getBigUint64(15, true),
    },
    bytes.length,
  );
  const record = Buffer.concat([head, bytes]);
  const frame = zstdCompressSync(record);
  return {
    frame,
    frameBytes: frame.length,
    uncompressedBytes: record.length,
    crc32: crc32(record),
    bases,
  };
}

async function recordPacked(writer: RecordingWriter): Promise<void> {
  for (let tick = 0; tick < ticks; tick++) {
    for (const sensor of sensors) {
      const scan = driveScan(tick, sensor);
      const packings = writer.packings(scan, recordedColumns);
      const packed = messagesOf(scan).map((message, cloud) => {
        const packing = packings[cloud];
        if (packing === undefined) throw new Error('a cloud is not packed');
        return packAs(packing, message);
      });
      expect(packings).toHaveLength(packed.length);
      await writer.packedScan({ ...scan, packed });
    }
    await writer.tick(sampleTick(tick));
  }
}

async function recorded(): Promise<string> {
  const file = join(temporaryFolder(), 'run.mcap');
  const writer = await recordings.create(file, sampleHeader());
  await recordPacked(writer);
  await writer.close();
  return file;
}

test('our reader gives packed scans back as they were', async () => {
  const reader = await recordings.open(await recorded());
  const scans: RecordedScan[] = [];
  for await (const scan of reader.scans()) scans.push(scan);
  await reader.close();
  const expected = Array.from({ length: ticks }, (_, tick) =>
    sensors.map((sensor) => {
      const scan = driveScan(tick, sensor);
      return { ...scan, table: { ...scan.table, range_clean_m: scan.table.range_m } };
    }),
  );
  expect(scans).toEqual(expected.flat());
});

test('the official readers take the file, checksums, order and numbers included', async () => {
  const file = await recorded();
  const stream = new McapStreamReader({ decompressHandlers, validateCrcs: true });
  stream.append(readFileSync(file));
  const clouds: [channel: number, sequence: number][] = [];
  for (let record = stream.nextRecord(); record !== undefined; record = stream.nextRecord()) {
    if (record.type === 'Message' && record.data.length > 2000) {
      clouds.push([record.channelId, record.sequence]);
    }
  }
  expect(stream.done()).toBe(true);
  const channels = clouds.slice(0, 2 * sensors.length).map(([channel]) => channel);
  expect(new Set(channels).size).toBe(2 * sensors.length);
  const expected = [0, 1, 2].flatMap((k) => channels.map((channel) => [channel, k]));
  expect(clouds).toEqual(expected);

  const handle = await open(file);
  try {
    const readable = new FileHandleReadable(handle);
    const reader = await McapIndexedReader.Initialize({ readable, decompressHandlers });
    for (const topic of ['/vlp_16/points', '/vlp_16/points_truth']) {
      let messages = 0;
      for await (const { data } of reader.readMessages({ topics: [topic] })) {
        messages += Math.sign(data.length);
      }
      expect(messages).toBe(ticks);
    }
    expect(reader.statistics?.messageCount).toBe(BigInt(1 + ticks * (5 + 3 * sensors.length)));
  } finally {
    await handle.close();
  }
});

test('a recording cut off between the record of a scan and its cloud has one scan less', async () => {
  const file = await recorded();
  const handle = await open(file);
  const { chunkIndexes } = await McapIndexedReader.Initialize({
    readable: new FileHandleReadable(handle),
  });
  await handle.close();
  // Chunks by threes: what comes before a scan and its record, then its clouds; the last is the last tick's.
  expect(chunkIndexes).toHaveLength(3 * ticks * sensors.length + 1);
  const lastCloud = chunkIndexes.at(-2);
  truncateSync(file, Number(lastCloud?.chunkStartOffset) + 100);
  expect((await recordings.recover(file)).scans).toBe(ticks * sensors.length - 1);
  const reader = await recordings.open(file);
  const seen: string[] = [];
  for await (const { tick, sensor } of reader.scans()) seen.push(`${tick}/${sensor}`);
  await reader.close();
  expect(reader.isComplete).toBe(true);
  expect(seen).toEqual(['0/0', '0/1', '1/0', '1/1', '2/0']);
});
