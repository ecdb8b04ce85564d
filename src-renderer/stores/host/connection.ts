// Whether the host can be reached, for everything on screen that depends on it.
import { defineStore } from 'pinia';
import { ref } from 'vue';
import { useClient } from '#renderer/client/injection.ts';
import type { LinkState } from '#renderer/client/client.ts';

export const useConnection = defineStore('connection', () => {
  const client = useClient();
  const state = ref<LinkState>('connecting');
  const openListeners = new Set<() => void>();
  client.onState((next) => {
    state.value = next;
    if (next === 'open') for (const listener of openListeners) listener();
  });

  /** Runs now if the connection is open, and whenever it opens (again). Returns what ends that. */
  function whenOpen(listener: () => void): () => void {
    openListeners.add(listener);
    if (state.value === 'open') listener();
    return () => void openListeners.delete(listener);
  }
  return { state, whenOpen };
});
