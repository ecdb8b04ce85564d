// Measures: what a campaign states of each run, as expressions over its metrics and its ground truth. Simulated
// quantities only, so that a table of results does not depend on the machine. A measure is compiled once and evaluated
// for each run; what is not known is null.
import { measureFields, measureType } from '#contract/host/runMetrics.ts';
import type { TickRecord } from '#contract/host/run.ts';
import type { Expression, ExpressionFault } from '#contract/host/expression.ts';
import {
  compileAs,
  compiled,
  compileExpression,
  Refusal,
  type Compiled,
  type Scope,
  type Value,
} from './compileExpression.ts';
import {
  scanNames,
  tickNames,
  type MeasuredRun,
  type MeasuredScan,
  type NamedValue,
} from './measuredRun.ts';
import { parseExpression } from './parseExpression.ts';
import { filterOf, returnsOf } from './returnFilter.ts';

/** The value of a measure for one run; truth values are 1 and 0. Null: not known. */
export type Measure = (run: MeasuredRun) => number | null;

/** A measure from its text, or what is wrong with it. `isShare`: its values are truth values. */
export function compileMeasure(
  text: string,
):
  | { value: Measure; isShare: boolean; fault: null }
  | { value: null; isShare: false; fault: ExpressionFault } {
  const parsed = parseExpression(text);
  if (parsed.value === null) return { ...parsed, isShare: false };
  const { at } = parsed.value;
  const { value, fault } = compiled(() => {
    const whole = compileExpression(parsed.value, runScope);
    if (whole.type === 'text') throw new Refusal(at, 'expected a number, found a text');
    return whole;
  });
  if (value === null) return { value, isShare: false, fault };
  const measure: Measure = (run) => {
    const result = value.of({ run, scan: null, tick: null });
    return typeof result === 'boolean' ? Number(result) : (result as number | null);
  };
  return { value: measure, isShare: value.type === 'boolean', fault: null };
}

/** A run, and within count(scans, …) or count(ticks, …) one of its scans or ticks. */
interface Context {
  run: MeasuredRun;
  scan: MeasuredScan | null;
  tick: TickRecord | null;
}

const aggregates = ['count', 'sum', 'mean', 'min', 'max', 'first', 'last'] as const;
type Aggregate = (typeof aggregates)[number];

const runScope: Scope<Context> = {
  name(name) {
    const field = measureFields.get(name);
    const type = measureType(name);
    if (field === undefined || type === null) return null;
    return { type, of: ({ run }) => (run.metrics[field] ?? null) as Value };
  },
  names: () => [...measureFields.keys()],
  call(call) {
    const [list] = call.args;
    const listName = list?.kind === 'name' ? list.name : null;
    const aggregate = aggregates.find((known) => known === call.name);
    if (aggregate !== undefined && (listName === 'scans' || listName === 'ticks')) {
      return aggregateOf(aggregate, listName, call);
    }
    return call.name === 'returns' ? returnsCall(call) : null;
  },
  functions: ['returns', ...aggregates],
};

const scanScope: Scope<Context> = {
  ...namesOf(scanNames, ({ scan }) => scan),
  call: (call) => (call.name === 'returns' ? returnsCall(call) : null),
  functions: ['returns'],
};

const tickScope: Scope<Context> = namesOf(tickNames, ({ tick }) => tick);

function namesOf<T>(
  table: Record<string, NamedValue<T>>,
  subjectOf: (context: Context) => T | null,
): Pick<Scope<Context>, 'name' | 'names'> {
  return {
    name(name) {
      const found = own(table, name);
      if (found === undefined) return null;
      return {
        type: found.type,
        of: (context) => {
          const subject = subjectOf(context);
          return subject === null ? null : found.of(subject);
        },
      };
    },
    names: () => Object.keys(table),
  };
}

function own<T>(table: Record<string, T>, name: string): T | undefined {
  return Object.hasOwn(table, name) ? table[name] : undefined;
}

/** Returns of the run, or of the scan within count(scans, …). */
function returnsCall({ args }: Expression & { kind: 'call' }): Compiled<Context> {
  const { filter, fault } = filterOf(args);
  if (fault !== null) throw new Refusal(fault.at, fault.message);
  return {
    type: 'number',
    of: ({ run, scan }) => {
      const scans = scan === null ? run.scans() : [scan];
      return scans.reduce((sum, each) => sum + returnsOf(run, each, filter), 0);
    },
  };
}

function aggregateOf(
  name: Aggregate,
  list: 'scans' | 'ticks',
  { args, at }: Expression & { kind: 'call' },
): Compiled<Context> {
  const [, argument] = args;
  const scope = list === 'scans' ? scanScope : tickScope;
  const contexts = (context: Context): Context[] =>
    list === 'scans'
      ? context.run.scans().map((scan) => ({ ...context, scan }))
      : context.run.ticks().map((tick) => ({ ...context, tick }));
  if (name === 'count' && argument === undefined) {
    return { type: 'number', of: (context) => contexts(context).length };
  }
  if (argument === undefined || args.length !== 2) {
    throw new Refusal(at, `expected ${name}(${list}, expression)`);
  }
  if (name === 'count' || name === 'first' || name === 'last') {
    const { of } = compileAs(argument, 'boolean', scope);
    return {
      type: 'number',
      of: (context) => {
        const met = contexts(context).filter((each) => of(each) === true);
        if (name === 'count') return met.length;
        const found = name === 'first' ? met[0] : met.at(-1);
        return found === undefined ? null : timeS(found);
      },
    };
  }
  const { of } = compileAs(argument, 'number', scope);
  return {
    type: 'number',
    of: (context) => {
      const values = contexts(context).map(of);
      return reduced(
        name,
        values.filter((value) => typeof value === 'number'),
      );
    },
  };
}

function timeS({ scan, tick }: Context): number | null {
  if (scan !== null) return scan.timeS;
  return tick === null ? null : tick.timeNs / 1e9;
}

function reduced(
  name: Exclude<Aggregate, 'count' | 'first' | 'last'>,
  values: readonly number[],
): number | null {
  const sum = values.reduce((total, value) => total + value, 0);
  if (name === 'sum') return sum;
  if (values.length === 0) return null;
  if (name === 'mean') return sum / values.length;
  const pick = name === 'min' ? Math.min : Math.max;
  return values.reduce((best, value) => pick(best, value));
}
