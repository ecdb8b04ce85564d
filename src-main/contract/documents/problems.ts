// Bad input: every problem of a document at once, each with its path and what was expected.
import type { z } from 'zod';

/** One problem of a document. `path` is written as in `sensors[0].mount.positionM`. */
export interface Problem {
  path: string;
  code: string;
  message: string;
}

/** A parse never throws: either the value is there and `problems` is empty, or it is null. */
export type Parsed<T> = { value: T; problems: [] } | { value: null; problems: Problem[] };

/** A problem before its path is written out; `path` leads from the document to the value. */
export interface LocatedProblem {
  path: readonly PropertyKey[];
  code: string;
  message: string;
}

/** A schema whose output is T, for those who do not build schemas. */
export type Schema<T> = z.ZodType<T>;

/** Runs a schema over unknown data and names every problem, unknown keys included. */
export function parseWith<S extends z.ZodType>(schema: S, data: unknown): Parsed<z.output<S>> {
  const { value, problems } = checkWith(schema, data);
  if (problems.length === 0) return { value: value as z.output<S>, problems: [] };
  return {
    value: null,
    problems: problems.map((problem) => ({ ...problem, path: formatPath(problem.path) })),
  };
}

/** As parseWith, with paths as lists of keys: for readers that have the line of each path. */
export function checkWith<S extends z.ZodType>(
  schema: S,
  data: unknown,
): { value: z.output<S> | null; problems: LocatedProblem[] } {
  const result = schema.safeParse(data, { reportInput: true });
  if (result.success) return { value: result.data, problems: [] };
  return { value: null, problems: result.error.issues.flatMap((issue) => problemsOf(issue, [])) };
}

/** Writes a path as a person would: `scatters[2].scale`. The document itself is `(document)`. */
export function formatPath(path: readonly PropertyKey[]): string {
  const text = path
    .map((key) => (typeof key === 'number' ? `[${key}]` : `.${oneLine(String(key), 200)}`))
    .join('');
  return text === '' ? '(document)' : text.replace(/^\./, '');
}

/** Whether a path, as problems write it, is `outer` or within it. */
export function isPathWithin(path: string, outer: string): boolean {
  if (!path.startsWith(outer)) return false;
  const next = path[outer.length];
  return next === undefined || next === '.' || next === '[';
}

/** Names a value in a message: scalars as written, lists and mappings by their kind. */
export function describeFound(value: unknown): string {
  if (value === undefined) return 'nothing';
  if (value === null) return 'an empty value';
  if (Array.isArray(value)) return `a list of ${value.length}`;
  if (typeof value === 'number' || typeof value === 'boolean') return `${value}`;
  if (typeof value !== 'string') return 'a mapping';
  return quoted(value);
}

function quoted(text: string): string {
  return `'${oneLine(text)}'`;
}

/** The beginning of a text for a message, control characters as escapes. */
export function oneLine(text: string, maxLetters = 60): string {
  const short = text.length > maxLetters ? `${text.slice(0, maxLetters - 3)}…` : text;
  return short.replaceAll(/\p{Cc}/gu, (letter) => {
    return `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`;
  });
}

function problemsOf(issue: z.core.$ZodIssue, parents: readonly PropertyKey[]): LocatedProblem[] {
  const path = [...parents, ...issue.path];
  const expected = (what: string, found: unknown): LocatedProblem[] => [
    { path, code: issue.code, message: `expected ${what}, found ${describeFound(found)}` },
  ];
  switch (issue.code) {
    case 'unrecognized_keys':
      return issue.keys.map((key) => ({
        path: [...path, key],
        code: 'unknown-key',
        message: `expected only known keys, found ${quoted(key)}`,
      }));
    case 'invalid_type':
      return expected(typeExpected(issue), issue.input);
    case 'invalid_value':
      return expected(anyOf(issue.values), issue.input);
    case 'too_small':
      return expected(bound(issue.origin, issue.inclusive, 'least', issue.minimum), issue.input);
    case 'too_big':
      return expected(bound(issue.origin, issue.inclusive, 'most', issue.maximum), issue.input);
    case 'not_multiple_of':
      return expected(`a multiple of ${issue.divisor}`, issue.input);
    case 'invalid_key':
      return issue.issues.flatMap((inner) => problemsOf({ ...inner, path: [] }, path));
    case 'invalid_union':
      return problemsOfUnion(issue, path);
    default: {
      const { message } = issue;
      if (issue.code === 'custom' || !message.startsWith('expected')) {
        return [{ path, code: issue.code, message }];
      }
      return expected(message.slice('expected '.length), issue.input);
    }
  }
}

