// A typed number: its value, and why it is refused, in the words of the host's own checks.
import type { JsonSchema } from './jsonSchema.ts';

/** null: no bound on that side. */
export interface NumberBounds {
  least: number | null;
  /** `least` itself is refused. */
  isLeastExcluded: boolean;
  most: number | null;
  isMostExcluded: boolean;
  isInteger: boolean;
}

/** Bounds of a setting on screen: from `least` (or above it) on. */
export function boundsFrom(
  least: number | null,
  {
    isExcluded = false,
    most = null,
    isInteger = false,
  }: {
    isExcluded?: boolean;
    most?: number | null;
    isInteger?: boolean;
  } = {},
): NumberBounds {
  return { least, isLeastExcluded: isExcluded, most, isMostExcluded: false, isInteger };
}

/** The meaning of a typed text. 'empty': nothing was typed. */
export type NumberEntry = { value: number } | { problem: string } | 'empty';

/** Bounds that the schema of a number, or of one among other forms, states; undefined where it is none. */
export function boundsOf(schema: JsonSchema | null): NumberBounds | undefined {
  if (schema === null) return undefined;
  const options = schema.oneOf ?? schema.anyOf;
  if (options !== undefined) {
    return options.map((option) => boundsOf(option)).find((bounds) => bounds !== undefined);
  }
  if (schema.type !== 'number' && schema.type !== 'integer') return undefined;
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum } = schema;
  return {
    least: exclusiveMinimum ?? minimum ?? null,
    isLeastExcluded: exclusiveMinimum !== undefined,
    most: exclusiveMaximum ?? maximum ?? null,
    isMostExcluded: exclusiveMaximum !== undefined,
    isInteger: schema.type === 'integer',
  };
}

/** `isBad`: the field holds something that is no number, which it keeps to itself. */
export function numberEntry(text: string, isBad: boolean, bounds?: NumberBounds): NumberEntry {
  if (isBad) return { problem: 'not a number' };
  if (text.trim() === '') return 'empty';
  const value = Number(text);
  if (!Number.isFinite(value)) return { problem: 'not a number' };
  const problem = refusalOf(value, bounds);
  return problem === null ? { value } : { problem };
}

/**
 * Numbers side by side, of which each is needed. `isUnfinished`: nothing, or no number yet, was typed. `values` are
 * complete where there are no problems.
 */
export function numberEntries(
  typed: readonly { value: string; isBad: boolean }[],
  bounds: readonly (NumberBounds | undefined)[],
): { values: number[]; problems: { index: number; problem: string; isUnfinished: boolean }[] } {
  const values: number[] = [];
  const problems: { index: number; problem: string; isUnfinished: boolean }[] = [];
  for (const [index, { value, isBad }] of typed.entries()) {
    const entry = numberEntry(value, isBad, bounds[index]);
    if (entry === 'empty') {
      problems.push({ index, problem: 'enter a number', isUnfinished: true });
    } else if ('problem' in entry) {
      problems.push({ index, problem: entry.problem, isUnfinished: isBad });
    } else values.push(entry.value);
  }
  return { values, problems };
}

/** Why a number is refused, 'expected at least 0, found -3'; null: it is taken. */
function refusalOf(value: number, bounds?: NumberBounds): string | null {
  if (bounds === undefined) return null;
  const { least, most, isLeastExcluded, isMostExcluded, isInteger } = bounds;
  const refused = (expected: string): string => `expected ${expected}, found ${value}`;
  if (isInteger && !Number.isInteger(value)) return refused('a whole number');
  if (least !== null && (isLeastExcluded ? value <= least : value < least)) {
    return refused(`${isLeastExcluded ? 'more than' : 'at least'} ${least}`);
  }
  if (most !== null && (isMostExcluded ? value >= most : value > most)) {
    return refused(`${isMostExcluded ? 'less than' : 'at most'} ${most}`);
  }
  return null;
}
