// Measures: what a campaign states of each run, as expressions over its metrics and its ground truth. Simulated
// quantities only, so that a table of results does not depend on the machine. A measure is compiled once, its names and
// types are checked with positions, and it is evaluated for each run; what is not known is null.
import type { RunMetrics, TickRecord } from '#contract/host/run.ts';
import {
  comparisons,
  type BinaryOp,
  type Expression,
  type ExpressionFault,
} from '#contract/host/expression.ts';
import { parseExpression } from './parseExpression.ts';
import { filterOf, returnsOf, type ReturnFilter } from './returnFilter.ts';
import {
  runMeasures,
  scanNames,
  tickNames,
  type MeasureType as Type,
  type MeasureValue as Value,
  type MeasuredRun,
  type MeasuredScan,
} from './measuredRun.ts';

/** The value of a measure for one run; truth values are 1 and 0. Null: not known. */
export type Measure = (run: MeasuredRun) => number | null;

/** A measure from its text, or what is wrong with it. */
export function compileMeasure(
  text: string,
): { value: Measure; fault: null } | { value: null; fault: ExpressionFault } {
  const parsed = parseExpression(text);
  if (parsed.value === null) return parsed;
  try {
    const { type, of } = compile(parsed.value, 'run');
    if (type === 'text') throw new Refusal(parsed.value.at, 'expected a number, found a text');
    const value: Measure = (run) => {
      const result = of({ run, scan: null, tick: null });
      return typeof result === 'boolean' ? Number(result) : (result as number | null);
    };
    return { value, fault: null };
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return { value: null, fault: { at: error.at, message: error.message } };
  }
}

/** What names mean: of the run, of one scan in count(scans, …), of one tick. */
type Scope = 'run' | 'scan' | 'tick';

interface Context {
  run: MeasuredRun;
  scan: MeasuredScan | null;
  tick: TickRecord | null;
}

interface Compiled {
  type: Type;
  of: (context: Context) => Value;
}

class Refusal extends Error {
  readonly at: number;

  constructor(at: number, message: string) {
    super(message);
    this.at = at;
  }
}

function compile(expression: Expression, scope: Scope): Compiled {
  switch (expression.kind) {
    case 'number':
    case 'text': {
      const { value } = expression;
      return { type: expression.kind, of: () => value };
    }
    case 'name':
      return nameOf(expression, scope);
    case 'call':
      return callOf(expression, scope);
    case 'not': {
      const { of } = compileAs(expression.of, 'boolean', scope);
      return { type: 'boolean', of: (context) => negated(of(context)) };
    }
    case 'minus': {
      const { of } = compileAs(expression.of, 'number', scope);
      return { type: 'number', of: (context) => onNumbers([of(context)], ([value]) => -value) };
    }
    case 'in':
      return membershipOf(expression, scope);
    case 'binary':
      return binaryOf(expression, scope);
  }
}

function compileAs(expression: Expression, type: Type, scope: Scope): Compiled {
  const compiled = compile(expression, scope);
  // Why: 0 and 1 are conditions as well, such as `goal`, and conditions are counted.
  const isBoth = compiled.type !== 'text' && type !== 'text';
  if (compiled.type === type || isBoth) return converted(compiled, type);
  throw new Refusal(
    expression.at,
    `expected ${typeNames[type]}, found ${typeNames[compiled.type]}`,
  );
}

const typeNames: Record<Type, string> = {
  number: 'a number',
  text: 'a text',
  boolean: 'a condition',
};

function converted({ type, of }: Compiled, wanted: Type): Compiled {
  if (type === wanted) return { type, of };
  const convert = wanted === 'number' ? Number : Boolean;
  return {
    type: wanted,
    of: (context) => {
      const value = of(context);
      return value === null ? null : convert(value);
    },
  };
}

function nameOf({ name, at }: Expression & { kind: 'name' }, scope: Scope): Compiled {
  if (name === 'true' || name === 'false') return { type: 'boolean', of: () => name === 'true' };
  if (scope === 'scan') {
    const found = own(scanNames, name) ?? refuseName(name, at, Object.keys(scanNames));
    return { type: found.type, of: ({ scan }) => (scan === null ? null : found.of(scan)) };
  }
  if (scope === 'tick') {
    const found = own(tickNames, name) ?? refuseName(name, at, Object.keys(tickNames));
    return { type: found.type, of: ({ tick }) => (tick === null ? null : found.of(tick)) };
  }
  const table: Record<string, { of: (metrics: RunMetrics) => number | boolean | null }> =
    runMeasures;
  const found = own(table, name) ?? refuseName(name, at, Object.keys(runMeasures));
  const type = name === 'goal' ? 'boolean' : 'number';
  return { type, of: ({ run }) => found.of(run.metrics) ?? null };
}

function own<T>(table: Record<string, T>, name: string): T | undefined {
  return Object.hasOwn(table, name) ? table[name] : undefined;
}

function refuseName(name: string, at: number, known: readonly string[]): never {
  throw new Refusal(at, `expected one of ${known.join(', ')}, found '${name}'`);
}

function membershipOf({ of: item, list }: Expression & { kind: 'in' }, scope: Scope): Compiled {
  const value = compile(item, scope);
  const others = list.map((other) => compileAs(other, value.type, scope));
  return {
    type: 'boolean',
    of: (context) => {
      const found = value.of(context);
      return found === null ? null : others.some((other) => other.of(context) === found);
    },
  };
}