/** For a union: the problems of the alternative that was meant, the one whose kind of value is right. */
function problemsOfUnion(
  issue: z.core.$ZodIssueInvalidUnion,
  path: readonly PropertyKey[],
): LocatedProblem[] {
  if (issue.discriminator !== undefined && 'options' in issue && issue.options) {
    const found = valueAt(issue.input, issue.discriminator);
    const message = `expected ${anyOf(issue.options)}, found ${describeFound(found)}`;
    return [{ path, code: issue.code, message }];
  }
  const ofKind = issue.errors.filter((errors) => !errors.some(isOfAnotherKind));
  // Among several mappings, the one that has these keys.
  const hasForeignKeys = (errors: z.core.$ZodIssue[]): boolean =>
    errors.some(({ code, path: at }) => code === 'unrecognized_keys' && at.length === 0);
  const meant = ofKind.find((errors) => !hasForeignKeys(errors)) ?? ofKind[0];
  if (meant) return meant.flatMap((error) => problemsOf(error, path));
  const kinds = issue.errors.flatMap((errors) =>
    errors.flatMap((error) => {
      if (error.code === 'invalid_value') return [anyOf(error.values)];
      return error.code === 'invalid_type' ? [typeExpected(error)] : [];
    }),
  );
  const message = `expected ${[...new Set(kinds)].join(' or ')}, found ${describeFound(issue.input)}`;
  return [{ path, code: issue.code, message }];
}

/** Whether an alternative of a union asks for another kind of value than the one that was found. */
function isOfAnotherKind(issue: z.core.$ZodIssue): boolean {
  if (issue.path.length > 0) return false;
  if (issue.code === 'invalid_type') return !isNumberNotFinite(issue);
  return issue.code === 'invalid_value' && typeof issue.input !== 'string';
}

function typeExpected(issue: z.core.$ZodIssueInvalidType): string {
  if (isNumberNotFinite(issue)) return 'a finite number';
  return typeNames[issue.expected] ?? issue.expected;
}

/** NaN and the infinities, which YAML can write. */
function isNumberNotFinite({ expected, input }: z.core.$ZodIssueInvalidType): boolean {
  return expected === 'number' && typeof input === 'number';
}

const typeNames: Record<string, string> = {
  string: 'text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  tuple: 'a list',
  object: 'a mapping',
  record: 'a mapping',
};

function bound(
  origin: string,
  inclusive: boolean | undefined,
  side: 'least' | 'most',
  limit: number | bigint,
): string {
  if (origin === 'array') return `a list of at ${side} ${limit}`;
  if (origin === 'string') return `at ${side} ${limit} characters`;
  if (inclusive !== false) return `at ${side} ${limit}`;
  return side === 'least' ? `more than ${limit}` : `less than ${limit}`;
}

function anyOf(values: readonly unknown[]): string {
  const names = values.map((value) => (typeof value === 'string' ? `'${value}'` : String(value)));
  return names.length === 1 ? names.join('') : `one of ${names.join(', ')}`;
}

function valueAt(value: unknown, key: string): unknown {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, key)
    ? (value as Record<string, unknown>)[key]
    : undefined;
}
