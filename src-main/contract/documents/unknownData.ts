// Reading data of unknown shape: what is not there, or is of another kind, is nothing.

/** Of a mapping's own keys. */
export function field(value: unknown, key: string): unknown {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, key)
    ? (value as Record<string, unknown>)[key]
    : undefined;
}

/** Of a mapping; none of anything else. */
export function entries(value: unknown): [string, unknown][] {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? Object.entries(value)
    : [];
}

/** Of a list; none of anything else. */
export function items(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}
