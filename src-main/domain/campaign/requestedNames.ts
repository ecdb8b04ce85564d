// Names of classes, instances and sensors that measures ask for, and metrics of estimates, against those that planned
// runs have. Why: a misspelt name counts no return, and the results have a column of zeros, or of nothing.
import type { Expression, ExpressionFault } from '#contract/host/expression.ts';
import type { CompiledScenario } from '#contract/host/run.ts';
import { estimateMetrics, measureFields } from '#contract/host/runMetrics.ts';
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
  /** Some of them estimate leaf area. */
  hasEstimate: boolean;
}

export function noNames(): KnownNames {
  const [classes, instances, sensors] = [new Set<string>(), new Set<string>(), new Set<string>()];
  return { classes, instances, scatters: new Map(), sensors, hasEstimate: false };
}

/** Adds the names of a run. */
export function addNames(
  known: KnownNames,
  { scenario, recipe, sensors }: Pick<CompiledScenario, 'scenario' | 'recipe' | 'sensors'>,
): void {
  known.hasEstimate ||= scenario.estimate !== undefined;
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
    const parts = value === null ? [] : partsOf(value);
    return parts
      .flatMap((part) => faultsOf(part, known))
      .map((fault): LocatedProblem => {
        return { path: ['measures', name], code: 'expression', message: faultText(fault) };
      });
  });
}

function faultsOf(part: Expression, known: KnownNames): ExpressionFault[] {
  if (part.kind === 'name') {
    const field = measureFields.get(part.name);
    const isOfEstimate = field !== undefined && estimateMetrics.some((metric) => metric === field);
    if (!isOfEstimate || known.hasEstimate) return [];
    const message = `expected a scenario with 'estimate', of which '${part.name}' is a metric`;
    return [{ at: part.at, message }];
  }
  if (part.kind !== 'call' || part.name !== 'returns') return [];
  return returnTexts(part.args)
    .filter((each) => !isKnown(each, known))
    .map((each) => ({ at: each.at, message: expectation(each, known) }));
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

/** An expression and all in it, but for what is within returns(). */
function partsOf(expression: Expression): Expression[] {
  switch (expression.kind) {
    case 'call':
      if (expression.name === 'returns') return [expression];
      return [expression, ...expression.args.flatMap(partsOf)];
    case 'not':
    case 'minus':
      return [expression, ...partsOf(expression.of)];
    case 'in':
      return [expression, ...[expression.of, ...expression.list].flatMap(partsOf)];
    case 'binary':
      return [expression, ...partsOf(expression.left), ...partsOf(expression.right)];
    default:
      return [expression];
  }
}
