// Two files of metrics side by side: every number that both have, and the second over the first.
import { countText, numberText } from '#domain/shared/formats.ts';
import { tableLines } from './table.ts';

/** Lines of a table; metrics that only one file has are left out. */
export function compareBenches(first: unknown, second: unknown): string[] {
  const before = new Map(numbersOf(first, ''));
  const after = new Map(numbersOf(second, ''));
  const rows = [...before].flatMap(([name, a]) => {
    const b = after.get(name);
    return b === undefined ? [] : [{ name, a, b }];
  });
  return tableLines(rows, [
    { title: 'metric', value: ({ name }) => name },
    { title: 'A', value: ({ a }) => metricText(a), align: 'right' },
    { title: 'B', value: ({ b }) => metricText(b), align: 'right' },
    { title: 'B / A', value: ({ a, b }) => (a === 0 ? '-' : (b / a).toFixed(3)), align: 'right' },
  ]);
}

/** Every number in a document by its path; entries of lists by their name, where they have one. */
function numbersOf(value: unknown, path: string): [string, number][] {
  if (typeof value === 'number') return [[path, value]];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, each]: [string, unknown]) => {
    const name = nameOf(each) ?? key;
    return numbersOf(each, path === '' ? name : `${path}.${name}`);
  });
}

function nameOf(value: unknown): string | null {
  const isNamed = typeof value === 'object' && value !== null && 'name' in value;
  return isNamed ? String(value.name) : null;
}

function metricText(value: number): string {
  return Number.isInteger(value) ? countText(value) : numberText(value);
}
