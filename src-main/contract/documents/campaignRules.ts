// Rules of a campaign beyond its schema: what a design asks of its axes, names used twice, limits of size.
// Why it reads unknown data: it also runs over documents whose fields have problems, so that a person learns of
// everything at once.
import type { z } from 'zod';
import { entries, field, items } from './unknownData.ts';

/** Columns that every table of results has. */
const reservedColumns = ['run', 'scenario', 'sensor', 'seed', 'state'] as const;

/** Runs of a campaign at most: the plan is one list. */
const maxRuns = 1_000_000;

/** Axes of a Sobol design at most (domain/campaign/sobol.ts). */
export const maxSobolAxes = 21;

/** Reports every problem that the fields have together. */
export function checkCampaign(campaign: unknown, context: z.core.$RefinementCtx): void {
  const report = (path: PropertyKey[], message: string): void =>
    context.addIssue({ code: 'custom', path, message });
  const axes = entries(field(campaign, 'vary'));
  const kind = field(field(campaign, 'design'), 'kind') ?? 'grid';
  for (const [name, axis] of axes) {
    for (const { at, text } of axisProblems(axis, kind)) report(['vary', name, ...at], text);
  }
  if (kind !== 'grid' && axes.length === 0) {
    report(['design', 'kind'], `expected at least one axis in 'vary' with a sampling design`);
  }
  if (kind === 'sobol' && axes.length > maxSobolAxes) {
    report(['vary'], `expected at most ${maxSobolAxes} axes with sobol, found ${axes.length}`);
  }
  checkNames(campaign, report);
  checkFields(axes, report);
  for (const list of ['scenarios', 'sensors', 'seeds']) {
    const seen = new Set<unknown>();
    for (const [index, item] of items(field(campaign, list)).entries()) {
      if (seen.has(item))
        report([list, index], `expected every entry once, found ${String(item)} again`);
      seen.add(item);
    }
  }
  if (field(campaign, 'seeds') !== undefined && field(campaign, 'replicates') !== undefined) {
    report(['replicates'], "expected either 'replicates' or 'seeds'");
  }
  const runs = runCount(campaign);
  if (runs > maxRuns) report(['vary'], `expected at most ${maxRuns} runs, found ${runs}`);
}

interface AxisProblem {
  at: PropertyKey[];
  text: string;
}

function axisProblems(axis: unknown, kind: unknown): AxisProblem[] {
  const problems: AxisProblem[] = [];
  const [from, to] = items(field(axis, 'range'));
  const isGrid = kind === 'grid';
  if (field(axis, 'scale') === 'log' && typeof from === 'number' && from <= 0) {
    problems.push({
      at: ['range'],
      text: `expected numbers above 0 with scale log, found ${from}`,
    });
  }
  if (typeof from === 'number' && from === to) {
    problems.push({ at: ['range'], text: 'expected [from, to] with from smaller than to' });
  }
  const steps = field(axis, 'steps');
  if (isGrid && from !== undefined && steps === undefined) {
    problems.push({
      at: ['steps'],
      text: 'expected the number of values of a grid, found nothing',
    });
  }
  if (!isGrid && steps !== undefined) {
    problems.push({ at: ['steps'], text: 'expected no steps with a sampling design' });
  }
  if (isGrid && field(axis, 'normal') !== undefined) {
    const text = "expected 'values' or 'range' with a grid: a distribution needs a sampling design";
    problems.push({ at: ['normal'], text });
  }
  return [...problems, ...truncationProblems(axis), ...repeatedValues(axis)];
}

/** Bounds of a normal distribution: apart, and not so far out that nothing is left between them. */
function truncationProblems(axis: unknown): AxisProblem[] {
  const normal = field(axis, 'normal');
  const [mean, sigma] = [field(normal, 'mean'), field(normal, 'sigma')];
  const min = field(axis, 'min') ?? -Infinity;
  const max = field(axis, 'max') ?? Infinity;
  if (typeof min !== 'number' || typeof max !== 'number') return [];
  if (typeof mean !== 'number' || typeof sigma !== 'number') return [];
  if (!(min < max)) return [{ at: ['max'], text: `expected more than min, found ${max}` }];
  const isOutside = min > mean + 6 * sigma || max < mean - 6 * sigma;
  const at = min > mean ? ['min'] : ['max'];
  return isOutside ? [{ at, text: 'expected a bound within 6 sigma of the mean' }] : [];
}

function repeatedValues(axis: unknown): AxisProblem[] {
  const values = items(field(axis, 'values'));
  return values.flatMap((value, index) =>
    values.indexOf(value) === index
      ? []
      : [
          {
            at: ['values', index],
            text: `expected every value once, found ${String(value)} again`,
          },
        ],
  );
}

/** A column of the results has one name. */
function checkNames(
  campaign: unknown,
  report: (path: PropertyKey[], message: string) => void,
): void {
  const axes = entries(field(campaign, 'vary')).map(([name]) => name);
  const measures = entries(field(campaign, 'measures')).map(([name]) => name);
  for (const [list, names] of Object.entries({ vary: axes, measures })) {
    for (const name of names) {
      if (reservedColumns.some((column) => column === name)) {
        report(
          [list, name],
          `expected another name: every table of results has a column '${name}'`,
        );
      } else if (list === 'measures' && axes.includes(name)) {
        report([list, name], `expected another name: '${name}' is an axis`);
      }
    }
  }
}

/** A field has one axis: of several, the last alone would count. */
function checkFields(
  axes: readonly [string, unknown][],
  report: (path: PropertyKey[], message: string) => void,
): void {
  const seen = new Set<unknown>();
  for (const [name, axis] of axes) {
    const set = field(axis, 'set');
    for (const [index, fieldPath] of (Array.isArray(set) ? items(set) : [set]).entries()) {
      if (typeof fieldPath === 'string' && seen.has(fieldPath)) {
        const at = ['vary', name, 'set', ...(Array.isArray(set) ? [index] : [])];
        report(at, `expected every field once, found '${fieldPath}' again`);
      }
      seen.add(fieldPath);
    }
  }
}

/** How many runs a document asks for, as far as it can be read. */
function runCount(campaign: unknown): number {
  const atLeastOne = (list: unknown): number => Math.max(1, items(list).length);
  const replicates = field(campaign, 'replicates');
  const seeds = typeof replicates === 'number' ? replicates : atLeastOne(field(campaign, 'seeds'));
  const samples = field(field(campaign, 'design'), 'samples');
  const points =
    typeof samples === 'number'
      ? samples
      : entries(field(campaign, 'vary')).reduce((product, [, axis]) => {
          const steps = field(axis, 'steps');
          return product * (typeof steps === 'number' ? steps : atLeastOne(field(axis, 'values')));
        }, 1);
  const crossed = atLeastOne(field(campaign, 'scenarios')) * atLeastOne(field(campaign, 'sensors'));
  return seeds * points * crossed;
}
