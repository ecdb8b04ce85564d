// Criteria by kind: each decides at once, and says how.
import type { Comparison, Criterion } from '#contract/host/validation.ts';

const holds: Record<Comparison, (value: number, expected: number, tolerance: number) => boolean> = {
  within: (value, expected, tolerance) => Math.abs(value - expected) <= tolerance,
  below: (value, limit) => value < limit,
  'at-most': (value, limit) => value <= limit,
  above: (value, limit) => value > limit,
  'at-least': (value, limit) => value >= limit,
  equal: (value, expected) => value === expected,
};

/** By any comparison; `tolerance`: for 'within'. */
export function criterion(
  comparison: Comparison,
  name: string,
  value: number,
  expected: number,
  { tolerance = 0, unit = '1' } = {},
): Criterion {
  const pass = holds[comparison](value, expected, tolerance);
  return { name, value, expected, tolerance, comparison, unit, pass };
}

/** |value − expected| ≤ tolerance. */
export function within(
  name: string,
  value: number,
  expected: number,
  tolerance: number,
  unit?: string,
): Criterion {
  return criterion('within', name, value, expected, { tolerance, ...(unit && { unit }) });
}

type Limited = (name: string, value: number, limit: number, unit?: string) => Criterion;
const limited =
  (comparison: Comparison): Limited =>
  (name, value, limit, unit) =>
    criterion(comparison, name, value, limit, unit === undefined ? {} : { unit });

/** value < limit. */
export const below = limited('below');
/** value ≤ limit. */
export const atMost = limited('at-most');
/** value > limit. */
export const above = limited('above');
/** value ≥ limit. */
export const atLeast = limited('at-least');
/** Exactly, for counts. */
export const equal = limited('equal');
