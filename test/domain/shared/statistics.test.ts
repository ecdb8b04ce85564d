// Statistics of samples whose answer is known by hand.
import { expect, it } from 'vitest';
import {
  extent,
  mean,
  median,
  quantile,
  relativeSpread,
  standardDeviation,
  standardError,
} from '#domain/shared/statistics.ts';

it('mean, standard deviation and standard error are those of the textbook', () => {
  const values = [2, 4, 4, 4, 5, 5, 7, 9];
  expect(mean(values)).toBe(5);
  expect(standardDeviation(values)).toBeCloseTo(Math.sqrt(32 / 7), 12);
  expect(standardError(values)).toBeCloseTo(Math.sqrt(32 / 7 / 8), 12);
  expect(standardDeviation([3])).toBeNaN();
  expect(mean(new Float32Array(0))).toBeNaN();
});

it('the median is the middle value, or the mean of the middle two', () => {
  expect(median([3, 1, 2])).toBe(2);
  expect(median(Float32Array.of(4, 1, 2, 3))).toBe(2.5);
  expect(median([10, 9])).toBe(9.5);
  expect(median([])).toBeNaN();
});

it('quantiles are linear between the ordered values', () => {
  expect(quantile([0, 10], 0.25)).toBe(2.5);
  expect(relativeSpread([9, 10, 12])).toBeCloseTo(0.3, 12);
});

it('the extent is from the smallest to the largest value', () => {
  expect(extent([3, -1, 2])).toEqual([-1, 3]);
  expect(extent([])).toEqual([Infinity, -Infinity]);
});
