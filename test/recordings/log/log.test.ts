// Logs on disk: the golden file, round trips, chunks, and the refusal of files that were cut off or changed.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { UnderstoryError } from '#contract/errors.ts';
import { type LogHead, logHeadSchema, type LogTable } from '#contract/log/log.ts';
import { createExporters } from '#recordings/export/exporters.ts';
import { createLogs } from '#recordings/log/logs.ts';
import type { LogReader } from '#services/ports/logs.ts';
import { seededRandom } from '../samples.ts';
import { temporaryFolder } from '#test/support/folder.ts';
import { turningBeams } from './turningBeams.ts';
import { damagedLogs } from './damages.ts';
import { goldenChunks, goldenCounts, goldenHead, goldenLog } from './writeGolden.ts';

const logs = createLogs(createExporters({ dataFolder: null }));
const golden = new URL('golden.log', import.meta.url).pathname;
const damaged = new URL('damaged', import.meta.url).pathname;
const head: LogHead = logHeadSchema.parse(goldenHead);

/** All beams of a log in one table of plain numbers. */
async function allBeams(log: LogReader): Promise<Record<string, number[]>> {
  const all: Record<string, number[]> = {};
  for await (const { table } of log.tables()) {
    for (const [name, array] of Object.entries(table)) {
      (all[name] ??= []).push(...Array.from(array as Float32Array, Number));
    }
  }
  return all;
}

async function written(file: string, beams: number, pieces = 1): Promise<string> {
  const writer = await logs.create(file, head, { isReplacing: true });
  const table = turningBeams(beams);
  const step = Math.ceil(beams / pieces);
  for (let row = 0; row < beams; row += step) {
    const part = Object.fromEntries(
      Object.entries(table).map(([name, array]) => [name, array.subarray(row, row + step)]),
    );
    await writer.write(part as unknown as LogTable, Math.min(step, beams - row));
  }
  return (await writer.close()).hash;
}

test('the golden log has the bytes that LOG.md describes', () => {
  expect(readFileSync(golden).equals(goldenLog())).toBe(true);
});

test('the golden log is read', async () => {
  const log = await logs.open(golden);
  expect(log.head).toEqual(goldenHead);
  expect(log.counts).toEqual(goldenCounts);
  expect(log.chunks.map(({ minM, maxM }) => [...minM, ...maxM])).toEqual(
    goldenChunks.map(({ box }) => box),
  );
  expect(log.chunks.map(({ fromNs, toNs }) => [fromNs, toNs])).toEqual([
    [1000n, 4000n],
    [5000n, 5000n],
  ]);
  const beams = await allBeams(log);
  expect(beams['origin_x_m']).toEqual([12, 12.125, 12.25, 12.375, 12.5]);
  expect(beams['range_m']).toEqual([10.5, NaN, NaN, NaN, 2]);
  expect(beams['state']).toEqual([1, 2, 3, 0, 1]);
  expect(beams['laser']).toEqual([0, 1, 2, 65_535, 1]);
  expect(beams['label']).toEqual([2, 0, 0, 0, 1]);
  await log.close();
});

test('beams come back as they were written, whatever the pieces were', async () => {
  const folder = temporaryFolder();
  const beams = 150_000;
  const hash = await written(`${folder}/a.log`, beams);
  expect(await written(`${folder}/b.log`, beams, 7)).toBe(hash);
  expect(readFileSync(`${folder}/b.log`).equals(readFileSync(`${folder}/a.log`))).toBe(true);
  const log = await logs.open(`${folder}/a.log`);
  expect(log.hash).toBe(hash);
  expect(log.chunks.map((chunk) => chunk.beams)).toEqual([65_536, 65_536, 18_928]);
  expect(log.counts).toMatchObject({ beams, returns: 100_000, misses: 50_000 });
  const read = await allBeams(log);
  const expected = turningBeams(beams);
  for (const [name, array] of Object.entries(expected)) {
    const error = Math.max(
      ...[0, 1, 65_535, 65_536, beams - 1].map((row) =>
        Math.abs(Number(array[row] ?? NaN) - (read[name]?.[row] ?? NaN)),
      ),
    );
    // Single precision of 655 m from the origin of the chunk.
    expect(Number.isNaN(error) ? 0 : error, name).toBeLessThan(4e-5);
  }
  expect(read['time_ns']?.[131_072]).toBe(131_072_000);
  await log.close();
});

