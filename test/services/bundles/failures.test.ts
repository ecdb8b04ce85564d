// Failures while runs are packed and unpacked: a disk that fills up, a catalogue of a later version, a caller that
// cancels. Each ends with one sentence, and leaves nothing behind.
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { expect, it } from 'vitest';
import { exitCodeOfCode } from '#hosts/cli/exitCodes.ts';
import { mainFile, printedJson, ran, runHere } from '#test/support/commandLine.ts';
import { temporaryFolder } from '#test/support/folder.ts';
import { drivenRun, pack } from './packedRun.ts';

const folder = temporaryFolder();
const whole = join(folder, 'whole.understory');
const runId = await drivenRun(folder);
await pack(folder, runId, whole, '--recording');

/** A command whose files may have so many kilobytes: the operating system's own limit. */
function limited(
  kilobytes: number,
  ...args: string[]
): { status: number | null; stdout: string; stderr: string } {
  const script = `ulimit -f ${kilobytes} && exec "$0" "$@"`;
  return spawnSync('bash', ['-c', script, process.execPath, mainFile, '--quiet', ...args], {
    encoding: 'utf8',
  });
}

/** Contents of a data folder besides its catalogue and its log. */
function contentsOf(dataFolder: string): string[] {
  const names = readdirSync(dataFolder, { recursive: true, withFileTypes: true });
  return names
    .filter((entry) => entry.isFile() && !/^(catalogue|log)/.test(entry.name))
    .map(({ name }) => name);
}

it('packs nothing on a full disk, and leaves the file that it was to replace', () => {
  const data = join(folder, 'data');
  const kilobytes = Math.floor(statSync(whole).size / 1024 / 2);
  const out = join(temporaryFolder(), 'x.understory');
  writeFileSync(out, 'as it was');
  const args = ['--data', data, 'runs', 'pack', runId, '--recording', '--force', '--out', out];
  const packed = limited(kilobytes, ...args);
  expect(packed.status, packed.stderr).toBe(exitCodeOfCode('disk-full'));
  expect(packed.stderr.trim().split('\n')).toHaveLength(1);
  expect(readFileSync(out, 'utf8')).toBe('as it was');
  expect(readdirSync(join(out, '..'))).toEqual(['x.understory']);
});

it('unpacks nothing on a disk that fills up: no row, no file', async () => {
  const kilobytes = Math.floor(statSync(whole).size / 1024 / 2);
  const there = temporaryFolder();
  const data = join(there, 'data');
  const unpacked = limited(kilobytes, '--data', data, 'runs', 'unpack', whole);
  expect(unpacked.status, unpacked.stderr).toBe(exitCodeOfCode('disk-full'));
  expect(unpacked.stderr.trim().split('\n')).toHaveLength(1);
  expect(contentsOf(data)).toEqual([]);
  expect(await printedJson(there, 'runs', 'list')).toEqual([]);
  // With room it is taken as a whole.
  await ran(there, 'runs', 'unpack', whole);
});

it('takes nothing from a data folder of a later version, and leaves it as it is', async () => {
  const later = temporaryFolder();
  await runHere(later, 'runs', 'unpack', whole);
  const file = join(later, 'data/catalogue.sqlite');
  const database = new Database(file);
  database.pragma('user_version = 99');
  database.close();
  const there = temporaryFolder();
  const { exitCode, stderr } = await runHere(
    there,
    '--quiet',
    'runs',
    'unpack',
    join(later, 'data'),
  );
  expect(exitCode).toBe(exitCodeOfCode('unsupported'));
  expect(stderr).toContain('is of version 99');
  expect(stderr.trim().split('\n')).toHaveLength(1);
  expect(contentsOf(join(there, 'data'))).toEqual([]);
  const again = new Database(file);
  expect(again.pragma('user_version', { simple: true })).toBe(99);
  again.close();
});
