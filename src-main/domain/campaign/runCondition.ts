// Conditions on runs of the catalogue, such as `campaign.density > 200 and goal = 1`: names and types are checked here,
// with positions; the catalogue turns the tree into SQL with bound values (catalogue/runConditions.ts).
import type { Expression } from '#contract/host/expression.ts';
import { measureFields, measureType } from '#contract/host/runMetrics.ts';
import { compileExpression, compiled, type Scope, type ValueType } from './compileExpression.ts';
import { faultText, parseExpression } from './parseExpression.ts';

/** Columns of runs that are no metrics. */
const ownNames: Record<string, ValueType> = {
  name: 'text',
  state: 'text',
  scenario: 'text',
  seed: 'number',
};

/**
 * The tree of a condition, or what is wrong with its text.
 * @param campaignNames types of the axes and measures of all campaigns, which are called campaign.NAME
 */
export function parseRunCondition(
  text: string,
  campaignNames: ReadonlyMap<string, ValueType>,
): { value: Expression; problem: null } | { value: null; problem: string } {
  const parsed = parseExpression(text);
  if (parsed.value === null) return { value: null, problem: faultText(parsed.fault) };
  const { value, fault } = compiled(() => compileExpression(parsed.value, scopeOf(campaignNames)));
  if (value === null) return { value, problem: faultText(fault) };
  if (value.type === 'text') {
    return { value: null, problem: 'expected a condition, found a text (column 1)' };
  }
  return { value: parsed.value, problem: null };
}

/** Types alone: nothing is evaluated here. */
function scopeOf(campaignNames: ReadonlyMap<string, ValueType>): Scope<null> {
  const typeOf = (name: string): ValueType | null => {
    if (Object.hasOwn(ownNames, name)) return ownNames[name] ?? null;
    if (name === 'campaign') return 'text';
    if (name.startsWith(prefix)) return campaignNames.get(name.slice(prefix.length)) ?? null;
    return measureType(name);
  };
  return {
    name(name) {
      const type = typeOf(name);
      return type === null ? null : { type, of: () => null };
    },
    names: () => [
      ...Object.keys(ownNames),
      ...measureFields.keys(),
      'campaign',
      ...[...campaignNames.keys()].map((name) => `${prefix}${name}`),
    ],
  };
}

const prefix = 'campaign.';
