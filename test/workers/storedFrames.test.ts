// Frames that stay in the worker: it writes them into a file that this process has open, with the same bytes as those that
// are sent, while it scans, and through its death. The rows are those of a real scan of grass.
import { chmodSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import { describe, expect, it, onTestFinished } from 'vitest';
import { returnColumnNames } from '#contract/columns.ts';
import { minStoredBytes, type RowTemplate } from '#contract/worker/rowTemplate.ts';
import { type AppendFile, openAppendFile } from '#files/appendFile.ts';
import { createRecordings } from '#recordings/recordings.ts';
import { cloudPacking } from '#recordings/ros/cloudPacking.ts';
import { scanPacked } from '#services/runProcess/packedScan.ts';
import type { StoredFrame, PackedRows, RowPacking, ScanWorker } from '#services/ports/workers.ts';
import { temporaryFolder } from '#test/support/folder.ts';
import { straight } from '#validation/trajectories.ts';
import { workerBinary } from '#hosts/packageFolders.ts';
import { compileScenario, onlySensor, openWorker } from './realWorker.ts';

const field = await compileScenario();
const { worker } = await openWorker(field, { threads: 2 });
const trajectory = straight([-1, 0, 1.5], [1, 0, 1.5], 10e9);
const tickNs = 50e6;
const head = new TextEncoder().encode('head');
const tail = new TextEncoder().encode('the tail');

function packingAs(frame: RowTemplate['frame'], from: RowPacking): RowPacking {
  return { ...from, template: { ...from.template, ...(frame && { frame }) } };
}

/** A scan of a tick, its rows packed once with all columns. */
async function packed(
  use: RowTemplate['frame'],
  {
    tick = 0,
    endNs,
    by = worker,
    onProgress = () => undefined,
  }: { tick?: number; endNs?: number; by?: ScanWorker; onProgress?: () => void } = {},
): Promise<PackedRows> {
  const fromNs = tick * tickNs;
  const toNs = endNs ?? fromNs + tickNs;
  const message = { channelId: 9, sequence: tick, timeNs: toNs, fromNs };
  const interval = { sensor: onlySensor(field), fromNs, toNs, seed: 1, misses: false };
  const packings = [packingAs(use, cloudPacking(returnColumnNames)(message))];
  const { packed } = await scanPacked(by, { ...interval, columns: [] }, trajectory, packings, {
    onProgress,
  });
  const [rows] = packed;
  if (rows === undefined) throw new Error('nothing was packed');
  return rows;
}

function stored({ frame }: PackedRows): StoredFrame {
  if (frame === null || frame instanceof Uint8Array) throw new TypeError('it is not stored');
  return frame;
}

function sent({ frame }: PackedRows): Uint8Array {
  if (frame instanceof Uint8Array) return frame;
  throw new TypeError('it is not sent');
}

/** A file that begins with three bytes. */
async function opened(): Promise<{ file: string; append: AppendFile; start: Uint8Array }> {
  const file = join(temporaryFolder(), 'recording');
  const append = await openAppendFile(file, 'create');
  onTestFinished(() => append.close());
  const start = Uint8Array.of(1, 2, 3);
  await append.append(start);
  return { file, append, start };
}

function write(append: AppendFile, rows: PackedRows, crc = 0): Promise<number | null> {
  const bytes = head.length + rows.frameBytes + tail.length;
  return append.appendElsewhere(bytes, (end) =>
    stored(rows).write({ ...end, head, tail, crc32: crc }),
  );
}

describe('a frame that is stored', () => {
  it('goes into the file between head and tail, once, with its checksum', async () => {
    const { file, append, start } = await opened();
    const rows = await packed('stored');
    const expected = Buffer.concat([start, head, sent(await packed('sent')), tail]);
    expect(await write(append, rows, crc32(start))).toBe(crc32(expected));
    expect(Buffer.compare(readFileSync(file), expected)).toBe(0);
    expect(append.size).toBe(expected.length);
    await append.append(tail);
    expect(statSync(file).size).toBe(expected.length + tail.length);
    expect(await write(append, rows)).toBeNull();
    expect(append.size).toBe(expected.length + tail.length);
  });

  it('is written while the worker scans', async () => {
    const { append } = await opened();
    const rows = await packed('stored');
    let hasEnded = false;
    const begun = Promise.withResolvers<void>();
    const long = packed('sent', { tick: 1, endNs: 15 * tickNs, onProgress: begun.resolve });
    const ended = long.then(() => (hasEnded = true));
    await begun.promise;
    expect(await write(append, rows)).not.toBeNull();
    expect(hasEnded).toBe(false);
    await ended;
  });

  it('is sent where it is short, and leaves its checksum where it is dropped', async () => {
    const brief = await packed('stored', { endNs: 1e5 });
    expect(sent(brief).length).toBeLessThan(minStoredBytes);
    const { frame, crc32: checksum } = await packed('dropped');
    expect(frame).toBeNull();
    expect(checksum).toBe((await packed('sent')).crc32);
  });

  it('is not written where the file is elsewhere, or its name another one has', async () => {
    const { file, append } = await opened();
    const rows = await packed('stored');
    const other = await packed('stored', { tick: 1 });
    renameSync(file, `${file}.moved`);
    expect(await write(append, rows)).toBeNull();
    writeFileSync(file, 'another file');
    expect(await write(append, other)).toBeNull();
    expect(readFileSync(file, 'utf8')).toBe('another file');
    expect(statSync(`${file}.moved`).size).toBe(3);
    const expected = sent(await packed('sent'));
    expect(Buffer.compare(await stored(rows).rescan(), expected)).toBe(0);
  });

  it('is refused where the disk has no room for it', async () => {
    const limited = join(temporaryFolder(), 'limitedWorker');
    writeFileSync(limited, `#!/bin/bash\nulimit -f 1\nexec '${workerBinary}' "$@"\n`);
    chmodSync(limited, 0o755);
    const { worker: by } = await openWorker(field, { threads: 1, binary: limited });
    const { file, append } = await opened();
    const rows = await packed('stored', { by });
    await expect(write(append, rows)).rejects.toMatchObject({ code: 'disk-full' });
    expect(statSync(file).size).toBe(1024);
    expect(append.size).toBe(3);
  });

  it('is lost with the process of the worker, which never writes another in its place', async () => {
    const { worker: mortal } = await openWorker(field, { threads: 2 });
    const { append, file } = await opened();
    const lost = await packed('stored', { by: mortal });
    process.kill(mortal.pid, 'SIGKILL');
    const other = await packed('stored', { tick: 1, by: mortal });
    expect(await write(append, lost)).toBeNull();
    expect(statSync(file).size).toBe(3);
    const expected = sent(await packed('sent'));
    expect(Buffer.compare(await stored(lost).rescan(), expected)).toBe(0);
    expect(await write(append, other)).not.toBeNull();
  });
});

it('a recording has the same bytes with stored frames, with sent ones, and when the worker dies in between', async () => {
  const folder = temporaryFolder();
  const files = [];
  for (const how of ['sent', 'stored', 'killed']) {
    const file = join(folder, `${how}.mcap`);
    files.push(file);
    const { worker: mortal } = await openWorker(field, { threads: 2 });
    await record(file, mortal, how === 'sent' ? 'sent' : 'stored', (tick) => {
      if (how === 'killed' && tick === 1) process.kill(mortal.pid, 'SIGKILL');
    });
  }
  const [first, ...others] = files.map((file) => readFileSync(file));
  if (first === undefined) throw new Error('there are three');
  expect(first.length).toBeGreaterThan(3 * minStoredBytes);
  for (const other of others) expect(Buffer.compare(other, first)).toBe(0);
});

/** Three ticks. @param beforeWriting called once a tick is scanned */
async function record(
  file: string,
  by: ScanWorker,
  frame: RowTemplate['frame'],
  beforeWriting: (tick: number) => void,
): Promise<void> {
  const { compiled, heights } = field;
  const about = { classes: compiled.recipe.classes, understoryVersion: '0', engine: 'e' };
  const header = { compiled, heights, isa: by.hello.isa, ...about };
  const writer = await createRecordings().create(file, header);
  for (let tick = 0; tick < 3; tick += 1) {
    const [fromNs, toNs] = [tick * tickNs, (tick + 1) * tickNs];
    const interval = { sensor: onlySensor(field), fromNs, toNs, seed: 1, misses: false };
    const packings = writer
      .packings({ sensor: 0, fromNs, toNs }, returnColumnNames)
      .map((packing) => (packing.isRaw ? packing : packingAs(frame, packing)));
    const { hash, pulses, returns, rows, packed } = await scanPacked(
      by,
      { ...interval, columns: [] },
      trajectory,
      packings,
      {},
    );
    beforeWriting(tick);
    await writer.packedScan({ tick, sensor: 0, fromNs, toNs, pulses, returns, hash, rows, packed });
  }
  await writer.close();
}
