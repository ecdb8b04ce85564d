// Thread counts of the scaling bench and the durations of a run, against values worked out by hand.
import { expect, test } from 'vitest';
import { threadCounts } from '#services/bench/scalingBench.ts';
import { createDurations } from '#services/runProcess/durations.ts';

test('threads are counted one by one at first, then doubled, and end at the most', () => {
  expect(threadCounts(1)).toEqual([1]);
  expect(threadCounts(2)).toEqual([1, 2]);
  expect(threadCounts(24)).toEqual([1, 2, 3, 4, 8, 16, 24]);
});

test('durations are known to one per cent, however many there are', () => {
  const durations = createDurations();
  for (let ms = 1; ms <= 1000; ms += 1) durations.add(ms / 1000);
  const { count, medianMs, p95Ms, maxMs } = durations.metrics();
  expect(count).toBe(1000);
  // Bins are 2 % wide and give their middle; the quantile itself lies within one step of 1 ms.
  expect(Math.abs(medianMs / 500 - 1)).toBeLessThan(0.0101);
  expect(Math.abs(p95Ms / 950 - 1)).toBeLessThan(0.0101);
  expect(maxMs).toBe(1000);
});

test('no durations, and such as are below and above the resolution', () => {
  expect(createDurations().metrics()).toEqual({ count: 0, medianMs: 0, p95Ms: 0, maxMs: 0 });
  const durations = createDurations();
  durations.add(0);
  durations.add(1e6);
  expect(durations.metrics()).toMatchObject({ count: 2, maxMs: 1e9 });
});
