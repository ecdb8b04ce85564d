// How many points a view shows at most: one choice for the whole page, saved in this browser.
import type { WritableComputedRef } from 'vue';
import { pointBudgets, type PointBudget } from '#renderer/logic/cloud/pointShares.ts';
import { storedNumber } from './storedNumber.ts';

const budget = storedNumber<PointBudget>(
  'points',
  (stored) => pointBudgets.find((one) => one === stored) ?? 430_000,
);

/** Setting it saves it. */
export function usePointBudget(): { budget: WritableComputedRef<PointBudget> } {
  return { budget };
}
