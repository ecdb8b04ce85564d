// Conditions on runs as SQL. The tree was checked before (domain/campaign/runCondition.ts); every name and value of it is
// bound, never written into the statement.
import type { BinaryOp, Expression } from '#contract/host/expression.ts';
import { measureFields } from '#contract/host/runMetrics.ts';

export interface SqlCondition {
  /** For the WHERE of a statement that selects from `runs`. */
  sql: string;
  values: Record<string, string | number>;
}

/** A condition about a campaign is true of a run that is a member of one for which it is true. */
export function sqlConditionOf(expression: Expression): SqlCondition {
  const values: Record<string, string | number> = {};
  let isOfCampaign = false;
  const condition = sqlOf(expression);
  const sql = isOfCampaign ? `EXISTS (${member} AND (${condition}))` : `(${condition})`;
  return { sql, values };

  function bound(value: string | number): string {
    const name = `where${Object.keys(values).length}`;
    values[name] = value;
    return `@${name}`;
  }

  function sqlOf(part: Expression): string {
    switch (part.kind) {
      case 'number':
      case 'text':
        return bound(part.value);
      case 'name':
        return nameOf(part.name);
      case 'not':
        return `(NOT ${sqlOf(part.of)})`;
      case 'minus':
        return `(-${sqlOf(part.of)})`;
      case 'in':
        return `(${sqlOf(part.of)} IN (${part.list.map(sqlOf).join(', ')}))`;
      case 'call':
        return `${functionOf(part.name)}(${part.args.map(sqlOf).join(', ')})`;
      case 'binary':
        return binaryOf(part.op, sqlOf(part.left), sqlOf(part.right));
    }
  }

  function nameOf(name: string): string {
    if (name === 'true' || name === 'false') return name === 'true' ? '1' : '0';
    const column = columns.get(name);
    if (column !== undefined) return column;
    if (name === 'campaign') {
      isOfCampaign = true;
      return 'campaigns.name';
    }
    if (name.startsWith('campaign.')) {
      isOfCampaign = true;
      return memberValue(bound(name.slice('campaign.'.length)));
    }
    const key = measureFields.get(name) ?? name;
    return `(runs.figures ->> ${bound(`$.${key}`)})`;
  }
}

const member = `SELECT 1 FROM campaign_runs AS member
  JOIN campaigns ON campaigns.campaign_key = member.campaign_key
  WHERE member.run_key = runs.run_key`;

const columns = new Map([
  ['name', 'runs.name'],
  ['state', 'runs.state'],
  ['scenario', 'runs.scenario_name'],
  ['seed', 'runs.seed'],
]);

/** The value of an axis of the member, else of a measure. */
function memberValue(name: string): string {
  return `coalesce((SELECT coalesce(value.number_value, value.text_value) FROM campaign_values AS value
    JOIN campaign_axes AS axis ON axis.campaign_key = value.campaign_key
      AND axis.position = value.axis_position
    WHERE value.campaign_key = member.campaign_key AND value.plan_index = member.plan_index
      AND axis.name = ${name}), member.measures ->> ('$."' || ${name} || '"'))`;
}

/** Functions of expressions that SQLite has under the same name. */
function functionOf(name: string): string {
  if (['abs', 'min', 'max', 'sqrt'].includes(name)) return name;
  throw new TypeError(`a condition was not checked: ${name}()`);
}

function binaryOf(op: BinaryOp, left: string, right: string): string {
  // Why the cast: whole numbers would be divided as such.
  if (op === '/') return `(CAST(${left} AS REAL) / ${right})`;
  return `(${left} ${op} ${right})`;
}
