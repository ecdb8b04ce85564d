// An expression as a function: names and types are checked once, with positions, and the function is called for each
// row. Null is what is not known: it passes through arithmetic and comparisons, as in SQL.
import {
  comparisons,
  type BinaryOp,
  type Expression,
  type ExpressionFault,
} from '#contract/host/expression.ts';

export type ValueType = 'number' | 'text' | 'boolean';
export type Value = number | string | boolean | null;

/** An expression over a context C. */
export interface Compiled<C> {
  type: ValueType;
  of: (context: C) => Value;
}

/** Meaning of names and calls. */
export interface Scope<C> {
  /** Null: there is no such name. */
  name(name: string): Compiled<C> | null;
  /** For the problem of an unknown name. */
  names(): readonly string[];
  /** Null: there is no such function here. */
  call?(call: Expression & { kind: 'call' }): Compiled<C> | null;
  functions?: readonly string[];
}

/** Ends a compilation; `compiled` turns it into a fault. */
export class Refusal extends Error {
  readonly at: number;

  constructor(at: number, message: string) {
    super(message);
    this.at = at;
  }
}

/** The result of `compile`, or the fault that it threw. */
export function compiled<T>(
  compile: () => T,
): { value: T; fault: null } | { value: null; fault: ExpressionFault } {
  try {
    return { value: compile(), fault: null };
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return { value: null, fault: { at: error.at, message: error.message } };
  }
}

/** @throws Refusal */
export function compileExpression<C>(expression: Expression, scope: Scope<C>): Compiled<C> {
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

/** The same where one type is wanted: truth values are the numbers 1 and 0. @throws Refusal */
export function compileAs<C>(
  expression: Expression,
  type: ValueType,
  scope: Scope<C>,
): Compiled<C> {
  const found = compileExpression(expression, scope);
  const isText = type === 'text';
  if (isText !== (found.type === 'text')) {
    throw new Refusal(expression.at, `expected ${typeNames[type]}, found ${typeNames[found.type]}`);
  }
  if (found.type === type) return found;
  const convert = type === 'number' ? Number : Boolean;
  return {
    type,
    of: (context) => {
      const value = found.of(context);
      return value === null ? null : convert(value);
    },
  };
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

/** @throws Refusal that lists what is known */
function refuseName(name: string, at: number, known: readonly string[]): never {
  throw new Refusal(at, `expected one of ${known.join(', ')}, found '${name}'`);
}

const typeNames: Record<ValueType, string> = {
  number: 'a number',
  text: 'a text',
  boolean: 'a condition',
};

function nameOf<C>({ name, at }: Expression & { kind: 'name' }, scope: Scope<C>): Compiled<C> {
  if (name === 'true' || name === 'false') return { type: 'boolean', of: () => name === 'true' };
  return scope.name(name) ?? refuseName(name, at, scope.names());
}

const scalarFunctions = new Map<
  string,
  { args: [number, number]; of: (values: [number, ...number[]]) => number }
>([
  ['abs', { args: [1, 1], of: ([value]) => Math.abs(value) }],
  ['sqrt', { args: [1, 1], of: ([value]) => Math.sqrt(value) }],
  ['min', { args: [2, 100], of: (values) => Math.min(...values) }],
  ['max', { args: [2, 100], of: (values) => Math.max(...values) }],
]);

function callOf<C>(call: Expression & { kind: 'call' }, scope: Scope<C>): Compiled<C> {
  const { name, args, at } = call;
  const special = scope.call?.(call) ?? null;
  if (special !== null) return special;
  const scalar = scalarFunctions.get(name);
  if (scalar === undefined) {
    const known = new Set([...(scope.functions ?? []), ...scalarFunctions.keys()]);
    return refuseName(name, at, [...known]);
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

function membershipOf<C>(
  { of: item, list }: Expression & { kind: 'in' },
  scope: Scope<C>,
): Compiled<C> {
  const value = compileExpression(item, scope);
  const others = list.map((other) => compileAs(other, value.type, scope));
  return {
    type: 'boolean',
    of: (context) => {
      const found = value.of(context);
      return found === null ? null : others.some((other) => other.of(context) === found);
    },
  };
}

function binaryOf<C>(
  { op, left, right, at }: Expression & { kind: 'binary' },
  scope: Scope<C>,
): Compiled<C> {
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
  const a = compileExpression(left, scope);
  const b = compileExpression(right, scope);
  if ((a.type === 'text') !== (b.type === 'text')) {
    throw new Refusal(at, `expected two numbers or two texts at '${op}'`);
  }
  if (a.type === 'text' && op !== '=' && op !== '!=') {
    throw new Refusal(at, `expected '=' or '!=' between texts, found '${op}'`);
  }
  return {
    type: 'boolean',
    of: (context) => compared(op, comparable(a.of(context)), comparable(b.of(context))),
  };
}

/** Truth values are the numbers 1 and 0. */
function comparable(value: Value): number | string | null {
  return typeof value === 'boolean' ? Number(value) : value;
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

function compared(
  op: BinaryOp,
  a: number | string | null,
  b: number | string | null,
): boolean | null {
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
