// The hour whose light scenes are shown in: one for the whole page, saved in this browser.
import type { WritableComputedRef } from 'vue';
import { defaultHour } from '#renderer/logic/scene/daylight.ts';
import { storedNumber } from './storedNumber.ts';

const hour = storedNumber('scene.hour', (stored) =>
  stored >= 0 && stored <= 24 ? stored : defaultHour,
);

/** Solar time, 0 to 24. Setting it saves it. */
export function useSunHour(): { hour: WritableComputedRef<number> } {
  return { hour };
}
