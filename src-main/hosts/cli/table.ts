// Plain text tables: a head, a rule, rows; numbers to the right.
import { printableLine } from './printable.ts';

const defaultMaxLength = 1000;

export interface TableColumn<Row> {
  title: string;
  value: (row: Row) => string;
  align?: 'left' | 'right';
  /** Letters; for names given by users, which have no limit. */
  maxLength?: number;
}

/** Lines of a table. */
export function tableLines<Row>(
  rows: readonly Row[],
  columns: readonly TableColumn<Row>[],
): string[] {
  const cells = rows.map((row) =>
    columns.map((column) => printableLine(column.value(row), column.maxLength ?? defaultMaxLength)),
  );
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
