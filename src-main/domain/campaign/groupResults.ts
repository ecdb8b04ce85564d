// Results by groups of runs: shares and means with intervals, and differences between the values of an axis, paired by
// seed and all other axes.
import type {
  GroupRow,
  GroupStatistic,
  PairedDifference,
  ResultColumn,
  ResultRow,
  ResultValue,
} from '#contract/host/campaignMethods.ts';
import type { Steps } from '#domain/shared/steps.ts';
import { createBootstrap, shareOf } from './intervals.ts';

export interface Grouping {
  columns: readonly ResultColumn[];
  rows: readonly ResultRow[];
  /** Names of columns: a group for each combination of their values that rows have. */
  by: readonly string[];
  /** Measures, and whether each is a share of truth values. */
  measures: readonly { name: string; isShare: boolean }[];
  /** Confidence of the intervals, such as 0.95. */
  level: number;
}

/** One row a group, in the order in which the plan has them first. */
export function* groupResults(grouping: Grouping): Steps<GroupRow[]> {
  const { rows, by, measures, level } = grouping;
  const keyOf = keysOf(grouping, by);
  const groups = [...(yield* groupedBy(rows, keyOf)).values()];
  const parts = groups.flatMap((members) =>
    measures.map(({ name, isShare }): Part => {
      return { values: valuesOf(grouping, name, members), isShare };
    }),
  );
  yield rows.length * measures.length * valueCost;
  const statistics = yield* statisticsOf(parts, level);
  return groups.map((members, group): GroupRow => {
    const from = group * measures.length;
    return {
      key: keyOf(members[0] ?? nowhere),
      runs: members.length,
      statistics: statistics.slice(from, from + measures.length),
    };
  });
}

/**
 * For each group by all of `by` but `axis`: the differences of each value of the axis from its first one in the plan.
 * A pair is two runs that differ in nothing else; runs without a partner or a value take no part.
 */
export function* pairedDifferences(grouping: Grouping, axis: string): Steps<PairedDifference[]> {
  const { columns, rows, measures, level } = grouping;
  const by = grouping.by.filter((name) => name !== axis);
  const keyOf = keysOf(grouping, by);
  const others = columns.filter(({ name, kind }) => kind === 'axis' && name !== axis);
  const partnersOf = keysOf(
    grouping,
    others.map(({ name }) => name),
  );
  const axisOf = keysOf(grouping, [axis]);
  const valueOf = (row: ResultRow): ResultValue => axisOf(row)[0] ?? null;
  const byValue = yield* groupedBy(rows, axisOf);
  const [first = [], ...further] = [...byValue.values()];
  const against = valueOf(first[0] ?? nowhere);
  const partners = yield* groupedBy(first, partnersOf);
  const indices = measures.map(({ name }) => indexOf(grouping, name));
  const found: Omit<PairedDifference, 'statistics'>[] = [];
  const parts: Part[] = [];
  for (const members of (yield* groupedBy(rows, keyOf)).values()) {
    const ofValue = yield* groupedBy(members, axisOf);
    for (const [sample = nowhere] of further) {
      const value = valueOf(sample);
      const own = ofValue.get(textOf([value])) ?? [];
      const pairs = own.flatMap((row): [ResultRow, ResultRow][] => {
        const partner = partners.get(textOf(partnersOf(row)))?.at(-1);
        return partner === undefined ? [] : [[row, partner]];
      });
      yield own.length * rowCost;
      found.push({ key: keyOf(members[0] ?? nowhere), value, against });
      for (const index of indices) {
        const differences = pairs.flatMap(([row, partner]) => {
          const [now, before] = [row.values[index], partner.values[index]];
          return typeof now === 'number' && typeof before === 'number' ? [now - before] : [];
        });
        parts.push({ values: Float64Array.from(differences), isShare: false });
      }
    }
  }
  const statistics = yield* statisticsOf(parts, level);
  return found.map((difference, at): PairedDifference => {
    const from = at * measures.length;
    return { ...difference, statistics: statistics.slice(from, from + measures.length) };
  });
}

/** The values of one measure in one group. */
interface Part {
  values: Float64Array;
  isShare: boolean;
}

/** The statistic of each part. Why in order of their size: groups of one size share their draws. */
function* statisticsOf(parts: readonly Part[], level: number): Steps<GroupStatistic[]> {
  const { meanOf } = createBootstrap();
  const order = parts.map((_, index) => index);
  const sizeOf = (index: number): number => parts[index]?.values.length ?? 0;
  order.sort((a, b) => sizeOf(a) - sizeOf(b));
  yield order.length * sortCost;
  const statistics: GroupStatistic[] = [];
  for (const index of order) {
    const { values, isShare } = parts[index] ?? { values: new Float64Array(), isShare: true };
    statistics[index] = isShare ? shareOf(values, level) : yield* meanOf(values, level);
    yield values.length * 2;
  }
  return statistics;
}

/** Rows that are divided in one step. */
const rowsOfStep = 1000;
/** Costs in steps: of a row that is divided, a value that is copied, a part that is sorted. */
const [rowCost, valueCost, sortCost] = [1000, 20, 300];

/** Rows by the text of their key, in the order of their first. */
function* groupedBy(
  rows: readonly ResultRow[],
  keyOf: (row: ResultRow) => ResultValue[],
): Steps<Map<string, ResultRow[]>> {
  const groups = new Map<string, ResultRow[]>();
  for (const [index, row] of rows.entries()) {
    const text = textOf(keyOf(row));
    const group = groups.get(text);
    if (group === undefined) groups.set(text, [row]);
    else group.push(row);
    if (index % rowsOfStep === rowsOfStep - 1) yield rowsOfStep * rowCost;
  }
  yield (rows.length % rowsOfStep) * rowCost;
  return groups;
}

const nowhere: ResultRow = { index: 0, runId: null, state: 'pending', values: [] };

function keysOf(grouping: Grouping, names: readonly string[]): (row: ResultRow) => ResultValue[] {
  const indices = names.map((name) => indexOf(grouping, name));
  return ({ values }) => indices.map((index) => values[index] ?? null);
}

/** @throws RangeError for a name that is no column: requests are checked before */
function indexOf({ columns }: Grouping, name: string): number {
  const index = columns.findIndex((column) => column.name === name);
  if (index < 0) throw new RangeError(`there is no column '${name}'`);
  return index;
}

function valuesOf(grouping: Grouping, name: string, rows: readonly ResultRow[]): Float64Array {
  const index = indexOf(grouping, name);
  const found = new Float64Array(rows.length);
  let count = 0;
  for (const { values } of rows) {
    const value = values[index];
    if (typeof value !== 'number') continue;
    found[count] = value;
    count += 1;
  }
  return found.slice(0, count);
}

function textOf(key: readonly ResultValue[]): string {
  return JSON.stringify(key);
}
