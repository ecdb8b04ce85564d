// The report in assets/validation is of the experiments that there are, and all of its criteria hold.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { projectRoot } from '#test/stages.ts';
import { experiments } from '#validation/experiments.ts';

it('has every experiment but the mutants, which need a build of their own', () => {
  const report = readFileSync(join(projectRoot, 'assets/validation/report.md'), 'utf8');
  const named = [...report.matchAll(/^`npm run validate -- --only (\S+)`$/gm)].map(
    ([, name]) => name,
  );
  const isShort = report.includes('the shorter form');
  const expected = experiments
    .filter(({ name, isFullOnly }) => name !== 'mutants' && !(isShort && isFullOnly === true))
    .map(({ name }) => name);
  expect(named).toEqual(expected);
  const [, held, all] = /^\*\*(\d+) of (\d+) criteria hold/m.exec(report) ?? [];
  expect(Number(held)).toBeGreaterThan(300);
  expect(held).toBe(all);
  expect(report).not.toContain('FAILS');
});
