import { describe, expect, it } from 'vitest';
import { axisTicks } from '#renderer/logic/plots/axisTicks.ts';

describe('ticks of an axis', () => {
  it('are round, few, and within the ends', () => {
    expect(axisTicks(0, 10, 5).map(({ text }) => text)).toEqual(['0', '2', '4', '6', '8', '10']);
    expect(axisTicks(-30.7, 10.7, 5).map(({ value }) => value)).toEqual([-30, -20, -10, 0, 10]);
    expect(axisTicks(0.12, 0.31, 4).map(({ text }) => text)).toEqual([
      '0.15',
      '0.20',
      '0.25',
      '0.30',
    ]);
  });

  it('lie from either end to the other', () => {
    expect(axisTicks(180, -180, 4).map(({ value, share }) => [value, share])).toEqual([
      [-100, 280 / 360],
      [0, 0.5],
      [100, 80 / 360],
    ]);
  });

  it.each([
    [1, 1],
    [NaN, 1],
  ])('are none from %f to %f', (from, to) => {
    expect(axisTicks(from, to, 5)).toEqual([]);
  });

  it('are never more than one above what was asked for', () => {
    for (const span of [0.37, 1, 3.3, 7, 19, 250]) {
      expect(axisTicks(0, span, 6).length).toBeLessThanOrEqual(7);
      expect(axisTicks(0, span, 6).length).toBeGreaterThanOrEqual(3);
    }
  });
});
