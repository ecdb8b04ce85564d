import { expect, it } from 'vitest';
import { createTextLines } from '#domain/shared/textLines.ts';

const text = 'one\n\ntwo\r\n  three';
const expected = ['one', '', 'two\r', '  three'];

it.each([1, 2, 3, 5, 100])('lines are the same in pieces of %i letters', (letters) => {
  const lines = createTextLines();
  const found: string[] = [];
  for (let at = 0; at < text.length; at += letters) {
    found.push(...lines.take(text.slice(at, at + letters)));
  }
  expect(lines.openLetters).toBe('  three'.length);
  expect([...found, ...lines.end()]).toEqual(expected);
});

it('a text that ends with a line, or is empty, has no other', () => {
  const lines = createTextLines();
  expect(lines.end()).toEqual([]);
  expect(lines.take('one\n')).toEqual(['one']);
  expect(lines.end()).toEqual([]);
});
