// The hour whose light scenes are shown in: one for the whole page, saved in this browser.
import { computed, ref, type WritableComputedRef } from 'vue';
import { storedInBrowser } from '#renderer/browser/storedText.ts';
import { defaultHour } from '#renderer/logic/scene/daylight.ts';

const saved = storedInBrowser('scene.hour');
const chosen = ref(readHour());
const hour = computed<number>({
  get: () => chosen.value,
  set: (next) => {
    chosen.value = next;
    saved.write(String(next));
  },
});

/** Solar time, 0 to 24. Setting it saves it. */
export function useSunHour(): { hour: WritableComputedRef<number> } {
  return { hour };
}

function readHour(): number {
  const text = saved.read();
  const stored = Number(text ?? NaN);
  return stored >= 0 && stored <= 24 ? stored : defaultHour;
}
