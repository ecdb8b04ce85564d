// Elements of XML thousands deep ended an import with a stack trace in place of a problem.
import { expect, it } from 'vitest';
import { descendantsOf, parseXml } from '#domain/import/helios/xml.ts';

const nested = (depth: number): string => `${'<a>'.repeat(depth)}x${'</a>'.repeat(depth)}`;

it.each([65, 1000, 100_000])('refuses %d elements within each other', (depth) => {
  const { value, problems } = parseXml(nested(depth));
  expect(value).toBe(null);
  expect(problems.map(({ path, message }) => `${path}: ${message}`)).toEqual([
    expect.stringContaining('(file): expected XML with at most 64 elements within each other'),
  ]);
});

it('reads 64', () => {
  const { value } = parseXml(nested(64));
  expect(value && descendantsOf(value, 'a')).toHaveLength(63);
});
