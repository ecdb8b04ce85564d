// `understory poses` of a scenario: lines as TUM files have them.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { exitCodeOfCode } from '#hosts/cli/exitCodes.ts';
import { temporaryFolder } from '#test/support/folder.ts';
import { ran, runHere } from '#test/support/commandLine.ts';

it('writes a group for each object of the box scenario, where its file puts it', async () => {
  const folder = temporaryFolder();
  const args = ['--from', '1', '--to', '2', '--step', '0.5', '--out', 'poses.txt'];
  await ran(folder, 'poses', 'box', '--objects', 'box,sph*', ...args);
  const lines = readFileSync(join(folder, 'poses.txt'), 'utf8').trimEnd().split('\n');
  const from = lines.indexOf('# object box class box');
  expect(lines.slice(0, from).every((line) => line.startsWith('# '))).toBe(true);
  expect(lines.slice(from)).toEqual([
    '# object box class box',
    '1.000000000 5.5 0 1 0 0 0 1',
    '1.500000000 5.5 0 1 0 0 0 1',
    '2.000000000 5.5 0 1 0 0 0 1',
    '# object sphere class sphere',
    '1.000000000 -8 0 1 0 0 0 1',
    '1.500000000 -8 0 1 0 0 0 1',
    '2.000000000 -8 0 1 0 0 0 1',
  ]);
});

it('refuses what is neither a run nor a scenario', async () => {
  const { exitCode, stderr } = await runHere(temporaryFolder(), 'poses', 'bix', '--out', 'a.txt');
  expect(exitCode).toBe(exitCodeOfCode('bad-input'));
  expect(stderr).toContain("'bix'");
});
