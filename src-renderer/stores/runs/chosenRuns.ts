// Runs that are chosen for something with several, in the order in which they were.
import { computed, ref, type Ref } from 'vue';
import type { RunListItem } from '#contract/host/runQueries.ts';

export interface ChosenRuns {
  chosen: Ref<readonly string[]>;
  isChosen: (runId: string) => boolean;
  toggle: (runId: string) => void;
  /** Adds the runs of the rows between two, both included. @throws what `read` throws */
  addRange: (from: number, to: number) => Promise<void>;
  remove: (runIds: readonly string[]) => void;
}

/** Where the runs of a table come from. */
export interface RunSource {
  /** Null where the row has not been read yet. */
  rowAt: (row: number) => RunListItem | null;
  read: (offset: number, limit: number) => Promise<readonly RunListItem[]>;
  /** The list of the rows: a range that was chosen in another list is dropped. */
  key: () => string;
}

/** Rows that are only chosen are read by so many, so that the page stays responsive. */
const maxRowsAtOnce = 1000;

/** The selected runs of a list; none at first. */
export function createChosenRuns(source: RunSource): ChosenRuns {
  const chosen = ref<readonly string[]>([]);
  const ids = computed(() => new Set(chosen.value));
  return {
    chosen,
    isChosen: (runId) => ids.value.has(runId),
    toggle(runId) {
      const others = chosen.value.filter((id) => id !== runId);
      chosen.value = others.length < chosen.value.length ? others : [...others, runId];
    },
    async addRange(from, to) {
      const key = source.key();
      const added: string[] = [];
      const last = Math.max(from, to);
      for (let row = Math.min(from, to); row <= last;) {
        const known = source.rowAt(row);
        const limit = Math.min(maxRowsAtOnce, last - row + 1);
        const runs = known === null ? await source.read(row, limit) : [known];
        if (source.key() !== key) return;
        if (runs.length === 0) break;
        added.push(...runs.map(({ id }) => id));
        row += runs.length;
      }
      chosen.value = [...new Set([...chosen.value, ...added])];
    },
    remove(runIds) {
      const removed = new Set(runIds);
      chosen.value = chosen.value.filter((id) => !removed.has(id));
    },
  };
}
