// Reading data of unknown shape: what is not there, or is of another kind, is nothing.

/** A mapping's own field; undefined in anything else. */
export function field(value: unknown, key: string): unknown {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, key)
    ? (value as Record<string, unknown>)[key]
    : undefined;
}

/** The fields of a mapping; none of anything else. */
export function entries(value: unknown): [string, unknown][] {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? Object.entries(value)
    : [];
}

/** The items of a list; none of anything else. */
export function items(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}
