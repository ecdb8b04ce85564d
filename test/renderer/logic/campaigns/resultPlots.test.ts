// Results as plots: bins of an axis, means of a heat map against a plain loop, points of a scatter plot.
import { describe, expect, it } from 'vitest';
import { whereInBin } from '#renderer/logic/campaigns/plotChoice.ts';
import { heatMapOf, shareOf } from '#renderer/logic/campaigns/heatMap.ts';
import {
  compareValues,
  valueText,
  type ResultValue,
} from '#renderer/logic/campaigns/resultValue.ts';
import { pointAt, pointPx, scatterPoints } from '#renderer/logic/campaigns/scatterPoints.ts';
import { valueBins } from '#renderer/logic/campaigns/valueBins.ts';

describe('a value', () => {
  it.each([
    [12.34567, '12.35'],
    [0.1 + 0.2, '0.3'],
    [100_000, '100000'],
    [1.5e-7, '1.50e-7'],
    [2.5e9, '2.50e9'],
    [true, 'true'],
    ['first', 'first'],
    [null, '–'],
  ])('%s is %s', (value, text) => {
    expect(valueText(value)).toBe(text);
  });

  it('is sorted by kind, then by size; what is not known comes last', () => {
    const values: ResultValue[] = [null, 'b', 10, true, 'a', 9, -1];
    expect(values.toSorted(compareValues)).toEqual([-1, 9, 10, true, 'a', 'b', null]);
  });
});

describe('the bins of an axis', () => {
  it('are its values where they are few', () => {
    const bins = valueBins([400, 100, 200, 100, null]);
    expect(bins.labels).toEqual(['100', '200', '400']);
    expect([100, 200, 400, 300, null].map(bins.binOf)).toEqual([0, 1, 2, null, null]);
    expect(bins.rangeOf(0)).toBeNull();
    expect(valueBins(Array.from({ length: 90 }, (_, n) => `name-${n}`)).labels).toHaveLength(90);
  });

  it.each([
    { name: 'even', values: Array.from({ length: 500 }, (_, n) => 3 + 0.017 * n) },
    { name: 'log', values: Array.from({ length: 500 }, (_, n) => 0.2 * 1.0095 ** n) },
    { name: 'below zero', values: Array.from({ length: 300 }, (_, n) => -7 + 0.05 * n) },
  ])('are ranges that hold every value, where there are many: $name', ({ values }) => {
    const bins = valueBins(values);
    expect(bins.rangeOf(0)?.from).toBeLessThanOrEqual(Math.min(...values));
    expect(bins.labels.length).toBeGreaterThan(4);
    expect(bins.labels.length).toBeLessThanOrEqual(24);
    const used = values.map((value) => {
      const bin = bins.binOf(value);
      const [from = NaN, to = NaN] = (bins.labels[bin ?? -1] ?? '').split(' – ').map(Number);
      expect(value).toBeGreaterThanOrEqual(from - 1e-9);
      expect(value).toBeLessThanOrEqual(to + 1e-9);
      return bin;
    });
    expect(new Set(used).size).toBe(bins.labels.length);
  });
});

it('a bin is a condition of the host', () => {
  const bins = valueBins(Array.from({ length: 100 }, (_, n) => n));
  const last = bins.labels.length - 1;
  expect(whereInBin('a', bins, 0, 3)).toBe('a >= 0 and a < 5');
  expect(whereInBin('a', bins, last, 99)).toBe('a >= 95 and a <= 100');
  expect(whereInBin('a', valueBins([1, 2]), 1, 2)).toBe('a = 2');
});

describe('a heat map', () => {
  const count = 3000;
  const index = Array.from({ length: count }, (_, n) => n);
  const x = index.map((n) => 100 * (1 + (n % 4)));
  const y = index.map((n) => ['a', 'b', 'c'][Math.floor(n / 4) % 3] ?? '');
  const value = index.map((n) => (n % 7 === 0 ? null : Math.sin(n)));

  it('has the mean of each cell, and the runs behind it', () => {
    const map = heatMapOf({ index, x, y, value });
    expect(map.cells).toHaveLength(12);
    expect(map.cells.reduce((sum, { planned }) => sum + planned, 0)).toBe(count);
    for (const { column, row, mean, done, runs } of map.cells) {
      const expected = index.filter(
        (n) => x[n] === 100 * (column + 1) && y[n] === ['a', 'b', 'c'][row],
      );
      expect(runs).toEqual(expected);
      const known = expected.flatMap((n) => value[n] ?? []);
      expect(done).toBe(known.length);
      expect(mean).toBeCloseTo(known.reduce((sum, one) => sum + one, 0) / known.length, 12);
    }
    const means = map.cells.flatMap(({ mean }) => mean ?? []);
    expect([map.low, map.high]).toEqual([Math.min(...means), Math.max(...means)]);
  });

  it('shows planned cells without a value, and one colour where all are equal', () => {
    const map = heatMapOf({ index: [0, 1], x: [1, 2], y: [1, 1], value: [null, 5] });
    expect(map.cells.map(({ mean, planned }) => [mean, planned])).toEqual([
      [null, 1],
      [5, 1],
    ]);
    expect(shareOf(5, map)).toBe(0.5);
    expect(heatMapOf({ index: [0], x: [1], y: [1], value: [null] }).low).toBeNull();
  });
});

describe('a scatter plot', () => {
  const size = { widthPx: 400, heightPx: 200 };

  it('has the rows with both numbers, from left to right, and finds the one below the pointer', () => {
    const points = scatterPoints([10, 11, 12, 13], [3, 1, null, 2], [0, 5, 5, true]);
    expect([...points.index]).toEqual([11, 13, 10]);
    expect([...points.y]).toEqual([5, 1, 0]);
    for (const at of [0, 1, 2]) {
      const [left, top] = pointPx(points, at, size);
      expect(left).toBeGreaterThan(0);
      expect(left).toBeLessThan(size.widthPx);
      expect(pointAt(points, [left + 2, top - 3], size)).toBe(at);
    }
    expect(pointAt(points, [200, 190], size)).toBeNull();
  });

  it('of equal values has an axis nevertheless', () => {
    const points = scatterPoints([0, 1], [7, 7], [0, 0]);
    expect(points.xFrom).toBeLessThan(7);
    expect(points.xTo).toBeGreaterThan(7);
    expect(pointPx(points, 0, size)).toEqual([200, 100]);
  });
});
