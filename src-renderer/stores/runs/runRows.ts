// The catalogue's runs in the page: each once, whichever lists it is in. A list holds ids, so that a change
// of a run shows in all of them.
import { defineStore } from 'pinia';
import { shallowReactive } from 'vue';
import type { RunListItem } from '#contract/host/runQueries.ts';
import { useClient } from '#renderer/client/injection.ts';

export const useRunRows = defineStore('runRows', () => {
  const client = useClient();
  const rows = shallowReactive(new Map<string, RunListItem>());
  const lists = new Map<string, ReadonlySet<string>>();
  const changeListeners = new Set<(runId: string) => void>();
  const tagListeners = new Set<(runId: string, tags: string[]) => void>();
  /** Runs that are changed by a call of this page, whose reply says what became of them. */
  const changedHere = new Set<string>();
  client.onEvent('runs.changed', ({ runId }) => {
    if (changedHere.delete(runId)) return;
    for (const listener of changeListeners) listener(runId);
  });
  return { of, get, setList, tag, onChanged, onTagged };

  function get(runId: string): RunListItem | null {
    return rows.get(runId) ?? null;
  }

  /** Runs by their ids, without those that are not known. */
  function of(ids: readonly string[]): RunListItem[] {
    return ids.flatMap((id) => rows.get(id) ?? []);
  }

  /** Takes runs that were read, and the ids that a list has from now on. What is in no list is forgotten. */
  function setList(list: string, read: readonly RunListItem[], ids: readonly string[]): void {
    for (const run of read) rows.set(run.id, run);
    lists.set(list, new Set(ids));
    for (const id of rows.keys()) {
      if (![...lists.values()].some((one) => one.has(id))) rows.delete(id);
    }
  }

  /** Changes tags, and shows them as the reply says: nothing is read again for it. */
  async function tag(runIds: readonly string[], add: string[], remove: string[]): Promise<void> {
    for (const id of runIds) changedHere.add(id);
    try {
      const reply = await client.call('runs.tag', { runIds: [...runIds], add, remove });
      for (const { runId, tags } of reply) {
        const row = rows.get(runId);
        if (row !== undefined) rows.set(runId, { ...row, tags });
        for (const listener of tagListeners) listener(runId, tags);
      }
    } finally {
      for (const id of runIds) changedHere.delete(id);
    }
  }

  /** A run changed at the host. Returns what ends the listening. */
  function onChanged(listener: (runId: string) => void): () => void {
    changeListeners.add(listener);
    return () => void changeListeners.delete(listener);
  }

  function onTagged(listener: (runId: string, tags: string[]) => void): () => void {
    tagListeners.add(listener);
    return () => void tagListeners.delete(listener);
  }
});
