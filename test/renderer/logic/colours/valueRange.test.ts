// Ranges of colour scales: they widen in steps and never shrink.
import { describe, expect, it } from 'vitest';
import { widenRange } from '#renderer/logic/colours/valueRange.ts';

describe('the range of a colour scale', () => {
  it('is whole steps around the values', () => {
    expect(widenRange(null, Float32Array.of(0.2, 1.3), 0.5)).toEqual([0, 1.5]);
    expect(widenRange(null, Float32Array.of(2, 2), 0.5)).toEqual([2, 2.5]);
    expect(widenRange(null, Float32Array.of(-0.02, 1.49), 0.5)).toEqual([0, 1.5]);
  });

  it('only ever widens', () => {
    const range = widenRange(null, Float32Array.of(0, 4), 0.5);
    expect(widenRange(range, Float32Array.of(1, 2), 0.5)).toBe(range);
    expect(widenRange(range, Float32Array.of(-0.3, 2), 0.5)).toEqual([-0.5, 4]);
  });

  it('sees every laser of a sensor, however many take turns', () => {
    for (const lasers of [2, 16, 32, 64]) {
      const values = Float32Array.from({ length: 1000 * lasers }, (_, row) => row % lasers);
      expect(widenRange(null, values, 1), `${lasers} lasers`).toEqual([0, lasers - 1]);
    }
  });

  it('leaves outliers and missing values out', () => {
    const values = new Float32Array(1000).fill(1);
    values[0] = -500;
    values[1] = 900;
    values[2] = Number.NaN;
    expect(widenRange(null, values, 0.5)).toEqual([1, 1.5]);
    expect(widenRange(null, Float32Array.of(Number.NaN), 0.5)).toBeNull();
    expect(widenRange([0, 1], new Float32Array(0), 0.5)).toEqual([0, 1]);
  });
});