test('others get their turn while a chunk is read', async () => {
  const file = `${temporaryFolder()}/long.log`;
  const beams = 65_536;
  await written(file, beams);
  const log = await logs.open(file);
  expect(log.chunks.length).toBe(1);
  let turns = 0;
  let isReading = true;
  const other = (async () => {
    for (; isReading; turns += 1) await setImmediate();
  })();
  const turnsAt: number[] = [];
  for await (const table of log.tables()) {
    // 62 bytes a beam: well below 1 MB at a time.
    expect(table.beams).toBeLessThanOrEqual(8192);
    turnsAt.push(turns);
  }
  isReading = false;
  await other;
  await log.close();
  expect(turnsAt.length).toBeGreaterThanOrEqual(8);
  for (const [index, at] of turnsAt.slice(1).entries()) {
    expect(at, `table ${index + 1}`).toBeGreaterThan(turnsAt[index] ?? Infinity);
  }
});

test('a log of no beams is a log', async () => {
  const file = `${temporaryFolder()}/empty.log`;
  await written(file, 0);
  const log = await logs.open(file);
  expect(log.counts.beams).toBe(0);
  expect(await allBeams(log)).toEqual({});
  await log.close();
});

test('every truncation is refused in one sentence', async () => {
  const file = `${temporaryFolder()}/cut.log`;
  const whole = goldenLog();
  for (let bytes = 0; bytes < whole.length; bytes += 7) {
    writeFileSync(file, whole.subarray(0, bytes));
    await expect(logs.open(file), `${bytes} bytes`).rejects.toMatchObject({
      code: 'corrupt',
      message: expect.stringMatching(/cut\.log (is no log of Understory|was cut off)/) as string,
    });
  }
});

test('a changed byte is refused, or changes nothing that the hash is over', async () => {
  const file = `${temporaryFolder()}/changed.log`;
  const whole = goldenLog();
  const expected = JSON.stringify(await valuesOf(golden));
  let refused = 0;
  const random = seededRandom(6);
  // Why chosen: all of them, one by one, take a minute.
  const places = Array.from({ length: 200 }, () => Math.floor(random() * whole.length));
  for (const at of places) {
    const changed = Buffer.from(whole);
    changed[at] = (changed[at] ?? 0) ^ (1 << Math.floor(8 * random()));
    writeFileSync(file, changed);
    try {
      // Why it may be read: a few bits of zstd's own are unused.
      expect(JSON.stringify(await valuesOf(file)), `byte ${at}`).toBe(expected);
    } catch (error) {
      expect(error, `byte ${at}`).toBeInstanceOf(UnderstoryError);
      expect((error as UnderstoryError).code).toMatch(/^(corrupt|unsupported)$/);
      refused += 1;
    }
  }
  expect(places.length - refused).toBeLessThan(5);
});

test('the damaged logs are those that damages.ts lays out', () => {
  expect(readdirSync(damaged).sort()).toEqual([...damagedLogs().keys()].sort());
  for (const [name, bytes] of damagedLogs()) {
    expect(readFileSync(`${damaged}/${name}`).equals(bytes), name).toBe(true);
  }
});

test.each([...damagedLogs().keys()])('%s is refused, as by the native reader', async (name) => {
  await expect(valuesOf(`${damaged}/${name}`)).rejects.toMatchObject({ code: 'corrupt' });
});

test('a newer version and a file of another kind are refused by name', async () => {
  const folder = temporaryFolder();
  writeFileSync(`${folder}/text.log`, 'beams\n'.repeat(100));
  await expect(logs.open(`${folder}/text.log`)).rejects.toThrow('text.log is no log of Understory');
  await expect(logs.open(`${folder}/none.log`)).rejects.toMatchObject({ code: 'not-found' });
});

test('values that no log has are not written', async () => {
  const folder = temporaryFolder();
  const writer = await logs.create(`${folder}/bad.log`, head, { isReplacing: false });
  const table = turningBeams(2);
  table.direction_x[1] = 3;
  await expect(writer.write(table, 2)).rejects.toThrow('expected a direction of length 1');
  await writer.abort();
});

/** All that a log states. */
async function valuesOf(file: string): Promise<unknown> {
  const log = await logs.open(file);
  try {
    return [log.head, log.counts, await allBeams(log)];
  } finally {
    await log.close();
  }
}
