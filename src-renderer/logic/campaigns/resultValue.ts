// One value of a table of results, as text.

/** Value of an axis or a measure; null: not known, or not finished. */
export type ResultValue = number | string | boolean | null;

/** '12.34', '0.0021', '1.2e-7', 'true', '–': at most four significant digits. */
export function valueText(value: ResultValue | undefined): string {
  if (value === null || value === undefined) return '–';
  if (typeof value !== 'number') return String(value);
  if (Number.isInteger(value) && Math.abs(value) < 1e7) return String(value);
  const size = Math.abs(value);
  if (size >= 1e7 || size < 1e-4) return value.toExponential(2).replace('e+', 'e');
  return String(Number(value.toPrecision(4)));
}

/** Numbers by size, then texts by their letters; what is not known comes last. */
export function compareValues(one: ResultValue, other: ResultValue): number {
  const [first, second] = [rank(one), rank(other)];
  if (first !== second) return first - second;
  if (typeof one === 'number' && typeof other === 'number') return one - other;
  return String(one) < String(other) ? -1 : Number(String(one) > String(other));
}

/** As a number for an axis of a plot: switches are 0 and 1. Null: it is no number. */
export function numberOf(value: ResultValue | undefined): number | null {
  if (typeof value === 'boolean') return Number(value);
  return typeof value === 'number' && Number.isFinite(value) ? value : null;
}

function rank(value: ResultValue): number {
  if (value === null) return 3;
  return typeof value === 'string' ? 2 : typeof value === 'boolean' ? 1 : 0;
}
