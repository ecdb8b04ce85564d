// Where one is in the page: an activity, and within the runs perhaps a run, within the campaigns one of them. It is
// stored in the address, so that reloading and going back work.
import { defineStore } from 'pinia';
import { computed, ref, watch } from 'vue';
import { storedInBrowser } from '#renderer/browser/storedText.ts';

export const activities = ['scene', 'drive', 'runs', 'campaigns', 'learn'] as const;
export type Activity = (typeof activities)[number];

export const activityTitles: Record<Activity, string> = {
  scene: 'Scene',
  drive: 'Drive',
  runs: 'Runs',
  campaigns: 'Campaigns',
  learn: 'Learn',
};

const storedStart = storedInBrowser('started');

export const usePlace = defineStore('place', () => {
  const hash = ref(location.hash);
  const hasStarted = ref(storedStart.read() !== null);
  addEventListener('hashchange', () => {
    hash.value = location.hash;
  });
  const parts = computed(() => hash.value.replace(/^#\/?/, '').split('/'));
  const activity = computed<Activity>(
    () => activities.find((name) => name === parts.value[0]) ?? 'drive',
  );
  /** The start page is shown: at first, and where it is asked for. */
  const isStart = computed(() =>
    parts.value[0] === '' ? !hasStarted.value : parts.value[0] === 'start',
  );
  watch(
    isStart,
    (isThere) => {
      if (isThere || hasStarted.value) return;
      hasStarted.value = true;
      storedStart.write('yes');
    },
    { immediate: true },
  );
  /** The run whose page is in front; of a comparison its runs, with commas between them. */
  const runId = computed(() => subjectOf('runs'));
  /** The name of the chosen campaign; that of the last visit while another activity is shown. */
  const campaign = ref(subjectOf('campaigns'));
  const noteCampaign = (): void => void (campaign.value = subjectOf('campaigns') ?? campaign.value);
  watch(hash, noteCampaign, { flush: 'sync' });
  return { activity, isStart, runId, campaign, go };

  /** `subject`: a run or several, or a campaign. */
  function go(to: Activity, subject?: string): void {
    location.hash = subject === undefined ? `#/${to}` : `#/${to}/${encodeURIComponent(subject)}`;
    hash.value = location.hash;
  }

  function subjectOf(of: Activity): string | null {
    const text = activity.value === of ? parts.value[1] : undefined;
    return text === undefined || text === '' ? null : decodeSubject(text);
  }
});

/** An address is typed by hand too: an invalid one is used unchanged. */
function decodeSubject(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
