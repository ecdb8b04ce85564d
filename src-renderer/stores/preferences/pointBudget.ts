// How many points a view shows at most: one choice for the whole page, saved in this browser.
import { computed, ref, type WritableComputedRef } from 'vue';
import { storedInBrowser } from '#renderer/browser/storedText.ts';
import { pointBudgets, type PointBudget } from '#renderer/logic/cloud/pointShares.ts';

const saved = storedInBrowser('points');
const chosen = ref<PointBudget>(readBudget());
const budget = computed<PointBudget>({
  get: () => chosen.value,
  set: (next) => {
    chosen.value = next;
    saved.write(String(next));
  },
});

/** Setting it saves it. */
export function usePointBudget(): { budget: WritableComputedRef<PointBudget> } {
  return { budget };
}

function readBudget(): PointBudget {
  const stored = Number(saved.read());
  return pointBudgets.find((one) => one === stored) ?? 430_000;
}
