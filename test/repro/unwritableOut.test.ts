// A place that cannot be written was found out only after the scene was built, or after the whole drive.
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { exitCodeOfCode } from '#hosts/cli/exitCodes.ts';
import { ran, runHere } from '#test/support/commandLine.ts';
import { temporaryFolder } from '#test/support/folder.ts';

it.each([
  [
    'scan',
    'box',
    '--sensor',
    'vlp-16',
    '--pose',
    '0,0,2,0',
    '--seconds',
    '0.1',
    '--out',
    'taken/a.csv',
  ],
  ['drive', 'clearing', '--json', 'taken/report.json'],
  ['drive', 'clearing', '--out', 'taken'],
])('%s %s refuses a place below a file before it builds', async (...args) => {
  const folder = temporaryFolder({ taken: 'a file' });
  const { exitCode, stderr } = await runHere(folder, ...args);
  expect(exitCode).toBe(exitCodeOfCode('io'));
  expect(stderr).toContain('cannot be written');
  expect(stderr).not.toContain('building');
  const runs = join(folder, 'data', 'runs');
  expect(existsSync(runs) ? readdirSync(runs) : []).toEqual([]);
});

it('makes the folders above a file that is asked for', async () => {
  const folder = temporaryFolder();
  const args = ['--pose', '0,0,2,0', '--seconds', '0.01', '--out', 'new/folder/a.csv'];
  await ran(folder, 'scan', 'box', '--sensor', 'vlp-16', ...args);
  expect(existsSync(join(folder, 'new/folder/a.csv'))).toBe(true);
});
