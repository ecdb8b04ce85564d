// The runs by which two cells of a campaign are compared.
import { expect, it } from 'vitest';
import type { ResultColumn, ResultRow } from '#contract/host/campaignMethods.ts';
import { comparedRuns } from '#renderer/logic/campaigns/comparedCells.ts';

const columns = [{ name: 'density' }, { name: 'seed' }] as ResultColumn[];
const row = (runId: string | null, seed: number, state = 'done'): ResultRow =>
  ({ index: 0, runId, state, values: [1, seed] }) as unknown as ResultRow;

it('share a seed where the cells do', () => {
  const first = [row('a1', 1), row('a2', 2)];
  expect(comparedRuns(columns, first, [row('b3', 3), row('b2', 2)])).toEqual(['a2', 'b2']);
  expect(comparedRuns(columns, first, [row('b3', 3)])).toEqual(['a1', 'b3']);
});

it('are finished, and not one run twice', () => {
  expect(comparedRuns(columns, [row('a', 1)], [row('b', 1, 'failed')])).toBeNull();
  expect(comparedRuns(columns, [row(null, 1, 'pending')], [row('b', 1)])).toBeNull();
  expect(comparedRuns(columns, [row('a', 1)], [row('a', 1)])).toBeNull();
  expect(comparedRuns(columns, [row('a', 1)], [row('a', 1), row('b', 2)])).toEqual(['a', 'b']);
});
