// One field of a document at a time, changed in each way that a stranger may change it.

/** Changes of a field, by what it becomes. */
export const changes: Record<string, (value: unknown) => unknown> = {
  absent: () => undefined,
  null: () => null,
  'another kind': (value) => (typeof value === 'string' ? 7 : 'text'),
  'a huge number': () => 1e300,
  'a negative number': () => -1,
  'control characters': () => 'two\nlines\u0007\u001b[2J',
  'an absolute path': () => '/etc/passwd',
  'an empty list': () => [],
};

/** The paths of all values in a document, the first two items of each list. */
export function pathsOf(value: unknown, at: readonly PropertyKey[] = []): PropertyKey[][] {
  const inside =
    typeof value === 'object' && value !== null
      ? Object.entries(value).filter(([key]) => !Array.isArray(value) || Number(key) < 2)
      : [];
  const deeper = inside.flatMap(([key, field]) => pathsOf(field, [...at, key]));
  return at.length === 0 ? deeper : [[...at], ...deeper];
}

/** A copy of the document in which one value is changed. */
export function changedAt(
  document: unknown,
  path: readonly PropertyKey[],
  change: (value: unknown) => unknown,
): unknown {
  const copy: unknown = structuredClone(document);
  const parent = path.slice(0, -1).reduce((value, key) => Reflect.get(value as object, key), copy);
  const key = path.at(-1) ?? '';
  const value = change(Reflect.get(parent as object, key));
  if (value === undefined && !Array.isArray(parent)) Reflect.deleteProperty(parent as object, key);
  else Reflect.set(parent as object, key, value ?? null);
  return copy;
}
