// How many points a picture shows at most: one choice for the whole page, kept in this browser.
import { readonly, ref, type Ref } from 'vue';
import { keptInBrowser } from '#renderer/stores/kept.ts';

/** More cost memory (64 bytes each) and frames of a slow graphics card. */
export const pointBudgets = [250_000, 430_000, 1_000_000, 2_000_000] as const;
export type PointBudgetChoice = (typeof pointBudgets)[number];

const kept = keptInBrowser('points');
const budget = ref<PointBudgetChoice>(readBudget());

export function usePointBudget(): {
  budget: Readonly<Ref<PointBudgetChoice>>;
  choose: (most: PointBudgetChoice) => void;
} {
  return { budget: readonly(budget), choose };
}

function choose(most: PointBudgetChoice): void {
  budget.value = most;
  kept.write(String(most));
}

function readBudget(): PointBudgetChoice {
  const stored = Number(kept.read());
  return pointBudgets.find((one) => one === stored) ?? 430_000;
}
