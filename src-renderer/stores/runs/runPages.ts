// The pages of the table of runs that have been read. Only visible pages are; a refresh throws all away and reads the
// visible ones again.
import { ref, shallowRef, type Ref, type ShallowRef } from 'vue';
import type { Replies } from '#contract/host/methods.ts';
import type { RunListItem } from '#contract/host/runQueries.ts';
import type { Client } from '#renderer/client/client.ts';
import { pagesOf, type RowWindow } from '#renderer/logic/frame/rowWindow.ts';
import { sentenceOf } from '#renderer/logic/problems.ts';
import { queryOf, type RunFilterChoice } from '#renderer/logic/runs/runFilter.ts';
import { useRunRows } from './runRows.ts';

export interface RunPages {
  /** Rows that the filter finds. */
  total: Ref<number>;
  /** The shown rows are those of the trash: the filter is ahead of them until they have been read. */
  isTrashShown: Ref<boolean>;
  hasLoaded: Ref<boolean>;
  error: Ref<string | null>;
  facets: ShallowRef<Replies['runs.facets'] | null>;
  /** The run of a row; null where it has not been read yet. */
  rowAt: (row: number) => RunListItem | null;
  /** Ids of all runs that have been read. */
  ids: () => string[];
  /** Says which rows are visible; reads what is missing of them. */
  see: (window: RowWindow) => void;
  refresh: () => Promise<void>;
  /** When nothing has changed for a while. */
  refreshSoon: () => void;
  readFacets: () => Promise<void>;
}

const pageRows = 100;
/** Typing is over when nothing came for so long; a running drive changes its row several times a second. */
const settleMs = 120;

/** `onTotal`: the pages have been read again. Within a set-up. */
export function createRunPages(
  client: Client,
  filter: Readonly<RunFilterChoice>,
  onTotal: (total: number) => void,
): RunPages {
  const rows = useRunRows();
  const total = ref(0);
  const isTrashShown = ref(false);
  const hasLoaded = ref(false);
  const error = ref<string | null>(null);
  const facets = shallowRef<Replies['runs.facets'] | null>(null);
  /** Ids, by page. */
  const pages = shallowRef<ReadonlyMap<number, readonly string[]>>(new Map());
  const reading = new Set<number>();
  let inSight: RowWindow = { first: 0, count: 1 };
  let generation = 0;
  let settling: ReturnType<typeof setTimeout> | undefined;

  return {
    total,
    isTrashShown,
    hasLoaded,
    error,
    facets,
    rowAt(row) {
      const id = pages.value.get(Math.floor(row / pageRows))?.[row % pageRows];
      return id === undefined ? null : rows.get(id);
    },
    ids: () => [...pages.value.values()].flat(),
    see(window) {
      inSight = window;
      for (const page of pagesOf(window, pageRows)) {
        if (!pages.value.has(page) && !reading.has(page)) void read(page);
      }
    },
    refresh,
    refreshSoon() {
      clearTimeout(settling);
      settling = setTimeout(() => void refresh(), settleMs);
    },
    readFacets,
  };

  async function readFacets(): Promise<void> {
    facets.value = await client.call('runs.facets', {});
  }

  async function refresh(): Promise<void> {
    generation += 1;
    reading.clear();
    const wanted = pagesOf(inSight, pageRows);
    const fresh = new Map<number, RunListItem[]>();
    const mine = generation;
    const { isTrash } = filter;
    try {
      await readFacets();
      for (const page of wanted.length === 0 ? [0] : wanted) {
        const reply = await client.call('runs.list', requestOf(page));
        fresh.set(page, reply.runs);
        if (mine !== generation) return;
        total.value = reply.total;
      }
      setPages(fresh);
      isTrashShown.value = isTrash;
      onTotal(total.value);
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
    const idsByPage = [...read].map(([page, runs]) => [page, runs.map(({ id }) => id)] as const);
    const next = new Map([...others, ...idsByPage]);
    rows.setList('table', [...read.values()].flat(), [...next.values()].flat());
    pages.value = next;
  }

  function requestOf(page: number) {
    return queryOf(filter, { limit: pageRows, offset: page * pageRows });
  }
}
