// The catalogue's runs as the list shows them, and the one that is chosen. The list is read again
// whenever the host says that a run changed.
import { defineStore } from 'pinia';
import { ref, shallowRef } from 'vue';
import type { RunListItem } from '#contract/host/runQueries.ts';
import { useClient } from '#renderer/client/injection.ts';
import { sentenceOf } from '#renderer/logic/problems.ts';
import { useConnection } from '../host/connection.ts';

/** The latest; the table of runs has all. */
const listedRuns = 50;

export const useRuns = defineStore('runs', () => {
  const client = useClient();
  const runs = shallowRef<RunListItem[]>([]);
  const hasLoaded = ref(false);
  const error = ref<string | null>(null);
  const selectedId = ref<string | null>(null);
  useConnection().whenOpen(() => void refresh());
  let isReading = false;
  let isStale = false;
  client.onEvent('runs.changed', () => void refreshAgain());
  return { runs, hasLoaded, error, selectedId, refresh };

  async function refresh(): Promise<void> {
    try {
      runs.value = (await client.call('runs.list', { limit: listedRuns })).runs;
      hasLoaded.value = true;
      error.value = null;
    } catch (failure) {
      error.value = sentenceOf(failure);
    }
  }

  /** Thousands may change at once: one reading at a time, and one more after it for all that came meanwhile. */
  async function refreshAgain(): Promise<void> {
    isStale = true;
    if (isReading) return;
    isReading = true;
    while (isStale) {
      isStale = false;
      await refresh();
    }
    isReading = false;
  }
});
