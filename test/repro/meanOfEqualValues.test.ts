// The mean of ten values 0.1 was 0.09999999999999999, and the interval of equal values had a length: the page drew the
// rounding over the whole axis.
import { expect, it } from 'vitest';
import { createBootstrap } from '#domain/campaign/intervals.ts';
import { mean } from '#domain/shared/statistics.ts';
import { meanMark, measureAxis } from '#renderer/logic/campaigns/groupBars.ts';

it.each([3, 6, 10, 41])('the mean and the interval of %i equal values are that value', (n) => {
  for (const value of [0.1, 1 / 3, 12.7, -0.7, 1e9 + 0.1]) {
    const values = new Float64Array(n).fill(value);
    expect(mean(values)).toBe(value);
    const steps = createBootstrap().meanOf(values, 0.95);
    let step = steps.next();
    while (step.done !== true) step = steps.next();
    expect(step.value).toMatchObject({ mean: value, low: value, high: value });
  }
});

it('an interval as long as rounding is a point on the axis', () => {
  const rounded = {
    kind: 'mean' as const,
    n: 3,
    mean: 0.1,
    low: 0.1,
    high: 0.10000000000000002,
  };
  const axis = measureAxis([rounded]);
  expect(axis?.from).toBeLessThan(0);
  expect(axis?.to).toBeGreaterThan(0.5);
  const mark = meanMark(rounded, axis ?? { from: 0, to: 1 });
  expect((mark?.high ?? 1) - (mark?.low ?? 0)).toBeLessThan(1e-9);
});
