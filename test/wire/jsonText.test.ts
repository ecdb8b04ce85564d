// JSON in pieces is the JSON of the whole, and a frame sends it as it is.
import { expect, it } from 'vitest';
import { decodeFrame, encodeFrame } from '#contract/wire/frame.ts';
import { JsonText, jsonPieces, writeJson } from '#contract/wire/jsonText.ts';

const objects = Array.from({ length: 1234 }, (_, id) => ({
  id,
  name: `é"${id}`,
  at: [id, -0, 1e-9],
}));

it.each([
  ['nothing', null],
  ['a text', 'a "b" \u0000'],
  ['an empty list', []],
  ['an empty object', {}],
  ['fields that JSON leaves out', { a: undefined, b: [undefined, NaN], c: { d: undefined } }],
  ['a long list', objects],
  ['a list of lists', [objects, []]],
  ['a long list in objects', { order: { compiled: { scene: { objects, none: [] } } }, last: true }],
])('is that of JSON.stringify: %s', (_, value) => {
  expect([...jsonPieces(value)].join('')).toBe(JSON.stringify(value));
});

it('is divided where there is much of it, with a pause for every half a million letters', async () => {
  const many = { scene: { objects: Array.from({ length: 30 }, () => objects).flat() } };
  const expected = JSON.stringify(many);
  let pauses = 0;
  const json = await writeJson(many, () => Promise.resolve(void (pauses += 1)));
  expect(json).toBe(expected);
  const longest = Math.max(...[...jsonPieces(many)].map(({ length }) => length));
  expect(longest).toBeLessThan(expected.length / 50);
  // A pause follows the piece that reaches the limit, which is at most one piece more.
  expect(pauses).toBeLessThanOrEqual(expected.length / 500_000);
  expect(pauses).toBeGreaterThanOrEqual(Math.floor(expected.length / (500_000 + longest)));
});

it('is the body of a frame', () => {
  const columns = { heights: new Float32Array([1, 2]) };
  const header = { kind: 'call' as const, id: 7, method: 'scene.build' };
  const plain = decodeFrame(encodeFrame({ header: { ...header, body: { objects } }, columns }));
  const written = new JsonText(JSON.stringify({ objects }));
  expect(decodeFrame(encodeFrame({ header: { ...header, body: written }, columns }))).toEqual(
    plain,
  );
});
