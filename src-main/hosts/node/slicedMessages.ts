// Answers between threads whose long arrays travel in slices: taking a message apart takes the receiver's thread a
// millisecond for a thousand objects, and 200,000 of them at once would hold it up for most of a second.

/** Elements of an array at the end of `path`, which come after those that it has. */
export interface Slice {
  path: readonly string[];
  items: readonly unknown[];
}

const itemsAtOnce = 4000;

/** The answer with empty arrays in place of those of more than 4000 elements, and these in slices. */
export function withoutLongArrays(answer: unknown): { outline: unknown; slices: Iterator<Slice> } {
  const long: { path: string[]; items: unknown[] }[] = [];
  const outline = shortened(answer, [], long);
  return { outline, slices: slicesOf(long) };
}

function* slicesOf(
  long: readonly { path: string[]; items: readonly unknown[] }[],
): Generator<Slice> {
  for (const { path, items } of long) {
    for (let from = 0; from < items.length; from += itemsAtOnce) {
      yield { path, items: items.slice(from, from + itemsAtOnce) };
    }
  }
}

function shortened(
  value: unknown,
  path: string[],
  long: { path: string[]; items: unknown[] }[],
): unknown {
  if (Array.isArray(value) && value.length > itemsAtOnce) {
    long.push({ path, items: value as unknown[] });
    return [];
  }
  if (typeof value !== 'object' || value === null || ArrayBuffer.isView(value)) return value;
  const known = long.length;
  const fields = Object.entries(value).map(([key, field]): [string, unknown] => [
    key,
    shortened(field, [...path, key], long),
  ]);
  if (long.length === known) return value;
  return Array.isArray(value) ? fields.map(([, field]) => field) : Object.fromEntries(fields);
}

/** Adds a slice to the outline. */
export function addSlice(outline: unknown, { path, items }: Slice): void {
  const array = path.reduce((value, key) => (value as Record<string, unknown>)[key], outline);
  for (const item of items) (array as unknown[]).push(item);
}

/** The buffers of typed arrays in a message that have no other view: they can be moved instead of copied. */
export function movableBuffers(message: unknown): ArrayBuffer[] {
  const found = new Set<ArrayBuffer>();
  addBuffers(message, found);
  return [...found];
}

function addBuffers(value: unknown, found: Set<ArrayBuffer>): void {
  if (typeof value !== 'object' || value === null) return;
  if (!ArrayBuffer.isView(value)) {
    for (const field of Object.values(value)) addBuffers(field, found);
  } else if (value.buffer instanceof ArrayBuffer && value.byteLength === value.buffer.byteLength) {
    found.add(value.buffer);
  }
}
