// The latest runs, and the one that is chosen. The list is read again whenever the host reports a changed run.
import { defineStore } from 'pinia';
import { computed, ref, shallowRef } from 'vue';
import { useClient } from '#renderer/client/injection.ts';
import { sentenceOf } from '#renderer/logic/problems.ts';
import { useConnection } from '../host/connection.ts';
import { useRunRows } from './runRows.ts';

/** The latest; the table of runs has all. */
const listedRuns = 50;

export const useRuns = defineStore('runs', () => {
  const client = useClient();
  const rows = useRunRows();
  const ids = shallowRef<readonly string[]>([]);
  const runs = computed(() => rows.of(ids.value));
  const hasLoaded = ref(false);
  const error = ref<string | null>(null);
  const selectedId = ref<string | null>(null);
  useConnection().whenOpen(() => void refresh());
  let isReading = false;
  let isStale = false;
  rows.onChanged(() => void refreshAgain());
  return { runs, hasLoaded, error, selectedId, refresh };

  async function refresh(): Promise<void> {
    try {
      const read = (await client.call('runs.list', { limit: listedRuns })).runs;
      const readIds = read.map(({ id }) => id);
      rows.setList('latest', read, readIds);
      ids.value = readIds;
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
