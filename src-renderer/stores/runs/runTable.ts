// The table of all runs: what is asked for, the pages of it that have been read, and what is done to runs.
// Only pages in sight are read; a change on the host throws them away and reads the ones in sight again.
import { defineStore } from 'pinia';
import { computed, reactive, ref, shallowRef, watch } from 'vue';
import type { Replies } from '#contract/host/methods.ts';
import type { RunListItem } from '#contract/host/runQueries.ts';
import { useClient } from '#renderer/client/injection.ts';
import { commandLine } from '#renderer/logic/commandLine.ts';
import { sentenceOf } from '#renderer/logic/problems.ts';
import { everything, queryOf, type RunFilterChoice } from '#renderer/logic/runs/runFilter.ts';
import { pagesOf, type RowWindow } from '#renderer/logic/frame/rowWindow.ts';
import { useConnection } from '../host/connection.ts';
import { useJobs } from '../host/jobs.ts';
import { useRunRows } from './runRows.ts';

const pageRows = 100;
/** Rows that are only chosen are read by so many, so that the page stays responsive. */
const chosenAtOnce = 1000;
/** Typing is over when nothing came for so long; a running drive changes its row several times a second. */
const settleMs = 120;

export const useRunTable = defineStore('runTable', () => {
  const client = useClient();
  const filter = reactive<RunFilterChoice>(everything());
  const total = ref(0);
  /** What the rows that are shown are of: the choice itself is ahead of them for a moment. */
  const isTrashShown = ref(false);
  const hasLoaded = ref(false);
  const error = ref<string | null>(null);
  const facets = shallowRef<Replies['runs.facets'] | null>(null);
  const rows = useRunRows();
  /** Ids, by page. */
  const pages = shallowRef<ReadonlyMap<number, readonly string[]>>(new Map());
  const focused = ref(0);
  /** Runs that are chosen for something with several, in the order in which they were. */
  const chosen = ref<readonly string[]>([]);
  const chosenIds = computed(() => new Set(chosen.value));
  const jobs = useJobs();
  let inSight: RowWindow = { first: 0, count: 1 };
  let generation = 0;
  let settling: ReturnType<typeof setTimeout> | undefined;
  const reading = new Set<number>();

  // Runs in the trash and others have nothing in common.
  watch(
    () => filter.isTrash,
    () => (chosen.value = []),
  );
  watch(filter, () => {
    focused.value = 0;
    refreshSoon();
  });
  useConnection().whenOpen(() => void refresh());
  rows.onChanged(refreshSoon);
  return {
    ...{ filter, total, isTrashShown, hasLoaded, error, facets, focused, chosen },
    ...{ rowAt, see, isChosen, toggleChosen, chooseRange, chosenTags, clear, sort },
    ...{ tag, note, remove, restore, empty },
  };

  /** The run of a row, null where it has not been read yet. */
  function rowAt(row: number): RunListItem | null {
    const id = pages.value.get(Math.floor(row / pageRows))?.[row % pageRows];
    return id === undefined ? null : rows.get(id);
  }

  function isChosen(runId: string): boolean {
    return chosenIds.value.has(runId);
  }

  function toggleChosen(runId: string): void {
    const others = chosen.value.filter((id) => id !== runId);
    chosen.value = others.length < chosen.value.length ? others : [...others, runId];
  }

  /** Adds the runs of these rows; those that have not been read yet are asked for. */
  async function chooseRange(from: number, to: number): Promise<void> {
    const asked = JSON.stringify(filter);
    const ids: string[] = [];
    const last = Math.max(from, to);
    try {
      for (let row = Math.min(from, to); row <= last;) {
        const run = rowAt(row);
        const page = { limit: Math.min(chosenAtOnce, last - row + 1), offset: row };
        const runs =
          run === null ? (await client.call('runs.list', queryOf(filter, page))).runs : [run];
        if (runs.length === 0 || JSON.stringify(filter) !== asked) break;
        ids.push(...runs.map(({ id }) => id));
        row += runs.length;
      }
      if (JSON.stringify(filter) !== asked) return;
      chosen.value = [...new Set([...chosen.value, ...ids])];
    } catch (failure) {
      error.value = sentenceOf(failure);
    }
  }

  /** Tags of the chosen runs, as far as their rows have been read. */
  function chosenTags(): string[] {
    const runs = rows.of([...pages.value.values()].flat().filter(isChosen));
    return [...new Set(runs.flatMap(({ tags }) => tags))].sort();
  }

  /** Says which rows are in sight; reads what is missing of them. */
  function see(window: RowWindow): void {
    inSight = window;
    for (const page of pagesOf(window, pageRows)) {
      if (!pages.value.has(page) && !reading.has(page)) void read(page);
    }
  }

  function clear(): void {
    Object.assign(filter, everything(), { isTrash: filter.isTrash });
  }

  /** By another column, or by the same the other way round. Numbers begin with the largest. */
  function sort(by: RunFilterChoice['sortBy'], startsDescending: boolean): void {
    filter.isDescending = filter.sortBy === by ? !filter.isDescending : startsDescending;
    filter.sortBy = by;
  }

  function refreshSoon(): void {
    clearTimeout(settling);
    settling = setTimeout(() => void refresh(), settleMs);
  }

  async function refresh(): Promise<void> {
    generation += 1;
    reading.clear();
    const wanted = pagesOf(inSight, pageRows);
    const fresh = new Map<number, RunListItem[]>();
    const mine = generation;
    const { isTrash } = filter;
    try {
      facets.value = await client.call('runs.facets', {});
      for (const page of wanted.length === 0 ? [0] : wanted) {
        const reply = await client.call('runs.list', requestOf(page));
        fresh.set(page, reply.runs);
        if (mine !== generation) return;
        total.value = reply.total;
      }
      setPages(fresh);
      isTrashShown.value = isTrash;
      focused.value = Math.max(0, Math.min(focused.value, total.value - 1));
      hasLoaded.value = true;
      error.value = null;
    } catch (failure) {
      if (mine === generation) error.value = sentenceOf(failure);
    }
  }

  async function read(page: number): Promise<void> {
    const mine = generation;
    reading.add(page);
    try {
      const reply = await client.call('runs.list', requestOf(page));
      if (mine !== generation) return;
      setPages(new Map([[page, reply.runs]]), pages.value);
    } catch (failure) {
      if (mine === generation) error.value = sentenceOf(failure);
    } finally {
      reading.delete(page);
    }
  }

  /** Pages as they were read, beside those that stay. */
  function setPages(
    read: ReadonlyMap<number, RunListItem[]>,
    others: ReadonlyMap<number, readonly string[]> = new Map(),
  ): void {
    const next = new Map(others);
    for (const [page, runs] of read)
      next.set(
        page,
        runs.map(({ id }) => id),
      );
    rows.setList('table', [...read.values()].flat(), [...next.values()].flat());
    pages.value = next;
  }

  function requestOf(page: number) {
    return queryOf(filter, { limit: pageRows, offset: page * pageRows });
  }

  async function tag(runIds: readonly string[], add: string[], remove: string[]): Promise<void> {
    await rows.tag(runIds, add, remove);
    facets.value = await client.call('runs.facets', {});
    // Why: a run may be found by its tags no longer, or only now.
    if (filter.tag !== '' || filter.search !== '') refreshSoon();
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
    const moved = new Set(runIds);
    chosen.value = chosen.value.filter((id) => !moved.has(id));
  }

  async function empty(): Promise<{ removed: number; bytes: number }> {
    const command = commandLine(['runs', 'empty'], {});
    return (await jobs.run('Empty trash', 'runs.empty', {}, { command })).reply;
  }
});
