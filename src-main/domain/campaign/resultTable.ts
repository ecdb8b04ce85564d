// The table of a campaign's results: one row a run in plan order, simulated quantities only. It depends on the file and
// on what was simulated, never on the machine, the order of execution or what was started again. Wall times, hosts and
// attempts are columns of their own, on request.
import type { AxisValue, Campaign } from '#contract/documents/campaign.ts';
import type {
  CampaignRunState,
  ResultColumn,
  ResultRow,
  ResultValue,
} from '#contract/host/campaignMethods.ts';
import { compileExpression, compiled, type Scope, type ValueType } from './compileExpression.ts';
import { faultText, parseExpression } from './parseExpression.ts';
import type { PlannedRun } from './planRuns.ts';

/** The result of a planned run, as far as it is known. */
export interface RunResult {
  runId: string | null;
  state: CampaignRunState;
  /** By the name of the measure; null: it has no results. */
  measures: Readonly<Record<string, number | null>> | null;
  error: string | null;
  attempts: number;
  wallS: number | null;
  hostName: string | null;
}

/** The columns of a campaign: the run's place, what varies, its state and the measures. */
export function resultColumns(
  campaign: Campaign,
  runs: readonly PlannedRun[],
  hasTiming: boolean,
): ResultColumn[] {
  const { sensors, vary, measures } = campaign;
  const text = (name: string, kind: ResultColumn['kind']): ResultColumn => {
    return { name, kind, type: 'text' };
  };
  const axes = Object.keys(vary).map((name): ResultColumn => {
    return { name, kind: 'axis', type: typeOf(runs.map(({ values }) => values[name] ?? null)) };
  });
  return [
    { name: 'run', kind: 'plan', type: 'number' },
    text('scenario', 'axis'),
    ...(sensors === undefined ? [] : [text('sensor', 'axis')]),
    ...axes,
    { name: 'seed', kind: 'axis', type: 'number' },
    text('state', 'plan'),
    ...Object.keys(measures).map((name): ResultColumn => {
      return { name, kind: 'measure', type: 'number' };
    }),
    ...(hasTiming ? timingColumns : []),
  ];
}

const timingColumns: readonly ResultColumn[] = [
  { name: 'wallS', kind: 'timing', type: 'number' },
  { name: 'host', kind: 'timing', type: 'text' },
  { name: 'attempts', kind: 'timing', type: 'number' },
  { name: 'error', kind: 'timing', type: 'text' },
];

/** The row of a run, in the order of the columns. */
export function resultRow(
  columns: readonly ResultColumn[],
  planned: PlannedRun,
  result: RunResult,
): ResultRow {
  const { index, scenario, sensor, seed } = planned;
  const { runId, state, measures, wallS, hostName: host, attempts, error } = result;
  const plan: Record<string, ResultValue> = { run: index, scenario, sensor, seed, state };
  // Why: a run whose plan was written again has those of its end before, until it is reused.
  const ended = state === 'done' || state === 'failed' ? { wallS, host } : {};
  const timing: Record<string, ResultValue> = { ...ended, attempts, error };
  const values = columns.map(({ name, kind }): ResultValue => {
    if (kind === 'measure') return measures?.[name] ?? null;
    if (kind === 'timing') return timing[name] ?? null;
    return Object.hasOwn(plan, name) ? (plan[name] ?? null) : (planned.values[name] ?? null);
  });
  return { index, runId, state, values };
}

/** A condition on rows, such as `density > 200 and goal = 1`; or its fault, with the column in the text. */
export function rowCondition(
  text: string,
  columns: readonly ResultColumn[],
): { value: (row: ResultRow) => boolean; problem: null } | { value: null; problem: string } {
  const parsed = parseExpression(text);
  if (parsed.value === null) return { value: null, problem: faultText(parsed.fault) };
  const scope: Scope<ResultRow> = {
    name(name) {
      const index = columns.findIndex((column) => column.name === name);
      const type = columns[index]?.type;
      return type === undefined ? null : { type, of: ({ values }) => values[index] ?? null };
    },
    names: () => columns.map(({ name }) => name),
  };
  const { value, fault } = compiled(() => compileExpression(parsed.value, scope));
  if (value === null) return { value, problem: faultText(fault) };
  const { type, of } = value;
  if (type === 'text')
    return { value: null, problem: 'expected a condition, found a text (column 1)' };
  return { value: (row) => Boolean(of(row)), problem: null };
}

/** Rows by the values of a column; those without a value come last, equal ones stay in plan order. */
export function sortedRows(
  rows: readonly ResultRow[],
  column: number,
  isDescending: boolean,
): ResultRow[] {
  const direction = isDescending ? -1 : 1;
  return rows.toSorted((a, b) => {
    const [left, right] = [a.values[column] ?? null, b.values[column] ?? null];
    if (left === null || right === null) {
      return Number(left === null) - Number(right === null) || a.index - b.index;
    }
    return direction * compareValues(left, right) || a.index - b.index;
  });
}

/** Numbers by size, everything else by its text in code-unit order. */
export function compareValues(a: AxisValue, b: AxisValue): number {
  if (typeof a === 'number' && typeof b === 'number') return a - b;
  const [left, right] = [String(a), String(b)];
  return left < right ? -1 : left > right ? 1 : 0;
}

function typeOf(values: readonly AxisValue[]): ValueType {
  const known = values.filter((value) => value !== null);
  if (known.every((value) => typeof value === 'number')) return 'number';
  return known.every((value) => typeof value === 'boolean') ? 'boolean' : 'text';
}
