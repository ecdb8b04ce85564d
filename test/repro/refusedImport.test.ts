// A scenario that an import refused left its plants and heights there, in place of files that had been there before.
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { runHere } from '#test/support/commandLine.ts';
import { temporaryFolder } from '#test/support/folder.ts';

/** The second tree is farther from the first than a scene reaches: the scenario has problems. */
const farApart = 'x,y,species,height,crown\n0,0,Quercus robur,18,9\n50000,0,Quercus robur,18,9\n';
const near = 'x,y,species,height,crown\n0,0,Quercus robur,18,9\n';

it('leaves nothing of a scenario with problems, and what was there as it was', async () => {
  const folder = temporaryFolder();
  const plot = join(folder, 'plot');
  writeFileSync(join(folder, 'far.csv'), farApart);
  writeFileSync(join(folder, 'near.csv'), near);
  const importOf = (list: string, ...more: string[]) =>
    runHere(folder, 'scenario', 'import', list, '--out', 'plot/stand.yaml', ...more);
  mkdirSync(plot);
  const refused = await importOf('far.csv');
  expect(refused.exitCode).not.toBe(0);
  expect(refused.stderr).toContain('within 10 km');
  expect(readdirSync(plot)).toEqual([]);

  expect((await importOf('near.csv')).exitCode).toBe(0);
  const names = readdirSync(plot).sort();
  expect(names.length).toBeGreaterThan(1);
  for (const name of names) writeFileSync(join(plot, name), `my own ${name}`);
  expect((await importOf('far.csv', '--force')).exitCode).not.toBe(0);
  expect(readdirSync(plot).sort()).toEqual(names);
  expect(names.map((name) => readFileSync(join(plot, name), 'utf8'))).toEqual(
    names.map((name) => `my own ${name}`),
  );

  expect((await importOf('near.csv', '--force')).exitCode).toBe(0);
  expect(readdirSync(plot).sort()).toEqual(names);
  for (const name of names) expect(readFileSync(join(plot, name), 'utf8')).not.toContain('my own');
}, 300_000);
