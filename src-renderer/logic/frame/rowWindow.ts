// The visible rows of a long table: rows of one height, so that it is a division. Our own because
// that is all there is to it, and a row never measures itself.

export interface RowWindow {
  /** Rows [first, first + count) are drawn. */
  first: number;
  count: number;
}

/** The visible rows, with enough more at both ends that scrolling finds them drawn. */
export function rowWindow(
  { scrollPx, heightPx }: { scrollPx: number; heightPx: number },
  rowPx: number,
  total: number,
  margin = 8,
): RowWindow {
  const first = Math.max(0, Math.min(Math.floor(scrollPx / rowPx) - margin, total - 1));
  const end = Math.min(total, Math.ceil((scrollPx + heightPx) / rowPx) + margin);
  return { first, count: Math.max(0, end - first) };
}

/** Numbers of the pages of `pageRows` rows that the window touches. */
export function pagesOf({ first, count }: RowWindow, pageRows: number): number[] {
  if (count === 0) return [];
  const [from, to] = [first, first + count - 1].map((row) => Math.floor(row / pageRows));
  return Array.from({ length: (to ?? 0) - (from ?? 0) + 1 }, (_, index) => (from ?? 0) + index);
}

/** Where to scroll so that the row is wholly visible; null: it is already. */
export function scrollTo(
  row: number,
  { scrollPx, heightPx }: { scrollPx: number; heightPx: number },
  rowPx: number,
): number | null {
  if (row * rowPx < scrollPx) return row * rowPx;
  if ((row + 1) * rowPx > scrollPx + heightPx) return (row + 1) * rowPx - heightPx;
  return null;
}
