// Recordings that were cut off anywhere: what is whole is kept, and the official reader opens the result.
import { McapIndexedReader } from '@mcap/core';
import { FileHandleReadable } from '@mcap/nodejs';
import { readFileSync, writeFileSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { zstdDecompressSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { UnderstoryError } from '#contract/errors.ts';
import { createRecordings } from '#recordings/recordings.ts';
import type { RecordingReader } from '#services/ports/recordings.ts';
import { recordSample, sampleHeader, seededRandom } from './samples.ts';
import { temporaryFolder } from '#test/support/folder.ts';

const recordings = createRecordings();
const ticks = 6;

/** A closed recording of one chunk a tick, and the chunks' places as the official reader sees them. */
async function wholeRecording(file: string): Promise<{
  bytes: Buffer;
  chunks: { start: number; end: number; indexEnd: number }[];
}> {
  const writer = await recordings.create(file, sampleHeader());
  await recordSample(writer, ticks, { rows: 200, flush: true });
  await writer.close();
  const handle = await open(file);
  const reader = await McapIndexedReader.Initialize({ readable: new FileHandleReadable(handle) });
  await handle.close();
  const chunks = reader.chunkIndexes.map((chunk) => {
    const start = Number(chunk.chunkStartOffset);
    const end = start + Number(chunk.chunkLength);
    return { start, end, indexEnd: end + Number(chunk.messageIndexLength) };
  });
  expect(chunks).toHaveLength(ticks);
  return { bytes: readFileSync(file), chunks };
}

async function hashesOf(reader: RecordingReader): Promise<string[]> {
  const hashes: string[] = [];
  for await (const { hash, rows, table } of reader.scans()) {
    expect(table.x_m).toHaveLength(rows);
    hashes.push(hash);
  }
  return hashes;
}

async function scansSeenOfficially(file: string): Promise<number> {
  const handle = await open(file);
  try {
    const reader = await McapIndexedReader.Initialize({
      readable: new FileHandleReadable(handle),
      decompressHandlers: { zstd: (bytes) => zstdDecompressSync(bytes) },
    });
    let scans = 0;
    for await (const message of reader.readMessages({ topics: ['/understory/scan'] })) {
      scans += message.data.length > 0 ? 1 : 0;
    }
    return scans;
  } finally {
    await handle.close();
  }
}

test('a recording cut off anywhere keeps every whole chunk', async () => {
  const folder = temporaryFolder();
  const { bytes, chunks } = await wholeRecording(join(folder, 'whole.mcap'));
  const headEnd = chunks[0]?.start ?? NaN;
  const random = seededRandom(7);
  const anywhere = Array.from(
    { length: 60 },
    () => headEnd + Math.floor(random() * (bytes.length - headEnd)),
  );
  const edges = chunks.flatMap(({ start, end, indexEnd }) => [
    start,
    start + 1,
    start + 9,
    end - 1,
    end,
    end + 1,
    indexEnd - 1,
    indexEnd,
  ]);
  const file = join(folder, 'cut.mcap');
  for (const length of [...edges, ...anywhere, bytes.length - 1, bytes.length - 8]) {
    writeFileSync(file, bytes.subarray(0, length));
    const wholeChunks = chunks.filter(({ end }) => end <= length).length;
    const reader = await recordings.open(file);
    expect(reader.isComplete).toBe(false);
    const before = await hashesOf(reader);
    await reader.close();
    expect(before, `cut at ${length}`).toHaveLength(2 * wholeChunks);
    const found = await recordings.recover(file);
    expect(found).toEqual({
      scans: 2 * wholeChunks,
      lastTimeNs: wholeChunks * 100_000_000,
      bytes: readFileSync(file).length,
      wasComplete: false,
    });
    expect(await scansSeenOfficially(file)).toBe(2 * wholeChunks);
    const again = await recordings.open(file);
    expect(again.isComplete).toBe(true);
    expect(await hashesOf(again)).toEqual(before);
    await again.close();
  }
});

test('a recovered recording has the bytes of one that was closed there', async () => {
  const folder = temporaryFolder();
  const { bytes, chunks } = await wholeRecording(join(folder, 'whole.mcap'));
  const short = join(folder, 'short.mcap');
  const writer = await recordings.create(short, sampleHeader());
  await recordSample(writer, 3, { rows: 200, flush: true });
  await writer.close();
  const cut = join(folder, 'cut.mcap');
  for (const length of [chunks[2]?.end, (chunks[2]?.indexEnd ?? 0) + 500]) {
    writeFileSync(cut, bytes.subarray(0, length));
    await recordings.recover(cut);
    expect(readFileSync(cut).equals(readFileSync(short))).toBe(true);
  }
});

test('recovering a closed recording changes nothing', async () => {
  const file = join(temporaryFolder(), 'whole.mcap');
  const { bytes } = await wholeRecording(file);
  const lastTimeNs = ticks * 100_000_000;
  expect(await recordings.recover(file)).toEqual({
    scans: 2 * ticks,
    lastTimeNs,
    bytes: bytes.length,
    wasComplete: true,
  });
  expect(readFileSync(file).equals(bytes)).toBe(true);
});

test('a tail of zeros, as a power cut leaves, is no chunk', async () => {
  const file = join(temporaryFolder(), 'run.mcap');
  const { bytes, chunks } = await wholeRecording(file);
  const { start = 0, end = 0 } = chunks[4] ?? {};
  const damaged = Buffer.from(bytes.subarray(0, end));
  damaged.fill(0, start + Math.floor((end - start) / 2));
  writeFileSync(file, damaged);
  expect((await recordings.recover(file)).scans).toBe(8);
  expect(await scansSeenOfficially(file)).toBe(8);
});

test('a damaged chunk in a closed recording is reported with its place', async () => {
  const file = join(temporaryFolder(), 'run.mcap');
  const { bytes, chunks } = await wholeRecording(file);
  const { start = 0, end = 0 } = chunks[2] ?? {};
  bytes.fill(0xa5, start + Math.floor((end - start) / 2), end - 4);
  writeFileSync(file, bytes);
  const reader = await recordings.open(file);
  await expect(Array.fromAsync(reader.scans())).rejects.toMatchObject({
    code: 'corrupt',
    details: { offset: start },
  });
  await reader.close();
});

test('what holds no run is refused and left alone', async () => {
  const folder = temporaryFolder();
  const { bytes, chunks } = await wholeRecording(join(folder, 'whole.mcap'));
  const headEnd = chunks[0]?.start ?? 0;
  const file = join(folder, 'cut.mcap');
  for (const length of [0, 4, 8, 20, 200, headEnd - 20, headEnd - 1]) {
    writeFileSync(file, bytes.subarray(0, length));
    await expect(recordings.recover(file), `cut at ${length}`).rejects.toThrow(UnderstoryError);
    await expect(recordings.open(file)).rejects.toMatchObject({ code: 'corrupt' });
    expect(readFileSync(file)).toHaveLength(length);
  }
  await expect(recordings.open(join(folder, 'none'))).rejects.toMatchObject({ code: 'not-found' });
});
