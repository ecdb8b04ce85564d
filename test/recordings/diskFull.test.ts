// A disk that fills up while a run is recorded or exported: a clear error, and nothing corrupt. The limit
// is the operating system's own (`ulimit -f`), set on a child process.
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { createRecordings } from '#recordings/recordings.ts';
import { temporaryFolder } from '#test/support/folder.ts';

const child = fileURLToPath(new URL('./fillDisk.ts', import.meta.url));

/** Runs the child with files limited to `kilobytes`; gives what it reports. */
function runLimited(
  kilobytes: number,
  what: 'record' | 'recover' | 'export',
  file: string,
): unknown {
  const script = `ulimit -f ${kilobytes} && exec "$0" "$@"`;
  const args = ['-c', script, process.execPath, child, what, file];
  return JSON.parse(execFileSync('bash', args, { encoding: 'utf8' }));
}

test('a full disk is reported and the recording keeps its whole chunks', async () => {
  const file = join(temporaryFolder(), 'run.mcap');
  expect(runLimited(400, 'record', file)).toMatchObject({ code: 'disk-full' });
  expect(statSync(file).size).toBeLessThanOrEqual(400 * 1024);
  const recordings = createRecordings();
  const reader = await recordings.open(file);
  const scans = await Array.fromAsync(reader.scans());
  await reader.close();
  expect(scans.length).toBeGreaterThan(1);
  expect((await recordings.recover(file)).scans).toBe(scans.length);
});

test('a recording is closed where the disk has no room for its end, in place of its last chunk', async () => {
  const file = join(temporaryFolder(), 'run.mcap');
  runLimited(400, 'record', file);
  const recordings = createRecordings();
  const scansOf = async (): Promise<{ scans: number; isComplete: boolean }> => {
    const reader = await recordings.open(file);
    const scans = await Array.fromAsync(reader.scans());
    await reader.close();
    return { scans: scans.length, isComplete: reader.isComplete };
  };
  const { scans } = await scansOf();
  const kilobytes = Math.ceil(statSync(file).size / 1024);
  expect(runLimited(kilobytes, 'recover', file)).toEqual({ code: null });
  expect(statSync(file).size).toBeLessThanOrEqual(kilobytes * 1024);
  // A chunk holds the scans of a tick, of two sensors.
  expect(await scansOf()).toEqual({ scans: scans - 2, isComplete: true });
});

test('an export that fills the disk leaves the file that it was to replace', () => {
  const file = join(temporaryFolder(), 'cloud.ply');
  writeFileSync(file, 'as it was');
  expect(runLimited(100, 'export', file)).toMatchObject({ code: 'disk-full' });
  expect(readFileSync(file, 'utf8')).toBe('as it was');
  expect(existsSync(`${file}.part`)).toBe(false);
});

test('an export that fills the disk leaves no file behind', () => {
  const file = join(temporaryFolder(), 'cloud.ply');
  expect(runLimited(100, 'export', file)).toMatchObject({ code: 'disk-full' });
  expect(existsSync(file)).toBe(false);
  expect(existsSync(`${file}.part`)).toBe(false);
});
