// `runs plants`: truth of the plants of a run, saved in the catalogue for every run of the scene.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { openSqlite } from '#catalogue/sqlite.ts';
import { printedJson, ran, runHere } from '#test/support/commandLine.ts';
import { temporaryFolder } from '#test/support/folder.ts';

const data = (folder: string): string[] => ['--data', join(folder, 'data')];

it('are those of the scenario, and are measured once for two runs of one scene', async () => {
  const folder = temporaryFolder();
  const drive = ['drive', 'clearing', '--seconds', '0.1', ...data(folder)];
  await ran(folder, ...drive);
  await ran(folder, ...drive);
  const runs = await printedJson<{ runs: { id: string }[] } | { id: string }[]>(
    folder,
    ...['runs', 'list', ...data(folder)],
  );
  const ids = (Array.isArray(runs) ? runs : runs.runs).map(({ id }) => id);
  expect(ids).toHaveLength(2);
  await ran(folder, 'scenario', 'truth', 'clearing', '--out', 'trees.csv');
  const expected = readFileSync(join(folder, 'trees.csv'), 'utf8');
  const rowsOfPlants = (): number => {
    const catalogue = openSqlite(join(folder, 'data', 'catalogue.sqlite'), { timeoutMs: 5000 });
    const count = catalogue.prepare<[], number>('SELECT count(*) FROM scene_plants').pluck().get();
    catalogue.close();
    return count ?? 0;
  };
  expect(rowsOfPlants()).toBe(0);
  for (const [index, id] of ids.entries()) {
    await ran(folder, 'runs', 'plants', id, '--out', `run-${index}.csv`, ...data(folder));
  }
  const [first, second] = ids.map((_, index) => {
    return readFileSync(join(folder, `run-${index}.csv`), 'utf8');
  });
  expect([first, second]).toEqual([expected, expected]);
  expect(rowsOfPlants()).toBe(1);
  await ran(folder, 'runs', 'plants', ids[0] ?? '', '--out', 'again.csv', ...data(folder));
  expect(readFileSync(join(folder, 'again.csv'), 'utf8')).toBe(first);
  expect(rowsOfPlants()).toBe(1);
  // Before anything is built.
  const refused = await runHere(
    folder,
    'runs',
    'plants',
    ids[0] ?? '',
    '--out',
    'again.csv',
    ...data(folder),
  );
  expect(refused.stderr).toContain('again.csv');
  expect(refused.exitCode).not.toBe(0);
});
