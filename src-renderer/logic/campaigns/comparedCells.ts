// Two cells of a campaign compared by a run each: those that share a seed, so that nothing but the axes differs.
import type { ResultColumn, ResultRow } from '#contract/host/campaignMethods.ts';
import { columnValues } from './plotChoice.ts';

/** Ids of two finished runs, one of each; null: there are none. */
export function comparedRuns(
  columns: readonly ResultColumn[],
  first: readonly ResultRow[],
  second: readonly ResultRow[],
): readonly [string, string] | null {
  const runsOf = (rows: readonly ResultRow[]): { id: string; seed: unknown }[] => {
    const seeds = columnValues(columns, rows, 'seed');
    return rows.flatMap(({ runId, state }, at) =>
      runId === null || state !== 'done' ? [] : [{ id: runId, seed: seeds[at] ?? null }],
    );
  };
  const [ones, others] = [runsOf(first), runsOf(second)];
  const pairs = ones.flatMap((one) =>
    others.filter(({ id }) => id !== one.id).map((other) => ({ one, other })),
  );
  const pair = pairs.find(({ one, other }) => one.seed === other.seed) ?? pairs[0];
  return pair === undefined ? null : [pair.one.id, pair.other.id];
}
