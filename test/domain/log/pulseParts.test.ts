// Pulses as beams: one return of each, or all of them with the rest that did not return.
import { expect, it } from 'vitest';
import { pulseParts, type PulseRows } from '#domain/log/pulseParts.ts';

/** Three pulses: two returns, none, one return of nearly the whole beam. */
const pulse = [1, 1, 2, 3];
const intensity = [0.2, 0.6, 0, 0.5];
const share = [0.25, 0.5, 0, 0.99999];
const pulses: PulseRows = {
  rows: 4,
  isSamePulse: (before, after) => pulse[before] === pulse[after],
  intensityOf: (row) => intensity[row] ?? NaN,
  isReturn: (row) => row !== 2,
  shareOf: (row) => share[row] ?? NaN,
};

it.each([
  ['strongest', [1, 2, 3]],
  ['first', [0, 2, 3]],
  ['last', [1, 2, 3]],
] as const)('%s of each pulse', (returns, rows) => {
  const parts = pulseParts(pulses, returns);
  expect(parts.rows).toEqual(rows);
  expect(parts.shares).toBeNull();
  expect(rows.some((_, beam) => parts.isRest(beam))).toBe(false);
});

it('all returns are parts of their pulse, and shares add up to whole pulses', () => {
  const parts = pulseParts(pulses, 'all');
  expect(parts.rows).toEqual([0, 1, 0, 2, 3]);
  expect(parts.shares).toEqual([0.25, 0.5, 0.25, 1, 0.99999]);
  const rests = parts.rows.map((_, beam) => parts.isRest(beam));
  expect(rests).toEqual([false, false, true, false, false]);
});

it('a return of unknown share is all that is left', () => {
  const shareOf = (row: number): number => (row === 0 ? 0.25 : NaN);
  expect(pulseParts({ ...pulses, rows: 2, shareOf }, 'all').shares).toEqual([0.25, 0.75]);
});

it('shares that add up to more than the beam are cut to it', () => {
  const parts = pulseParts({ ...pulses, rows: 2, shareOf: () => 0.7 }, 'all');
  expect(parts.shares?.[0]).toBe(0.7);
  expect(parts.shares?.[1]).toBeCloseTo(0.3, 12);
  expect(parts.shares).toHaveLength(2);
});
