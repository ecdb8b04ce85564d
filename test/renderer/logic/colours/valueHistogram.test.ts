// Histograms of the values that colour points, and ranges that are chosen over them.
import { expect, test } from 'vitest';
import { shownRange } from '#renderer/logic/colours/colourRanges.ts';
import { valueHistogram } from '#renderer/logic/colours/valueHistogram.ts';
import { createRunLook } from '#renderer/logic/viewer/viewSettings.ts';

test('every value is counted once, the highest in the last bin', () => {
  const values = Float32Array.from({ length: 400 }, (_, at) => at / 100);
  const { from, to, counts } = valueHistogram(values) ?? { from: NaN, to: NaN, counts: [] };
  expect([from, to]).toEqual([0, expect.closeTo(3.99, 5)]);
  expect(counts.reduce((sum, count) => sum + count, 0)).toBe(400);
  expect(counts.at(-1)).toBeGreaterThan(0);
});

test('an even sample of very many values has their shape', () => {
  const values = Float32Array.from({ length: 100_000 }, (_, at) => (at % 100 < 75 ? 0 : 10));
  const { counts } = valueHistogram(values) ?? { counts: [] };
  const all = counts.reduce((sum, count) => sum + count, 0);
  expect(all).toBeLessThan(10_000);
  expect((counts[0] ?? 0) / all).toBeCloseTo(0.75, 1);
});

test('there is none of no values, nor of values that are all equal', () => {
  expect(valueHistogram(new Float32Array(0))).toBeNull();
  expect(valueHistogram(Float32Array.of(2, 2, 2))).toBeNull();
});

test('values that are no numbers are left out', () => {
  const values = Float32Array.of(NaN, 1, 3, NaN, 2);
  const { from, to, counts } = valueHistogram(values) ?? { from: NaN, to: NaN, counts: [] };
  expect([from, to]).toEqual([1, 3]);
  expect(counts.reduce((sum, count) => sum + count, 0)).toBe(3);
  expect(valueHistogram(Float32Array.of(NaN, NaN))).toBeNull();
});

test('a range that was chosen takes the place of that of the points, for its colouring alone', () => {
  const { colouring } = createRunLook();
  expect(shownRange(colouring)).toBeNull();
  colouring.ranges.height = [0, 9];
  colouring.ranges.range = [0, 50];
  expect(shownRange(colouring)).toEqual([0, 9]);
  colouring.chosen.height = [1, 3];
  expect(shownRange(colouring)).toEqual([1, 3]);
  colouring.by = 'range';
  expect(shownRange(colouring)).toEqual([0, 50]);
  colouring.by = 'class';
  expect(shownRange(colouring)).toBeNull();
});
