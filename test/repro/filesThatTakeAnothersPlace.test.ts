// `scan --out a.csv --rays a.csv` wrote the rays over the returns and said that all was well; `sensor show --out
// a.jpg` wrote a PNG under that name.
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { exitCodeOfCode } from '#hosts/cli/exitCodes.ts';
import { runHere } from '#test/support/commandLine.ts';
import { temporaryFolder } from '#test/support/folder.ts';

const scan = [
  'scan',
  'box',
  '--sensor',
  'full-waveform',
  '--pose',
  '0,0,2,0',
  '--seconds',
  '0.001',
];

it.each([
  ['rays', ['--out', 'a.csv', '--rays', './a.csv']],
  ['waveforms', ['--out', 'a.csv', '--rays', 'a.npz', '--waveforms', 'a.npz']],
])('refuses %s in a file that something else goes into', async (option, files) => {
  const folder = temporaryFolder();
  const { exitCode, stderr } = await runHere(folder, ...scan, ...files);
  expect(exitCode).toBe(exitCodeOfCode('bad-input'));
  expect(stderr).toContain(`${option}: expected another file than that of the r`);
  expect(readdirSync(folder).filter((name) => name.startsWith('a.'))).toEqual([]);
});

it('refuses a picture of a sensor under a name that is not a PNG', async () => {
  const folder = temporaryFolder();
  const { exitCode, stderr } = await runHere(folder, 'sensor', 'show', 'vlp-16', '--out', 'a.jpg');
  expect(exitCode).toBe(exitCodeOfCode('bad-input'));
  expect(stderr).toContain('out: expected a file that ends in .png, found');
  expect(existsSync(join(folder, 'a.jpg'))).toBe(false);
});
