// The header of a frame, and its check: what PROTOCOL.md says of each field, before any of them is used.
// Why no schema of zod: the page reads frames before it loads schemas, which are larger than all that it shows first.
import { columnTypes, type ColumnType } from '../columns.ts';
import { UnderstoryError, type WireError } from '../errors.ts';
import { describeFound, formatPath } from '../documents/problems.ts';

export const frameKinds = [
  'call', // caller -> callee: start `method` with `body`
  'cancel', // caller -> callee: stop call `id`
  'ack', // caller -> callee: chunk `seq` of call `id` was taken
  'progress', // callee -> caller
  'chunk', // callee -> caller: part of the answer, numbered by `seq` from 0
  'reply', // callee -> caller: the end of a call that worked
  'error', // callee -> caller: the end of a call that failed
  'event', // either direction, belongs to no call
] as const;
export type FrameKind = (typeof frameKinds)[number];

export interface ColumnHeader {
  name: string;
  type: ColumnType;
  count: number;
}

export interface FrameHeader {
  kind: FrameKind;
  /** The call this frame belongs to; 0 for events. */
  id: number;
  method?: string;
  seq?: number;
  /** Plain data, or its JSON as a JsonText. */
  body?: unknown;
  error?: WireError;
  columns?: ColumnHeader[];
}

/** The kind of value that a field must have, in words, and whether a value is of it. */
type Field = readonly [expected: string, isRight: (value: unknown) => boolean];
type Fields = Readonly<Record<string, Field>>;

const text: Field = ['text', (value) => typeof value === 'string'];
const mapping: Field = ['a mapping', isMapping];
const count: Field = [
  'a whole number of at least 0',
  (value) => Number.isSafeInteger(value) && (value as number) >= 0,
];

const headerFields: Fields = {
  kind: oneOf(frameKinds),
  id: count,
  method: optional(text),
  seq: optional(count),
  error: optional(mapping),
  columns: optional(['a list', Array.isArray]),
};
const errorFields: Fields = { code: text, message: text, details: optional(mapping) };
const columnFields: Fields = { name: text, type: oneOf(Object.keys(columnTypes)), count };

/** Takes unknown JSON as a header. @throws UnderstoryError 'protocol' with the first field that is wrong */
export function checkedHeader(value: unknown): FrameHeader {
  expectFields(value, [], headerFields);
  const { error, columns = [] } = value;
  if (error !== undefined) expectFields(error, ['error'], errorFields);
  for (const [index, column] of (columns as unknown[]).entries()) {
    expectFields(column, ['columns', index], columnFields);
  }
  // Why the cast: the checks above are the type.
  return value as unknown as FrameHeader;
}

function optional([expected, isRight]: Field): Field {
  return [expected, (value) => value === undefined || isRight(value)];
}

function oneOf(names: readonly string[]): Field {
  return [`one of ${names.join(', ')}`, (value) => names.some((name) => name === value)];
}

function isMapping(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function expectFields(
  value: unknown,
  path: readonly PropertyKey[],
  fields: Fields,
): asserts value is Record<string, unknown> {
  if (!isMapping(value)) throw wrong(path, mapping, value);
  for (const [name, field] of Object.entries(fields)) {
    if (!field[1](value[name])) throw wrong([...path, name], field, value[name]);
  }
}

function wrong(path: readonly PropertyKey[], [expected]: Field, found: unknown): UnderstoryError {
  const at = path.length === 0 ? '' : `: ${formatPath(path)}`;
  const message = `the header of a frame is wrong${at}: expected ${expected}, found ${describeFound(found)}`;
  return new UnderstoryError('protocol', message);
}
