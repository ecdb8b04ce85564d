// `understory manual`: the list of pages, and each page as it is in assets/manual.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { manualPages, type ManualPage } from '#contract/host/manualMethods.ts';
import { temporaryFolder } from '#test/support/folder.ts';
import { projectRoot } from '#test/stages.ts';
import { ran, runHere } from '#test/support/commandLine.ts';

it('lists the pages with their titles', async () => {
  const folder = temporaryFolder();
  const lines = (await ran(folder, 'manual')).trim().split('\n').slice(2);
  expect(lines.map((line) => line.split(/\s/)[0])).toEqual([...manualPages]);
  const pages = JSON.parse(await ran(folder, 'manual', '--json')) as ManualPage[];
  expect(pages.map(({ name }) => name)).toEqual([...manualPages]);
});

it('prints a page, and refuses others with the names that there are', async () => {
  const folder = temporaryFolder();
  const file = join(projectRoot, 'assets/manual/surveys.md');
  expect(await ran(folder, 'manual', 'surveys')).toBe(await readFile(file, 'utf8'));
  const refused = await runHere(folder, 'manual', 'survey');
  expect(refused.exitCode).not.toBe(0);
  expect(refused.stderr).toContain('surveys');
});
