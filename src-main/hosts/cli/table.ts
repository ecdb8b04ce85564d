// Plain text tables: a head, a rule, rows; numbers to the right.

export interface TableColumn<Row> {
  title: string;
  value: (row: Row) => string;
  align?: 'left' | 'right';
}

/** Lines of a table. */
export function tableLines<Row>(
  rows: readonly Row[],
  columns: readonly TableColumn<Row>[],
): string[] {
  const cells = rows.map((row) => columns.map((column) => column.value(row)));
  const widths = columns.map(({ title }, index) =>
    Math.max(title.length, ...cells.map((line) => (line[index] ?? '').length)),
  );
  const lineOf = (texts: readonly string[]): string =>
    texts
      .map((text, index) => {
        const width = widths[index] ?? 0;
        return columns[index]?.align === 'right' ? text.padStart(width) : text.padEnd(width);
      })
      .join('  ')
      .trimEnd();
  return [
    lineOf(columns.map(({ title }) => title)),
    widths.map((width) => '-'.repeat(width)).join('  '),
    ...cells.map(lineOf),
  ];
}

/** '1,234,567'. */
export function countText(count: number): string {
  return Math.round(count).toLocaleString('en');
}

/** '12.3 M', '4.5 k': for lines that change. */
export function shortCount(count: number): string {
  if (count >= 1e9) return `${(count / 1e9).toFixed(2)} G`;
  if (count >= 1e6) return `${(count / 1e6).toFixed(2)} M`;
  if (count >= 1e3) return `${(count / 1e3).toFixed(1)} k`;
  return String(Math.round(count));
}

/** '1.2 GB'; decimal, as disks are sold. */
export function bytesText(bytes: number): string {
  if (bytes >= 1e9) return `${(bytes / 1e9).toFixed(2)} GB`;
  if (bytes >= 1e6) return `${(bytes / 1e6).toFixed(1)} MB`;
  return `${(bytes / 1e3).toFixed(1)} kB`;
}
