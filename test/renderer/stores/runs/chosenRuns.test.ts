// Runs that are chosen in the table, rows included that have not been read.
import { expect, it } from 'vitest';
import type { RunListItem } from '#contract/host/runQueries.ts';
import { createChosenRuns } from '#renderer/stores/runs/chosenRuns.ts';

const runOf = (row: number): RunListItem => ({ id: `run-${row}` }) as RunListItem;

function tableOf(total: number, known: readonly number[]) {
  const reads: [number, number][] = [];
  const state = { key: 'all' };
  const chosen = createChosenRuns({
    rowAt: (row) => (known.includes(row) ? runOf(row) : null),
    read: (offset, limit) => {
      reads.push([offset, limit]);
      const rows = Math.max(0, Math.min(limit, total - offset));
      return Promise.resolve(Array.from({ length: rows }, (_, index) => runOf(offset + index)));
    },
    key: () => state.key,
  });
  return { chosen, reads, state };
}

it('adds a range in either direction, and reads only what is missing', async () => {
  const { chosen, reads } = tableOf(10, [2, 3]);
  await chosen.addRange(5, 2);
  expect(chosen.chosen.value).toEqual(['run-2', 'run-3', 'run-4', 'run-5']);
  expect(reads).toEqual([[4, 2]]);
  await chosen.addRange(5, 6);
  expect(chosen.chosen.value).toHaveLength(5);
});

it('ends with the table', async () => {
  const { chosen } = tableOf(3, []);
  await chosen.addRange(1, 9);
  expect(chosen.chosen.value).toEqual(['run-1', 'run-2']);
});

it('discards a range of another filter', async () => {
  const { chosen, state } = tableOf(3, []);
  const adding = chosen.addRange(0, 2);
  state.key = 'filtered';
  await adding;
  expect(chosen.chosen.value).toEqual([]);
});

it('toggles, and forgets runs that are gone', () => {
  const { chosen } = tableOf(3, []);
  for (const id of ['a', 'b', 'a', 'c']) chosen.toggle(id);
  expect(chosen.chosen.value).toEqual(['b', 'c']);
  expect(chosen.isChosen('a')).toBe(false);
  chosen.remove(['b']);
  expect(chosen.chosen.value).toEqual(['c']);
});
