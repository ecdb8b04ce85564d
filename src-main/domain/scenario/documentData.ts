// A document as plain data: a copy that shares nothing, edits of it, and whether two are the same. What an
// edit of the text must result in is worked out here, without the text.
import type { DocumentEdit } from '#contract/host/documentMethods.ts';

/** An edit that cannot be made of this document; the message is a sentence about the path. */
export class EditRefusal extends Error {}

/** Deepest nesting that is taken: a document deeper than this contains itself. */
const maxLevels = 200;

/** A copy in which nothing is shared. @throws EditRefusal where a value contains itself */
export function plainCopy(value: unknown, level = 0): unknown {
  if (level > maxLevels) throw new EditRefusal('a value contains itself');
  if (Array.isArray(value)) return value.map((item) => plainCopy(item, level + 1));
  if (!isMapping(value)) return value;
  const copies = Object.entries(value).flatMap(([key, item]): [string, unknown][] =>
    item === undefined ? [] : [[key, plainCopy(item, level + 1)]],
  );
  return Object.fromEntries(copies);
}

/** The data after an edit; `data` itself stays. @throws EditRefusal where there is no such place */
export function editData(data: unknown, { path, op, value }: DocumentEdit): unknown {
  const [key, ...rest] = path;
  if (key === undefined) return plainCopy(value);
  if (rest.length > 0) return editInside(data, key, rest, { path, op, value });
  if (Array.isArray(data)) return editList(data, key, op, value);
  if (!isMapping(data)) {
    if (op === 'remove' || op === 'rename') throw new EditRefusal('there is nothing of that name');
    if (!isMissing(data)) throw new EditRefusal('expected a mapping or a list around it');
    return typeof key === 'number' ? [plainCopy(value)] : { [key]: plainCopy(value) };
  }
  return editMapping(data, String(key), op, value);
}

/** Whether two documents say the same; the order of keys does not count. */
export function isSameData(one: unknown, other: unknown): boolean {
  if (Array.isArray(one)) {
    if (!Array.isArray(other) || one.length !== other.length) return false;
    return one.every((item, index) => isSameData(item, other[index]));
  }
  if (!isMapping(one)) return Object.is(one, other);
  if (!isMapping(other)) return false;
  const keys = Object.keys(one);
  if (keys.length !== Object.keys(other).length) return false;
  return keys.every((key) => Object.hasOwn(other, key) && isSameData(one[key], other[key]));
}

/** A mapping as JavaScript has it: neither a list nor a scalar. */
export function isMapping(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function editInside(
  data: unknown,
  key: string | number,
  rest: (string | number)[],
  edit: DocumentEdit,
): unknown {
  const inner = { ...edit, path: rest };
  if (Array.isArray(data)) {
    const index = indexIn(data, key, data.length - 1);
    return data.map((item: unknown, at) => (at === index ? editData(item, inner) : item));
  }
  if (!isMapping(data) && !isMissing(data)) {
    throw new EditRefusal('expected a mapping or a list around it');
  }
  const known = isMapping(data) ? data : {};
  if (!Object.hasOwn(known, key) && (edit.op === 'remove' || edit.op === 'rename')) {
    throw new EditRefusal(`there is no '${key}' on this path`);
  }
  const edited = editData(known[key], inner);
  if (typeof key === 'number' && !isMapping(data)) return [edited];
  return { ...known, [key]: edited };
}

function editList(
  list: readonly unknown[],
  key: string | number,
  op: DocumentEdit['op'],
  value: unknown,
): unknown {
  if (op === 'rename') throw new EditRefusal('an item of a list has no key');
  const index = indexIn(list, key, op === 'remove' ? list.length - 1 : list.length);
  if (op === 'remove') return list.toSpliced(index, 1);
  return list.toSpliced(index, op === 'insert' ? 0 : 1, plainCopy(value));
}

function editMapping(
  mapping: Record<string, unknown>,
  key: string,
  op: DocumentEdit['op'],
  value: unknown,
): unknown {
  const isThere = Object.hasOwn(mapping, key);
  if (op === 'insert' && isThere) throw new EditRefusal(`there is '${key}' already`);
  if ((op === 'remove' || op === 'rename') && !isThere) {
    throw new EditRefusal(`there is no '${key}'`);
  }
  const pairs = Object.entries(mapping);
  if (op === 'remove') return Object.fromEntries(pairs.filter(([name]) => name !== key));
  if (op !== 'rename') return { ...mapping, [key]: plainCopy(value) };
  if (typeof value !== 'string' || value === '') throw new EditRefusal('expected a name');
  if (Object.hasOwn(mapping, value)) throw new EditRefusal(`there is '${value}' already`);
  return Object.fromEntries(pairs.map(([name, item]) => [name === key ? value : name, item]));
}

function indexIn(list: readonly unknown[], key: string | number, last: number): number {
  if (typeof key === 'number' && key <= last) return key;
  throw new EditRefusal(`the list has ${list.length} items, there is no item ${key}`);
}

function isMissing(value: unknown): boolean {
  return value === undefined || value === null;
}
