// The chosen cell or point of a plot with its runs, and the comparison of two cells.
import { ref, watch, type Ref } from 'vue';
import type { ResultColumn, ResultRow } from '#contract/host/campaignMethods.ts';
import type { Client } from '#renderer/client/client.ts';
import { comparedRuns } from '#renderer/logic/campaigns/comparedCells.ts';
import { sentenceOf } from '#renderer/logic/problems.ts';

export interface PickedCell {
  title: string;
  /** Null: its runs have no common condition. */
  where: string | null;
  rows: readonly ResultRow[];
}

export interface PickedCells {
  /** Its runs are listed beside the plot; null: none. */
  picked: Ref<PickedCell | null>;
  /** The next cell that is chosen is compared with the picked one. */
  isComparing: Ref<boolean>;
  /** Error help where two cells cannot be compared; null otherwise. */
  comparedProblem: Ref<string | null>;
  /**
   * Lists the runs of a cell or point. With `isCompared` or `isComparing` it returns two runs to compare instead, one of the
   * picked cell and one of this; null: none.
   */
  pick: (next: PickedCell, isCompared: boolean) => Promise<readonly [string, string] | null>;
}

/** `columns`: of all results. */
export function createPickedCells(
  client: Client,
  columns: () => readonly ResultColumn[],
): PickedCells {
  const picked = ref<PickedCell | null>(null);
  const isComparing = ref(false);
  const comparedProblem = ref<string | null>(null);
  watch(picked, () => {
    isComparing.value = false;
    comparedProblem.value = null;
  });
  return { picked, isComparing, comparedProblem, pick };

  async function pick(
    next: PickedCell,
    isCompared: boolean,
  ): Promise<readonly [string, string] | null> {
    const first = picked.value;
    if (first === null || !(isCompared || isComparing.value)) {
      picked.value = next;
      return null;
    }
    isComparing.value = false;
    const runs = comparedRuns(columns(), first.rows, next.rows);
    comparedProblem.value =
      runs === null ? 'Choose two cells with finished runs.' : await problemOf(runs);
    return comparedProblem.value === null ? runs : null;
  }

  /** Why the clouds of runs cannot be compared; null: they can. */
  async function problemOf(runIds: readonly string[]): Promise<string | null> {
    try {
      const runs = await Promise.all(runIds.map((runId) => client.call('runs.show', { runId })));
      return runs.every(({ recordingBytes }) => recordingBytes !== null)
        ? null
        : 'Their runs have no recordings. Save recordings in the definition, then run the campaign again.';
    } catch (failure) {
      return sentenceOf(failure);
    }
  }
}
