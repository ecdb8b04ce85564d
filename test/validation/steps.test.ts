// Steps of long experiments: stored, used again, done again where inputs or engine differ.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { createNodeFiles } from '#hosts/node/nodeFiles.ts';
import { createNodeScratchFiles } from '#hosts/node/nodeScratchFiles.ts';
import { assetsFolder } from '#hosts/packageFolders.ts';
import { withSiteFiles } from '#validation/learned/files.ts';
import { openSteps } from '#validation/steps.ts';

const parent = mkdtempSync(join(tmpdir(), 'understory-'));
const folder = join(parent, 'learned.steps');
const files = createNodeFiles({ assetsFolder });
afterAll(() => rmSync(parent, { recursive: true, force: true }));

it('uses a result again only with the same inputs and the same engine', async () => {
  let done = 0;
  const work = (): Promise<{ value: number }> => Promise.resolve({ value: (done += 1) });
  const first = openSteps(files, folder, 'engine 1');
  expect(await first.step('a', { size: 1 }, work)).toEqual({ value: 1 });
  expect(await openSteps(files, folder, 'engine 1').step('a', { size: 1 }, work)).toEqual({
    value: 1,
  });
  expect(await first.step('a', { size: 2 }, work)).toEqual({ value: 2 });
  expect(await openSteps(files, folder, 'engine 2').step('a', { size: 2 }, work)).toEqual({
    value: 3,
  });
});

it('does a step again whose file was cut off, and stores nothing without a folder', async () => {
  const work = (): Promise<string> => Promise.resolve('done');
  const steps = openSteps(files, folder, 'engine');
  await steps.step('b', {}, work);
  writeFileSync(join(folder, 'b.json'), '{"key": "');
  expect(await steps.step('b', {}, work)).toBe('done');
  const none = openSteps(files, null, 'engine');
  let done = 0;
  const count = (): Promise<number> => Promise.resolve((done += 1));
  await none.step('c', {}, count);
  expect(await none.step('c', {}, count)).toBe(2);
});

it('makes the folder of logs and models of an experiment before its first file', async () => {
  const stepsFolder = join(parent, 'site.steps');
  const scratch = createNodeScratchFiles({ dataFolder: parent });
  const steps = openSteps(files, stepsFolder, 'engine');
  await withSiteFiles({ files, scratch }, steps, (fileOf) => {
    // As a log is written: its folder must be there.
    writeFileSync(fileOf('training.log'), 'beams');
    return Promise.resolve();
  });
  expect(readFileSync(join(stepsFolder, 'training.log'), 'utf8')).toBe('beams');
});
