// Names of classes, instances and sensors that measures ask for, against those that planned runs have. Why: a misspelt
// name counts no return, and the results have a column of zeros.
import type { Expression } from '#contract/host/expression.ts';
import type { CompiledScenario } from '#contract/host/run.ts';
import type { LocatedProblem } from '#contract/documents/problems.ts';
import { faultText, parseExpression } from './parseExpression.ts';
import { returnTexts, type ReturnText } from './returnFilter.ts';

/** Names of several runs together. */
export interface KnownNames {
  classes: Set<string>;
  instances: Set<string>;
  /** Members of a scatter are instances NAME-1 to NAME-count. */
  scatters: Map<string, number>;
  sensors: Set<string>;
}

export function noNames(): KnownNames {
  return { classes: new Set(), instances: new Set(), scatters: new Map(), sensors: new Set() };
}

/** Adds the names of a run. */
export function addNames(
  known: KnownNames,
  { recipe, sensors }: Pick<CompiledScenario, 'recipe' | 'sensors'>,
): void {
  for (const name of recipe.classes) known.classes.add(name);
  for (const { name } of recipe.instances) known.instances.add(name);
  for (const { name, count } of recipe.scatters) {
    known.scatters.set(name, Math.max(count, known.scatters.get(name) ?? 0));
  }
  for (const { name } of sensors) known.sensors.add(name);
}

/** A problem for each name in a measure that no run has. Measures that are no expressions have none here. */
export function unknownNames(
  measures: Readonly<Record<string, string>>,
  known: KnownNames,
): LocatedProblem[] {
  return Object.entries(measures).flatMap(([name, text]) => {
    const { value } = parseExpression(text);
    const asked = value === null ? [] : callsOf(value).flatMap(({ args }) => returnTexts(args));
    return asked
      .filter((each) => !isKnown(each, known))
      .map((each): LocatedProblem => {
        const message = faultText({ at: each.at, message: expectation(each, known) });
        return { path: ['measures', name], code: 'expression', message };
      });
  });
}

function isKnown({ field, text }: ReturnText, known: KnownNames): boolean {
  if (field === 'class') return known.classes.has(text);
  if (field === 'sensor') return known.sensors.has(text);
  if (known.instances.has(text)) return true;
  const [, scatter = '', number] = /^(.*)-([1-9][0-9]*)$/.exec(text) ?? [];
  return Number(number) <= (known.scatters.get(scatter) ?? 0);
}

function expectation({ field, text }: ReturnText, { classes, sensors }: KnownNames): string {
  if (field === 'instance') return `expected an instance of a planned run, found '${text}'`;
  const names = [...(field === 'class' ? classes : sensors)].sort().join(', ');
  return `expected one of ${names}, found '${text}'`;
}

/** The calls of returns() in an expression. */
function callsOf(expression: Expression): (Expression & { kind: 'call' })[] {
  switch (expression.kind) {
    case 'call':
      return expression.name === 'returns' ? [expression] : expression.args.flatMap(callsOf);
    case 'not':
    case 'minus':
      return callsOf(expression.of);
    case 'in':
      return [expression.of, ...expression.list].flatMap(callsOf);
    case 'binary':
      return [expression.left, expression.right].flatMap(callsOf);
    default:
      return [];
  }
}
