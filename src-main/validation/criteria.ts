// Criteria by kind: each decides at once, and says how.
import type { Comparison, Criterion } from '#contract/host/validation.ts';

/** |value − expected| ≤ tolerance. */
export function within(
  name: string,
  value: number,
  expected: number,
  tolerance: number,
  unit = '1',
): Criterion {
  const pass = Math.abs(value - expected) <= tolerance;
  return { name, value, expected, tolerance, comparison: 'within', unit, pass };
}

/** value < limit. */
export function below(name: string, value: number, limit: number, unit = '1'): Criterion {
  return compared(name, value, limit, 'below', value < limit, unit);
}

/** value ≤ limit. */
export function atMost(name: string, value: number, limit: number, unit = '1'): Criterion {
  return compared(name, value, limit, 'at-most', value <= limit, unit);
}

/** value > limit. */
export function above(name: string, value: number, limit: number, unit = '1'): Criterion {
  return compared(name, value, limit, 'above', value > limit, unit);
}

/** value ≥ limit. */
export function atLeast(name: string, value: number, limit: number, unit = '1'): Criterion {
  return compared(name, value, limit, 'at-least', value >= limit, unit);
}

/** Exactly, for counts. */
export function equal(name: string, value: number, expected: number, unit = '1'): Criterion {
  return compared(name, value, expected, 'equal', value === expected, unit);
}

function compared(
  name: string,
  value: number,
  expected: number,
  comparison: Comparison,
  pass: boolean,
  unit: string,
): Criterion {
  return { name, value, expected, tolerance: 0, comparison, unit, pass };
}
