// Where one is in the page: an activity, and within the runs perhaps a run. It is stored in the address, so that
// reloading and going back work.
import { defineStore } from 'pinia';
import { computed, ref } from 'vue';

export const activities = ['scene', 'drive', 'runs'] as const;
export type Activity = (typeof activities)[number];

export const activityTitles: Record<Activity, string> = {
  scene: 'Scene',
  drive: 'Drive',
  runs: 'Runs',
};

export const usePlace = defineStore('place', () => {
  const hash = ref(location.hash);
  addEventListener('hashchange', () => {
    hash.value = location.hash;
  });
  const parts = computed(() => hash.value.replace(/^#\/?/, '').split('/'));
  const activity = computed<Activity>(
    () => activities.find((name) => name === parts.value[0]) ?? 'drive',
  );
  /** The run whose page is in front; of a comparison its runs, with commas between them. */
  const runId = computed(() => {
    const id = activity.value === 'runs' ? parts.value[1] : undefined;
    return id === undefined || id === '' ? null : decodeRunId(id);
  });
  return { activity, runId, go };

  function go(to: Activity, run?: string): void {
    location.hash = run === undefined ? `#/${to}` : `#/${to}/${encodeURIComponent(run)}`;
    hash.value = location.hash;
  }
});

/** An address is typed by hand too: an invalid one is used unchanged. */
function decodeRunId(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
