// Tables as CSV (RFC 4180, but lines end with \n): a header, then one line a row. Numbers have the fewest digits that
// read back as the same number; what is not known is empty.

/** Lines of a table, the header among them; '' without any. */
export function csvText(rows: Iterable<readonly (number | string | boolean | null)[]>): string {
  let text = '';
  for (const row of rows) text += `${row.map(cellText).join(',')}\n`;
  return text;
}

function cellText(value: number | string | boolean | null): string {
  if (value === null) return '';
  const text = String(value);
  return /[",\n\r]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
