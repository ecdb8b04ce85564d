// Where the rows of a full ring go: new rows overwrite the oldest. Used for the points on screen.

/** Rows from `source` of the new ones go to `target` of the ring. */
export interface RingSpan {
  source: number;
  target: number;
  count: number;
}

/**
 * The one or two spans in which `rows` new rows enter a ring of `capacity` at `cursor`, and the cursor
 * after them. Where more rows come than fit, only the last `capacity` are stored.
 */
export function ringSpans(
  cursor: number,
  rows: number,
  capacity: number,
): { spans: RingSpan[]; cursor: number } {
  const taken = Math.min(rows, capacity);
  const source = rows - taken;
  const first = Math.min(taken, capacity - cursor);
  const spans = [
    { source, target: cursor, count: first },
    { source: source + first, target: 0, count: taken - first },
  ].filter(({ count }) => count > 0);
  return { spans, cursor: (cursor + taken) % capacity };
}
