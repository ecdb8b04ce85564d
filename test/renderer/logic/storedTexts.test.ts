// Texts stored by a browser, whatever became of them.
import { expect, test } from 'vitest';
import { jsonOf, textsOf } from '#renderer/logic/storedTexts.ts';

test.each([null, '', '{', 'dark', '{"a":', '\u0000'])('junk is nothing: %j', (text) => {
  expect(jsonOf(text)).toBeNull();
  expect(textsOf(text)).toEqual([]);
});

test('a list of texts has only texts', () => {
  expect(textsOf('["a", 3, null, "b", ["c"]]')).toEqual(['a', 'b']);
  expect(textsOf('{"length": 2}')).toEqual([]);
  expect(jsonOf('{"a": [1]}')).toEqual({ a: [1] });
});
