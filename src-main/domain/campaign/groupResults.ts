// Results by groups of runs: shares and means with intervals, and differences between the values of an axis, paired by
// seed and all other axes.
import type {
  GroupRow,
  PairedDifference,
  ResultColumn,
  ResultRow,
  ResultValue,
} from '#contract/host/campaignMethods.ts';
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
export function groupResults(grouping: Grouping): GroupRow[] {
  const { rows, by, measures, level } = grouping;
  const keyOf = keysOf(grouping, by);
  const groups = Map.groupBy(rows, (row) => textOf(keyOf(row)));
  const { meanOf } = createBootstrap();
  return [...groups.values()].map((members): GroupRow => {
    const statistics = measures.map(({ name, isShare }) => {
      const values = valuesOf(grouping, name, members);
      return isShare ? shareOf(values, level) : meanOf(values, level);
    });
    return { key: keyOf(members[0] ?? nowhere), runs: members.length, statistics };
  });
}

/**
 * For each group by all of `by` but `axis`: the differences of each value of the axis from its first one in the plan.
 * A pair is two runs that differ in nothing else; runs without a partner or a value take no part.
 */
export function pairedDifferences(grouping: Grouping, axis: string): PairedDifference[] {
  const { columns, rows, measures, level } = grouping;
  const by = grouping.by.filter((name) => name !== axis);
  const keyOf = keysOf(grouping, by);
  const others = columns.filter(({ name, kind }) => kind === 'axis' && name !== axis);
  const partnersOf = keysOf(
    grouping,
    others.map(({ name }) => name),
  );
  const axisOf = keysOf(grouping, [axis]);
  const values = [...new Set(rows.map((row) => axisOf(row)[0] ?? null))];
  const [against = null] = values;
  const first = rows.filter((row) => (axisOf(row)[0] ?? null) === against);
  const partners = new Map(first.map((row) => [textOf(partnersOf(row)), row]));
  const groups = Map.groupBy(rows, (row) => textOf(keyOf(row)));
  const { meanOf } = createBootstrap();
  return [...groups.values()].flatMap((members) =>
    values.slice(1).map((value): PairedDifference => {
      const pairs = members.flatMap((row): [ResultRow, ResultRow][] => {
        const partner = partners.get(textOf(partnersOf(row)));
        const isOfValue = (axisOf(row)[0] ?? null) === value;
        return isOfValue && partner !== undefined ? [[row, partner]] : [];
      });
      const statistics = measures.map(({ name }) => {
        const index = indexOf(grouping, name);
        const differences = pairs.flatMap(([row, partner]) => {
          const [now, before] = [row.values[index], partner.values[index]];
          return typeof now === 'number' && typeof before === 'number' ? [now - before] : [];
        });
        return meanOf(differences, level);
      });
      return { key: keyOf(members[0] ?? nowhere), value, against, statistics };
    }),
  );
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

function valuesOf(grouping: Grouping, name: string, rows: readonly ResultRow[]): number[] {
  const index = indexOf(grouping, name);
  return rows.flatMap(({ values }) => {
    const value = values[index];
    return typeof value === 'number' ? [value] : [];
  });
}

function textOf(key: readonly ResultValue[]): string {
  return JSON.stringify(key);
}
