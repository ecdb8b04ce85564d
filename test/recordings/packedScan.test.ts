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
import { encodeCloud } from '#recordings/ros/pointCloud.ts';
import type { RecordedScan, RecordingWriter } from '#services/ports/recordings.ts';
import type { PackedRows, RowPacking } from '#services/ports/workers.ts';
import { recordedColumns } from '#domain/sensor/recordedColumns.ts';
import { sampleHeader, sampleScan, sampleTick } from './samples.ts';
import { temporaryFolder } from './temporary.ts';

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

/** The worker's packing of a request, as test/workers/packedRows.test.ts shows. */
function packAs({ before }: RowPacking, { fromNs, table, rows }: RecordedScan): PackedRows {
  const { bytes, firstPulse } = encodeCloud({ fromNs, table, rows });
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
  return {
    frame: zstdCompressSync(record),
    uncompressedBytes: record.length,
    crc32: crc32(record),
    bases: { pulse: `${firstPulse}` },
  };
}

async function recordPacked(writer: RecordingWriter): Promise<void> {
  for (let tick = 0; tick < ticks; tick++) {
    for (const sensor of sensors) {
      const scan = driveScan(tick, sensor);
      const packed = packAs(writer.packing(scan, recordedColumns), scan);
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
    if (record.type === 'Message' && record.data.length > 4000) {
      clouds.push([record.channelId, record.sequence]);
    }
  }
  expect(stream.done()).toBe(true);
  const [first, second] = [clouds[0]?.[0] ?? NaN, clouds[1]?.[0] ?? NaN];
  const expected = [0, 1, 2].flatMap((k) => [
    [first, k],
    [second, k],
  ]);
  expect(clouds).toEqual(expected);

  const handle = await open(file);
  try {
    const readable = new FileHandleReadable(handle);
    const reader = await McapIndexedReader.Initialize({ readable, decompressHandlers });
    let messages = 0;
    for await (const { data } of reader.readMessages({ topics: ['/vlp_16/points'] })) {
      messages += Math.sign(data.length);
    }
    expect(messages).toBe(ticks);
    expect(reader.statistics?.messageCount).toBe(BigInt(1 + ticks * (5 + 2 * sensors.length)));
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
  // Chunks in pairs: what comes before a cloud and its record, then the cloud; the last is the last tick's.
  expect(chunkIndexes).toHaveLength(2 * ticks * sensors.length + 1);
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
