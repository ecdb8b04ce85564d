// Tables as CSV (RFC 4180, but lines end with \n): a header, then one line a row. Numbers have the fewest digits that
// read back as the same number; what is not known is empty.

/** The lines of a table. */
export function csvText(
  names: readonly string[],
  rows: Iterable<readonly (number | string | boolean | null)[]>,
): string {
  const lines = [names.map(cellText).join(',')];
  for (const row of rows) lines.push(row.map(cellText).join(','));
  return `${lines.join('\n')}\n`;
}

function cellText(value: number | string | boolean | null): string {
  if (value === null) return '';
  const text = String(value);
  return /[",\n\r]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
