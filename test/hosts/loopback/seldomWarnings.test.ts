// Warnings that strangers cause: the first at once, then one line a period with the number of times.
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { createSeldomWarnings } from '#hosts/loopback/seldomWarnings.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

it('logs a text once a period, with its times and the last details', () => {
  const lines: unknown[] = [];
  const warnings = createSeldomWarnings(
    { warn: (...line: unknown[]) => void lines.push(line) },
    1000,
  );
  for (let port = 0; port < 400; port += 1) warnings.warn('refused', { port });
  warnings.warn('failed', {});
  expect(lines).toEqual([
    ['refused', { port: 0 }],
    ['failed', {}],
  ]);
  vi.advanceTimersByTime(1000);
  expect(lines.splice(0)).toHaveLength(3);
  warnings.warn('refused', { port: 7 });
  warnings.warn('failed', {});
  // Why at once: it did not come again in its period.
  expect(lines).toEqual([['failed', {}]]);
  vi.advanceTimersByTime(1000);
  expect(lines.splice(0)).toContainEqual(['refused', { port: 7, times: 1 }]);
  vi.advanceTimersByTime(3000);
  expect(lines).toEqual([]);
  expect(vi.getTimerCount()).toBe(0);
});

it('logs what is outstanding at the end', () => {
  const lines: unknown[] = [];
  const warnings = createSeldomWarnings({ warn: (...line: unknown[]) => void lines.push(line) });
  for (const port of [1, 2, 3]) warnings.warn('refused', { port });
  warnings.end();
  expect(lines).toEqual([
    ['refused', { port: 1 }],
    ['refused', { port: 3, times: 2 }],
  ]);
  expect(vi.getTimerCount()).toBe(0);
});
