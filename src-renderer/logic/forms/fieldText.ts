// Rows of numbers as a person types them: a line each, numbers set apart by commas or spaces.
import { field, items } from '#contract/documents/unknownData.ts';

/** Rows as lines; what is no list of numbers is left out. */
export function rowsText(rows: unknown): string {
  return items(rows)
    .filter((row) => Array.isArray(row))
    .map((row) => row.map(String).join(', '))
    .join('\n');
}

/** Rows of so many numbers, or of any number of them; null where a line is something else. */
export function parseRows(text: string, columns: number | null): number[][] | null {
  const rows = text
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) =>
      line
        .trim()
        .replace(/^\[|\],?$/g, '')
        .split(/\s*[,;]\s*|\s+/)
        .filter((word) => word !== '')
        .map(Number),
    );
  const isRight = rows.every(
    (row) => (columns ?? row.length) === row.length && row.every(Number.isFinite),
  );
  return isRight ? rows : null;
}

/** Circles as lines: x, y, radius. */
export function circlesText(circles: unknown): string {
  return rowsText(
    items(circles).map((circle) => [...items(field(circle, 'centreM')), field(circle, 'radiusM')]),
  );
}

/** The reverse of circlesText; null where a line is something else. */
export function parseCircles(
  text: string,
): { centreM: [number, number]; radiusM: number }[] | null {
  const rows = parseRows(text, 3);
  if (rows === null) return null;
  return rows.map(([x = 0, y = 0, radiusM = 0]) => ({ centreM: [x, y], radiusM }));
}

/** '-12.3', without the digits that binary fractions bring along. */
export function numberText(value: unknown): string {
  return typeof value === 'number' ? String(Number(value.toPrecision(12))) : '';
}
