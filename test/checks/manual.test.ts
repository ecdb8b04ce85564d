// The manual: README.md leads to every page, links and pictures of the documents exist, and no page is left out.
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { manualPages } from '#contract/host/manualMethods.ts';
import { projectRoot } from '#test/stages.ts';

const folder = path.join(projectRoot, 'assets/manual');
const read = (file: string): string => readFileSync(path.join(projectRoot, file), 'utf8');
const linksOf = (file: string): string[] =>
  [...read(file).matchAll(/\]\(([^)]+)\)/g)].map(([, target = '']) => target);
const documents = ['README.md', ...manualPages.map((page) => `assets/manual/${page}.md`)];

it('has the pages of its folder, each with a title of its own', () => {
  expect(readdirSync(folder).sort()).toEqual(manualPages.map((page) => `${page}.md`).sort());
  const titles = manualPages.map((page) => /^# (.+)\n/.exec(read(`assets/manual/${page}.md`))?.[1]);
  expect(new Set(titles).size).toBe(manualPages.length);
  expect(titles).not.toContain(undefined);
});

it('is reached from README.md, which is short', () => {
  const links = linksOf('README.md');
  for (const page of manualPages) expect(links).toContain(`assets/manual/${page}.md`);
  expect(read('README.md').length).toBeLessThan(10_000);
});

describe.each([
  ...documents,
  'ARCHITECTURE.md',
  'CONTRIBUTING.md',
  'PERFORMANCE.md',
  'PHYSICS.md',
  'assets/validation/results.md',
])('%s', (document) => {
  it('links to files that exist', () => {
    for (const target of linksOf(document)) {
      if (target.startsWith('https:')) continue;
      const file = path.join(projectRoot, path.dirname(document), target.replace(/#.*$/, ''));
      expect(existsSync(file), `${document}: ${target}`).toBe(true);
    }
  });
});

it('has the example of README.md on its page Scenarios', () => {
  const [, example] = /```yaml\n([\s\S]*?)```/.exec(read('README.md')) ?? [];
  expect(example).toMatch(/^# post\.understory\.yaml\n/);
  expect(read('assets/manual/scenarios.md')).toContain(example);
});

it('shows every picture of assets/pictures', () => {
  const shown = documents.flatMap(linksOf).map((target) => path.basename(target));
  for (const picture of readdirSync(path.join(projectRoot, 'assets/pictures'))) {
    expect(shown).toContain(picture);
  }
});
