// Frames that stay in the worker: it writes them into a file that this process has open, with the same bytes as those that
// are sent, while it scans, and through its death. The rows are those of a real scan of grass.
import { readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { crc32 } from 'node:zlib';
import { describe, expect, it, onTestFinished } from 'vitest';
import { returnColumnNames } from '#contract/columns.ts';
import { maxKeptFrames, minKeptBytes, type RowTemplate } from '#contract/worker/rowTemplate.ts';
import { type AppendFile, openAppendFile } from '#files/appendFile.ts';
import { createRecordings } from '#recordings/recordings.ts';
import { cloudPacking } from '#recordings/ros/cloudPacking.ts';
import { scanPacked } from '#services/runProcess/packedScan.ts';
import type { KeptFrame, PackedRows, RowPacking, ScanWorker } from '#services/ports/workers.ts';
import { temporaryFolder } from '#test/support/folder.ts';
import { straight } from '#validation/trajectories.ts';
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
  { tick = 0, endNs, by = worker }: { tick?: number; endNs?: number; by?: ScanWorker } = {},
): Promise<PackedRows> {
  const fromNs = tick * tickNs;
  const toNs = endNs ?? fromNs + tickNs;
  const message = { channelId: 9, sequence: tick, timeNs: toNs, fromNs };
  const interval = { sensor: onlySensor(field), fromNs, toNs, seed: 1, misses: false };
  const packings = [packingAs(use, cloudPacking(message, returnColumnNames))];
  const { packed } = await scanPacked(by, { ...interval, columns: [] }, trajectory, packings, {});
  const [rows] = packed;
  if (rows === undefined) throw new Error('nothing was packed');
  return rows;
}

function kept({ frame }: PackedRows): KeptFrame {
  if (frame === null || frame instanceof Uint8Array) throw new TypeError('it is not kept');
  return frame;
}

function sent({ frame }: PackedRows): Uint8Array {
  if (frame instanceof Uint8Array) return frame;
  throw new TypeError('it is not sent');
}

/** So many more short ones. */
async function keepMore(by: ScanWorker, frames: number): Promise<void> {
  for (let more = 0; more < frames; more += 1) kept(await packed('kept', { by, endNs: 1e7 }));
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
    kept(rows).write({ ...end, head, tail, crc32: crc }),
  );
}

describe('a frame that is kept', () => {
  it('goes into the file between head and tail, once, with its checksum', async () => {
    const { file, append, start } = await opened();
    const rows = await packed('kept');
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
    const rows = await packed('kept');
    let hasEnded = false;
    const long = packed('sent', { tick: 1, endNs: 15 * tickNs }).then(() => (hasEnded = true));
    await delay(20);
    expect(await write(append, rows)).not.toBeNull();
    expect(hasEnded).toBe(false);
    await long;
  });

  it('comes along where it is short, and leaves its checksum where it is dropped', async () => {
    const brief = await packed('kept', { endNs: 1e5 });
    expect(sent(brief).length).toBeLessThan(minKeptBytes);
    const { frame, crc32: checksum } = await packed('dropped');
    expect(frame).toBeNull();
    expect(checksum).toBe((await packed('sent')).crc32);
  });

  it('is refused by a file that is gone, or whose name another one has', async () => {
    const { file, append } = await opened();
    const rows = await packed('kept');
    const other = await packed('kept', { tick: 1 });
    renameSync(file, `${file}.moved`);
    await expect(write(append, rows)).rejects.toMatchObject({ code: 'io', details: { file } });
    writeFileSync(file, 'another file');
    await expect(write(append, other)).rejects.toMatchObject({ code: 'io', details: { file } });
    expect(readFileSync(file, 'utf8')).toBe('another file');
    expect(statSync(`${file}.moved`).size).toBe(3);
    rmSync(file);
  });

  it('is refused where the file would grow beyond what the disk can hold', async () => {
    const { append, file } = await opened();
    const rows = kept(await packed('kept'));
    const call = append.appendElsewhere(0, (end) =>
      rows.write({ ...end, offset: Number.MAX_SAFE_INTEGER - 1e9, head, tail, crc32: 0 }),
    );
    await expect(call).rejects.toMatchObject({ code: 'disk-full' });
    expect(statSync(file).size).toBe(3);
  });

  it('is lost when too many wait or the worker dies, and made again to the byte', async () => {
    const { worker: mortal } = await openWorker(field, { threads: 2 });
    const { append, file } = await opened();
    const first = await packed('kept', { by: mortal });
    await keepMore(mortal, maxKeptFrames - 1);
    expect(await write(append, first)).not.toBeNull();
    const oldest = await packed('kept', { by: mortal });
    await keepMore(mortal, maxKeptFrames);
    expect(await write(append, oldest)).toBeNull();
    const last = await packed('kept', { by: mortal });
    const { size } = statSync(file);
    process.kill(mortal.pid, 'SIGKILL');
    expect(await write(append, last)).toBeNull();
    expect(statSync(file).size).toBe(size);
    const expected = sent(await packed('sent'));
    expect(Buffer.compare(await kept(last).again(), expected)).toBe(0);
  });
});

it('a recording has the same bytes with kept frames, with sent ones, and when the worker dies in between', async () => {
  const { worker: mortal } = await openWorker(field, { threads: 2 });
  const folder = temporaryFolder();
  const files = [];
  for (const how of ['sent', 'kept', 'killed']) {
    const file = join(folder, `${how}.mcap`);
    files.push(file);
    await record(file, mortal, how === 'sent' ? 'sent' : 'kept', (tick) => {
      if (how === 'killed' && tick === 1) process.kill(mortal.pid, 'SIGKILL');
    });
  }
  const [first, ...others] = files.map((file) => readFileSync(file));
  if (first === undefined) throw new Error('there are three');
  expect(first.length).toBeGreaterThan(3 * minKeptBytes);
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
