// `understory runs` over a catalogue on disk: finding, marking, trash.
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openCatalogue } from '#catalogue/catalogue.ts';
import { createNodeRunFolders } from '#hosts/node/nodeRunFolders.ts';
import { sampleRun } from '#test/catalogue/sampleScene.ts';
import { temporaryFolder } from '#test/support/folder.ts';
import { runHere } from '#test/support/commandLine.ts';

/** Three ended runs; ids end in 1, 2 and 3. */
function dataWithRuns(): string {
  const folder = temporaryFolder();
  const dataFolder = join(folder, 'data');
  const catalogue = openCatalogue(join(dataFolder, 'catalogue.sqlite'));
  const folders = createNodeRunFolders({ dataFolder });
  for (const number of [1, 2, 3]) {
    const { id } = sampleRun(number);
    folders.create(id);
    catalogue.insertRun(sampleRun(number));
    const end = { state: 'finished', end: 'goal', metrics: null, error: null, endedMs: 1 } as const;
    catalogue.endRun(id, end);
  }
  catalogue.dispose();
  return folder;
}

async function listed(folder: string, ...options: string[]): Promise<string[]> {
  const { stdout } = await runHere(folder, 'runs', 'list', '--json', ...options);
  return (JSON.parse(stdout) as { name: string }[]).map(({ name }) => name);
}

test('runs are tagged, noted and found again', async () => {
  const folder = dataWithRuns();
  const [first, second] = [sampleRun(1).id, sampleRun(2).id];
  expect((await runHere(folder, 'runs', 'tag', first, '--add', 'wet,old')).stdout).toBe(
    'old, wet\n',
  );
  expect((await runHere(folder, 'runs', 'tag', first, '--remove', 'old')).stdout).toBe('wet\n');
  await runHere(folder, 'runs', 'note', second, 'after the rain');
  expect((await runHere(folder, 'runs', 'note', second)).stdout).toBe('after the rain\n');
  expect(await listed(folder, '--tag', 'wet')).toEqual(['run 1']);
  expect(await listed(folder, '--search', 'rai')).toEqual(['run 2']);
  expect(await listed(folder, '--sort', 'name', '--ascending', '--limit', '2')).toEqual([
    'run 1',
    'run 2',
  ]);
  expect(await listed(folder, '--from', '2100-01-01')).toEqual([]);
  const refused = await runHere(folder, 'runs', 'list', '--from', 'yesterday');
  expect(refused.exitCode).not.toBe(0);
  expect(refused.stderr).toContain('expected a date such as 2026-11-20');
  const spaced = await runHere(folder, 'runs', 'tag', first, '--add', 'two words');
  expect(spaced.stderr).toContain('without spaces');
});

test('the trash takes runs, gives them back, and is emptied', async () => {
  const folder = dataWithRuns();
  const [first, second] = [sampleRun(1).id, sampleRun(2).id];
  await runHere(folder, 'runs', 'trash', first);
  await runHere(folder, 'runs', 'delete', second);
  expect(await listed(folder)).toEqual(['run 3']);
  expect(await listed(folder, '--only-trash')).toEqual(['run 2', 'run 1']);
  await runHere(folder, 'runs', 'restore', second);
  expect(await listed(folder)).toEqual(['run 3', 'run 2']);
  expect((await runHere(folder, 'runs', 'empty')).stderr).toContain('1 runs removed');
  expect(await listed(folder, '--trash')).toEqual(['run 3', 'run 2']);
});
