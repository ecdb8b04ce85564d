// The steps back and forward of an edited text. A change like the one before, soon after it, is the same step: a slider
// that is drawn.
import { computed, shallowRef, type ComputedRef } from 'vue';

/** A text as it was, and what was done to it. */
export interface EditStep {
  text: string;
  label: string;
  atMs: number;
}

export interface EditSteps {
  past: readonly EditStep[];
  future: readonly EditStep[];
}

export type EditDirection = 'undo' | 'redo';

export interface EditHistory {
  undoLabel: ComputedRef<string | null>;
  redoLabel: ComputedRef<string | null>;
  /** Changes that can be undone. */
  count: ComputedRef<number>;
  canRedo: ComputedRef<boolean>;
  /** A change that was made now: what could be redone is gone. */
  remember: (before: string, label: string, atMs?: number) => void;
  /** The text to which a step leads; null: there is none. */
  textOf: (direction: EditDirection) => string | null;
  /** The step was made; `now`: the text that it replaced. */
  move: (direction: EditDirection, now: string) => void;
  steps: () => EditSteps;
  restore: (steps: EditSteps | undefined) => void;
}

const sameStepMs = 900;
const maxSteps = 500;

/** Steps to undo and redo; empty at first. */
export function createEditHistory(): EditHistory {
  const past = shallowRef<readonly EditStep[]>([]);
  const future = shallowRef<readonly EditStep[]>([]);
  const sides = (direction: EditDirection) =>
    direction === 'undo' ? ([past, future] as const) : ([future, past] as const);

  return {
    undoLabel: computed(() => past.value.at(-1)?.label ?? null),
    redoLabel: computed(() => future.value.at(-1)?.label ?? null),
    count: computed(() => past.value.length),
    canRedo: computed(() => future.value.length > 0),
    remember(before, label, atMs = Date.now()) {
      const last = past.value.at(-1);
      future.value = [];
      past.value =
        last?.label === label && atMs - last.atMs < sameStepMs
          ? [...past.value.slice(0, -1), { ...last, atMs }]
          : [...past.value.slice(1 - maxSteps), { text: before, label, atMs }];
    },
    textOf: (direction) => sides(direction)[0].value.at(-1)?.text ?? null,
    move(direction, now) {
      const [from, to] = sides(direction);
      const step = from.value.at(-1);
      if (step === undefined) return;
      from.value = from.value.slice(0, -1);
      // Why no time: what is changed next is a step of its own.
      to.value = [...to.value, { ...step, text: now, atMs: 0 }];
    },
    steps: () => ({ past: past.value, future: future.value }),
    restore(steps) {
      past.value = steps?.past ?? [];
      future.value = steps?.future ?? [];
    },
  };
}