function binaryOf(
  { op, left, right, at }: Expression & { kind: 'binary' },
  scope: Scope,
): Compiled {
  if (op === 'and' || op === 'or') {
    const [a, b] = [compileAs(left, 'boolean', scope), compileAs(right, 'boolean', scope)];
    return { type: 'boolean', of: (context) => logical(op, a.of(context), b.of(context)) };
  }
  if (!comparisons.includes(op)) {
    const [a, b] = [compileAs(left, 'number', scope), compileAs(right, 'number', scope)];
    return {
      type: 'number',
      of: (context) =>
        onNumbers([a.of(context), b.of(context)], ([x, y = 0]) => arithmetic(op, x, y)),
    };
  }
  const a = compile(left, scope);
  const b = compile(right, scope);
  if ((a.type === 'text') !== (b.type === 'text')) {
    throw new Refusal(at, `expected two numbers or two texts at '${op}'`);
  }
  if (a.type === 'text' && op !== '=' && op !== '!=') {
    throw new Refusal(at, `expected '=' or '!=' between texts, found '${op}'`);
  }
  const asNumber = (value: Value): Value => (typeof value === 'boolean' ? Number(value) : value);
  return {
    type: 'boolean',
    of: (context) => compared(op, asNumber(a.of(context)), asNumber(b.of(context))),
  };
}

function negated(value: Value): boolean | null {
  return value === null ? null : value !== true;
}

/** As in SQL: false and unknown is false, true or unknown is true. */
function logical(op: 'and' | 'or', a: Value, b: Value): boolean | null {
  const decides = op === 'or';
  if (a === decides || b === decides) return decides;
  return a === null || b === null ? null : !decides;
}

function compared(op: BinaryOp, a: Value, b: Value): boolean | null {
  if (a === null || b === null) return null;
  switch (op) {
    case '=':
      return a === b;
    case '!=':
      return a !== b;
    case '<':
      return a < b;
    case '<=':
      return a <= b;
    case '>':
      return a > b;
    default:
      return a >= b;
  }
}

function arithmetic(op: BinaryOp, x: number, y: number): number {
  if (op === '+') return x + y;
  if (op === '-') return x - y;
  return op === '*' ? x * y : x / y;
}

/** Null where one of them is not known, or the result is no finite number, as with a division by 0. */
function onNumbers(
  values: readonly Value[],
  apply: (numbers: [number, ...number[]]) => number,
): number | null {
  if (values.includes(null)) return null;
  const result = apply(values as [number, ...number[]]);
  return Number.isFinite(result) ? result : null;
}

const aggregates = ['count', 'sum', 'mean', 'min', 'max', 'first', 'last'] as const;
type Aggregate = (typeof aggregates)[number];

function callOf(call: Expression & { kind: 'call' }, scope: Scope): Compiled {
  const { name, args, at } = call;
  const [list] = args;
  const listName = list?.kind === 'name' ? list.name : null;
  const aggregate = aggregates.find((known) => known === name);
  if (
    aggregate !== undefined &&
    scope === 'run' &&
    (listName === 'scans' || listName === 'ticks')
  ) {
    return aggregateOf(aggregate, listName, call);
  }
  if (name === 'returns') {
    if (scope === 'tick') throw new Refusal(at, "expected 'returns' of the run or of scans");
    const { filter, fault } = filterOf(args);
    if (fault !== null) throw new Refusal(fault.at, fault.message);
    return { type: 'number', of: (context) => countReturns(context, filter) };
  }
  const scalar = own(scalarFunctions, name);
  if (scalar === undefined) {
    const known = ['returns', ...aggregates, ...Object.keys(scalarFunctions)];
    return refuseName(name, at, [...new Set(known)]);
  }
  const [least, most] = scalar.args;
  if (args.length < least || args.length > most) {
    const expected = least === most ? `${least}` : `${least} or more`;
    throw new Refusal(at, `expected ${expected} values in ${name}(), found ${args.length}`);
  }
  const parts = args.map((arg) => compileAs(arg, 'number', scope));
  return {
    type: 'number',
    of: (context) =>
      onNumbers(
        parts.map(({ of }) => of(context)),
        scalar.of,
      ),
  };
}

const scalarFunctions: Record<
  string,
  { args: [number, number]; of: (values: [number, ...number[]]) => number }
> = {
  abs: { args: [1, 1], of: ([value]) => Math.abs(value) },
  sqrt: { args: [1, 1], of: ([value]) => Math.sqrt(value) },
  min: { args: [2, 100], of: (values) => Math.min(...values) },
  max: { args: [2, 100], of: (values) => Math.max(...values) },
};

function countReturns({ run, scan }: Context, filter: ReturnFilter): number {
  const scans = scan === null ? run.scans() : [scan];
  return scans.reduce((sum, each) => sum + returnsOf(run, each, filter), 0);
}

function aggregateOf(
  name: Aggregate,
  list: 'scans' | 'ticks',
  { args, at }: Expression & { kind: 'call' },
): Compiled {
  const [, argument] = args;
  const scope = list === 'scans' ? 'scan' : 'tick';
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
  const isCondition = name === 'count' || name === 'first' || name === 'last';
  const { of } = compileAs(argument, isCondition ? 'boolean' : 'number', scope);
  if (isCondition) {
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
  return {
    type: 'number',
    of: (context) => {
      const values = contexts(context).flatMap((each) => {
        const value = of(each);
        return typeof value === 'number' ? [value] : [];
      });
      return reduced(name, values);
    },
  };
}

function timeS({ scan, tick }: Context): number | null {
  if (scan !== null) return scan.timeS;
  return tick === null ? null : tick.timeNs / 1e9;
}

function reduced(name: Aggregate, values: readonly number[]): number | null {
  const sum = values.reduce((total, value) => total + value, 0);
  if (name === 'sum') return sum;
  if (values.length === 0) return null;
  if (name === 'mean') return sum / values.length;
  const pick = name === 'min' ? Math.min : Math.max;
  return values.reduce((best, value) => pick(best, value));
}
