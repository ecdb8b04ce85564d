// A criterion as the reports state it.
import type { Criterion } from '#contract/host/validation.ts';
import { numberText, withUnit } from '#domain/shared/formats.ts';

/** As in '< 0.5 m'. */
export function expectationOf({ comparison, expected, tolerance, unit }: Criterion): string {
  if (comparison === 'within') return `${numberText(expected)} ± ${withUnit(tolerance, unit)}`;
  const signs = {
    below: '<',
    'at-most': '≤',
    above: '>',
    'at-least': '≥',
    equal: 'exactly',
  } as const;
  return `${signs[comparison]} ${withUnit(expected, unit)}`;
}

/** As in 'seeds 1, 2, 3'. */
export function seedsText(seeds: readonly number[]): string {
  return `${seeds.length === 1 ? 'seed' : 'seeds'} ${seeds.join(', ')}`;
}
