// The pages of a table of results that have been read: the visible ones. The host sorts and filters. A refresh reads the
// visible ones again; what was shown stays until then.
import { ref, shallowRef, type Ref, type ShallowRef } from 'vue';
import type { ResultColumn, ResultRow } from '#contract/host/campaignMethods.ts';
import type { RequestInputOf } from '#contract/host/methods.ts';
import type { Client } from '#renderer/client/client.ts';
import { pagesOf, type RowWindow } from '#renderer/logic/frame/rowWindow.ts';
import { sentenceOf } from '#renderer/logic/problems.ts';

export type ResultQuery = Omit<RequestInputOf<'campaign.results'>, 'limit' | 'offset'>;

export interface ResultPages {
  /** Columns of the values of rows. */
  columns: ShallowRef<readonly ResultColumn[]>;
  /** All that can be asked for. */
  available: ShallowRef<readonly ResultColumn[]>;
  total: Ref<number>;
  hasLoaded: Ref<boolean>;
  error: Ref<string | null>;
  /** Null where the row has not been read yet. */
  rowAt: (row: number) => ResultRow | null;
  see: (window: RowWindow) => void;
  /** Reads what is visible again; of several at once only the last counts. */
  refresh: () => Promise<void>;
  /** Another campaign: nothing of the one before stays. */
  clear: () => void;
}

const pageRows = 200;

/** `query` null: no campaign is chosen. */
export function createResultPages(client: Client, query: () => ResultQuery | null): ResultPages {
  const columns = shallowRef<readonly ResultColumn[]>([]);
  const available = shallowRef<readonly ResultColumn[]>([]);
  const total = ref(0);
  const hasLoaded = ref(false);
  const error = ref<string | null>(null);
  const pages = shallowRef<ReadonlyMap<number, readonly ResultRow[]>>(new Map());
  const reading = new Set<number>();
  let inSight: RowWindow = { first: 0, count: 1 };
  let generation = 0;
  return {
    columns,
    available,
    total,
    hasLoaded,
    error,
    rowAt: (row) => pages.value.get(Math.floor(row / pageRows))?.[row % pageRows] ?? null,
    see(window) {
      inSight = window;
      for (const page of pagesOf(window, pageRows)) {
        if (!pages.value.has(page) && !reading.has(page)) void readMore(page);
      }
    },
    refresh,
    clear() {
      generation += 1;
      reading.clear();
      pages.value = new Map();
      [columns.value, available.value] = [[], []];
      total.value = 0;
      hasLoaded.value = false;
      error.value = null;
    },
  };

  async function refresh(): Promise<void> {
    generation += 1;
    const mine = generation;
    reading.clear();
    const wanted = pagesOf(inSight, pageRows);
    const fresh = new Map<number, readonly ResultRow[]>();
    try {
      for (const page of wanted.length === 0 ? [0] : wanted) {
        const reply = await read(page);
        if (mine !== generation || reply === null) return;
        fresh.set(page, reply.rows);
        [columns.value, available.value] = [reply.columns, reply.available];
        total.value = reply.total;
      }
      pages.value = fresh;
      hasLoaded.value = true;
      error.value = null;
    } catch (failure) {
      if (mine === generation) error.value = sentenceOf(failure);
    }
  }

  async function readMore(page: number): Promise<void> {
    const mine = generation;
    reading.add(page);
    try {
      const reply = await read(page);
      if (mine === generation && reply !== null) {
        pages.value = new Map([...pages.value, [page, reply.rows]]);
      }
    } catch (failure) {
      if (mine === generation) error.value = sentenceOf(failure);
    } finally {
      reading.delete(page);
    }
  }

  async function read(page: number) {
    const asked = query();
    if (asked === null) return null;
    return client.call('campaign.results', {
      ...asked,
      limit: pageRows,
      offset: page * pageRows,
    });
  }
}
