// The table of all runs: what is asked for, which rows are focused and chosen, and what is done to runs.
import { defineStore } from 'pinia';
import { computed, reactive, ref, watch } from 'vue';
import { useClient } from '#renderer/client/injection.ts';
import { commandOf } from '#renderer/logic/commandLine.ts';
import { sentenceOf } from '#renderer/logic/problems.ts';
import { everything, queryOf, type RunFilterChoice } from '#renderer/logic/runs/runFilter.ts';
import { useConnection } from '../host/connection.ts';
import { useJobs } from '../host/jobs.ts';
import { createChosenRuns } from './chosenRuns.ts';
import { createRunPages } from './runPages.ts';
import { useRunRows } from './runRows.ts';

export const useRunTable = defineStore('runTable', () => {
  const client = useClient();
  const jobs = useJobs();
  const rows = useRunRows();
  const filter = reactive<RunFilterChoice>(everything());
  const focused = ref(0);
  const pages = createRunPages(client, filter, (total) => {
    focused.value = Math.max(0, Math.min(focused.value, total - 1));
  });
  const { total, isTrashShown, hasLoaded, error, facets, rowAt, see } = pages;
  /** There is no run, in the trash neither: nothing to search. */
  const isEmpty = computed(() => facets.value?.trashed === 0 && facets.value.states.length === 0);
  const selection = createChosenRuns({
    rowAt,
    read: async (offset, limit) =>
      (await client.call('runs.list', queryOf(filter, { limit, offset }))).runs,
    key: () => JSON.stringify(filter),
  });
  const { chosen, isChosen, toggle: toggleChosen } = selection;

  // Runs in the trash and others have nothing in common.
  watch(
    () => filter.isTrash,
    () => (chosen.value = []),
  );
  watch(filter, () => {
    focused.value = 0;
    pages.refreshSoon();
  });
  useConnection().whenOpen(() => void pages.refresh());
  rows.onChanged(pages.refreshSoon);
  return {
    filter,
    total,
    isTrashShown,
    hasLoaded,
    isEmpty,
    error,
    facets,
    focused,
    chosen,
    rowAt,
    see,
    isChosen,
    toggleChosen,
    chooseRange,
    chosenTags,
    clear,
    sort,
    tag,
    note,
    remove,
    restore,
    empty,
  };

  /** Adds the runs of these rows; those that have not been read yet are asked for. */
  async function chooseRange(from: number, to: number): Promise<void> {
    try {
      await selection.addRange(from, to);
    } catch (failure) {
      error.value = sentenceOf(failure);
    }
  }

  /** Tags of the chosen runs, as far as their rows have been read. */
  function chosenTags(): string[] {
    const runs = rows.of(pages.ids().filter(isChosen));
    return [...new Set(runs.flatMap(({ tags }) => tags))].sort();
  }

  function clear(): void {
    Object.assign(filter, everything(), { isTrash: filter.isTrash });
  }

  /** By another column, or by the same in reverse order. Numbers begin with the largest. */
  function sort(by: RunFilterChoice['sortBy'], startsDescending: boolean): void {
    filter.isDescending = filter.sortBy === by ? !filter.isDescending : startsDescending;
    filter.sortBy = by;
  }

  async function tag(runIds: readonly string[], add: string[], remove: string[]): Promise<void> {
    await rows.tag(runIds, add, remove);
    await pages.readFacets();
    // Why: a run may be found by its tags no longer, or only now.
    if (filter.tag !== '' || filter.search !== '') pages.refreshSoon();
  }

  async function note(runId: string, notes: string): Promise<void> {
    await client.call('runs.note', { runId, notes });
  }

  async function remove(runIds: readonly string[]): Promise<void> {
    await move('runs.delete', `Move ${runIds.length} runs to trash`, runIds);
  }

  async function restore(runIds: readonly string[]): Promise<void> {
    await move('runs.restore', `Restore ${runIds.length} runs`, runIds);
  }

  /** One goes at once; several are a job. They are no longer chosen then. */
  async function move(
    method: 'runs.delete' | 'runs.restore',
    title: string,
    runIds: readonly string[],
  ): Promise<void> {
    const request = { runIds: [...runIds] };
    if (runIds.length === 1) await client.call(method, request);
    else await jobs.run(title, method, request);
    selection.remove(runIds);
  }

  async function empty(): Promise<{ removed: number; bytes: number }> {
    const command = commandOf('runs.empty', {});
    return (await jobs.run('Empty trash', 'runs.empty', {}, { command })).reply;
  }
});
