// Whether the host can be reached, for everything on screen that depends on it.
import { defineStore } from 'pinia';
import { ref } from 'vue';
import { useClient } from '#renderer/client/injection.ts';
import type { LinkState } from '#renderer/client/client.ts';

export const useConnection = defineStore('connection', () => {
  const client = useClient();
  const state = ref<LinkState>('connecting');
  const openListeners: (() => void)[] = [];
  client.onState((next) => {
    state.value = next;
    if (next === 'open') for (const listener of openListeners) listener();
  });

  /** Runs now if the connection is open, and whenever it opens (again). */
  function whenOpen(listener: () => void): void {
    openListeners.push(listener);
    if (state.value === 'open') listener();
  }
  return { state, whenOpen };
});
