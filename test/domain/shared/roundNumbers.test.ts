// 1, 2, 5 times a power of ten.
import { expect, it } from 'vitest';
import { multiplesOf, roundAbove, roundBelow } from '#domain/shared/roundNumbers.ts';

it('are found below and above a bound; round bounds are kept', () => {
  expect([7, 60, 0.3, 200, 10, 0.05].map(roundBelow)).toEqual([5, 50, 0.2, 200, 10, 0.05]);
  expect([7, 60, 0.3, 200, 11, 2.1].map(roundAbove)).toEqual([10, 100, 0.5, 200, 20, 5]);
});

it('have multiples between two ends, both included', () => {
  expect(multiplesOf(5, -10, 12)).toEqual([-10, -5, 0, 5, 10]);
  expect(multiplesOf(0.1, 0.1, 0.3).map((value) => value.toFixed(1))).toEqual([
    ...['0.1', '0.2', '0.3'],
  ]);
  expect(multiplesOf(5, 1, 4)).toEqual([]);
  expect(multiplesOf(1, -0.5, 0.5)).toEqual([0]);
});
