// Which returns a measure counts: returns(class = 'tree'), returns(instance in ('oak-a', 'oak-b') and sensor = 'lidar').
import type { Expression, ExpressionFault } from '#contract/host/expression.ts';
import { scanKey, type MeasuredRun, type MeasuredScan } from './measuredRun.ts';

/** Texts of which a return has one; null: any. */
export interface ReturnFilter {
  classes: readonly string[] | null;
  instances: readonly string[] | null;
  sensors: readonly string[] | null;
}

const fields = { class: 'classes', instance: 'instances', sensor: 'sensors' } as const;

/** The filter of the arguments of returns(); without any it counts all returns. */
export function filterOf(
  args: readonly Expression[],
): { filter: ReturnFilter; fault: null } | { filter: null; fault: ExpressionFault } {
  const filter: ReturnFilter = { classes: null, instances: null, sensors: null };
  for (const term of args.flatMap(termsOf)) {
    const fault = addTerm(filter, term);
    if (fault !== null) return { filter: null, fault };
  }
  const [first] = args;
  if (first !== undefined && filter.classes !== null && filter.instances !== null) {
    const message = 'expected a class or an instance, found both: an instance has one class';
    return { filter: null, fault: { at: first.at, message } };
  }
  return { filter, fault: null };
}

/** A text that a return is asked to have. */
export interface ReturnText {
  field: keyof typeof fields;
  text: string;
  at: number;
}

/** The texts in the arguments of returns(), where they make a filter. */
export function returnTexts(args: readonly Expression[]): ReturnText[] {
  return args.flatMap(termsOf).flatMap((term) => {
    const { subject, values } = partsOf(term) ?? {};
    const field = subject?.kind === 'name' ? subject.name : '';
    if (values === undefined || !Object.hasOwn(fields, field)) return [];
    return values.flatMap((value): ReturnText[] =>
      value.kind === 'text'
        ? [{ field: field as keyof typeof fields, text: value.value, at: value.at }]
        : [],
    );
  });
}

/** Returns of a scan that a filter counts. */
export function returnsOf(run: MeasuredRun, scan: MeasuredScan, filter: ReturnFilter): number {
  const { classes, instances, sensors } = filter;
  if (sensors !== null && !sensors.includes(scan.sensor)) return 0;
  if (instances !== null) {
    const key = scanKey(scan);
    return instances.reduce((sum, name) => sum + (run.instanceReturns(name).get(key) ?? 0), 0);
  }
  if (classes === null) return scan.returns;
  return classes.reduce((sum, name) => sum + (scan.classReturns[name] ?? 0), 0);
}

/** The terms that `and` connects. */
function termsOf(expression: Expression): Expression[] {
  return expression.kind === 'binary' && expression.op === 'and'
    ? [...termsOf(expression.left), ...termsOf(expression.right)]
    : [expression];
}

function addTerm(filter: ReturnFilter, term: Expression): ExpressionFault | null {
  const expected = "expected class, instance or sensor with '=' or 'in', such as class = 'tree'";
  const parts = partsOf(term);
  if (parts === null) return { at: term.at, message: expected };
  const { subject, values } = parts;
  const name = subject.kind === 'name' ? subject.name : '';
  if (!Object.hasOwn(fields, name)) return { at: subject.at, message: expected };
  const field = fields[name as keyof typeof fields];
  const texts: string[] = [];
  for (const value of values) {
    if (value.kind !== 'text') {
      return { at: value.at, message: `expected the name of a ${name} in quotes` };
    }
    texts.push(value.value);
  }
  if (filter[field] !== null) return { at: term.at, message: `expected '${name}' once` };
  filter[field] = [...new Set(texts)];
  return null;
}

/** The subject of a comparison and its values; null: the term is no such comparison. */
function partsOf(term: Expression): { subject: Expression; values: readonly Expression[] } | null {
  if (term.kind === 'in') return { subject: term.of, values: term.list };
  if (term.kind !== 'binary' || term.op !== '=') return null;
  return { subject: term.left, values: [term.right] };
}
