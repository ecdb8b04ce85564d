// The shorter form of `understory validate`: every experiment with the real worker, every criterion, and the
// report of them. The mutants, which need a build of their own, are in mutants.ci.test.ts.
import { beforeAll, describe, expect, it } from 'vitest';
import { experiments } from '#validation/experiments.ts';
import { reportMarkdown } from '#validation/report/markdown.ts';
import { reportPage } from '#validation/report/page.ts';
import { validate, type Outcome } from '#validation/validate.ts';
import { unattended, validationPorts } from './validationPorts.ts';

const shown = experiments.filter(({ name, isFullOnly }) => name !== 'mutants' && !isFullOnly);
let outcome: Outcome;
beforeAll(async () => {
  const order = { isQuick: true, only: [] };
  outcome = await validate(validationPorts(), shown, order, unattended);
});

describe('the shorter form of the validation', () => {
  it('holds every criterion', () => {
    const { criteria, passed, experiments: names } = outcome.validation;
    expect(criteria.filter(({ pass }) => !pass)).toEqual([]);
    expect(passed).toBe(true);
    expect(names).toEqual(shown.map(({ name }) => name));
  });

  it('gives the metrics of the experiments', () => {
    const { grassStand, rods, shrub, slab, invariants } = outcome.validation;
    expect(grassStand.map(({ distanceM }) => distanceM)).toEqual([20, 30]);
    expect(rods.find(({ backgroundM }) => backgroundM === 2)).toMatchObject({
      mixedPixels: 0,
      pulses: 201,
    });
    expect(shrub?.returns).toBeGreaterThan(10_000);
    expect(shrub?.modesM.length).toBeGreaterThan(0);
    expect(slab).toHaveLength(5);
    expect(invariants.length).toBeGreaterThan(70);
    expect(outcome.validation.learned.closedForms.length).toBeGreaterThanOrEqual(8);
    expect(JSON.stringify(outcome.validation)).not.toContain('null');
  });

  it('makes a report with every chart, picture and criterion', () => {
    const page = reportPage(outcome);
    const sections = outcome.sections.map(({ section }) => section);
    const count = (text: string): number => page.split(text).length - 1;
    expect(count('<svg')).toBe(sections.flatMap(({ charts }) => charts).length);
    expect(count('data:image/png')).toBe(sections.flatMap(({ pictures }) => pictures).length);
    // A line for each experiment, and one for each criterion.
    const criteria = sections.flatMap((section) => section.criteria);
    expect(count('<tr class="pass">')).toBe(sections.length + criteria.length);
    expect(page).not.toContain('<tr class="fail">');
    // Why without the pictures: base64 spells anything, sooner or later.
    expect(page.replace(/base64,[\w+/=]*/g, '')).not.toMatch(/NaN|undefined|Infinity/);
  });

  it('makes the same report as Markdown: a row for each criterion and each row of a table', () => {
    const lines = reportMarkdown(outcome).split('\n');
    const sections = outcome.sections.map(({ section }) => section);
    const criteria = sections.flatMap((section) => section.criteria);
    expect(lines.filter((line) => line.endsWith(' | holds |'))).toHaveLength(criteria.length);
    const tables = sections.flatMap((section) => section.tables);
    const withCriteria = sections.filter((section) => section.criteria.length > 0).length;
    const rows = criteria.length + tables.reduce((sum, { rows: own }) => sum + own.length, 0);
    expect(lines.filter((line) => line.startsWith('| '))).toHaveLength(
      rows + 2 * (tables.length + withCriteria),
    );
    for (const { experiment } of outcome.sections)
      expect(lines).toContain(`## ${experiment.title}`);
  });
});
