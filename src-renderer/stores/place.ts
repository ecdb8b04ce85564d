// Where one is in the page: driving, the table of runs, or a run. Kept in the address, so that reloading
// and going back work.
import { defineStore } from 'pinia';
import { computed, ref } from 'vue';

export type View = 'drive' | 'runs';

export const usePlace = defineStore('place', () => {
  const hash = ref(location.hash);
  addEventListener('hashchange', () => {
    hash.value = location.hash;
  });
  const parts = computed(() => hash.value.replace(/^#\/?/, '').split('/'));
  const view = computed<View>(() => (parts.value[0] === 'runs' ? 'runs' : 'drive'));
  /** The run whose page is open. */
  const runId = computed(() => (view.value === 'runs' ? (parts.value[1] ?? null) : null));
  return { view, runId, go };

  function go(to: View, run?: string): void {
    location.hash = run === undefined ? `#/${to}` : `#/${to}/${encodeURIComponent(run)}`;
    hash.value = location.hash;
  }
});
