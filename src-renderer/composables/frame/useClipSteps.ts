// Undo and redo of a view's clip box, which no file has: steps of its own, apart from those of an edited file. Where a
// page has both, the latest change is undone: an edit of the file forgets the steps of the box.
import { shallowRef, watch } from 'vue';
import type { UprightBox } from '#domain/shared/uprightBox.ts';
import type { ClipState } from '#renderer/logic/cloud/clipBox.ts';
import { useCommands } from '#renderer/stores/frame/commands.ts';

export interface ClipStepOptions {
  /** The page, for the ids of commands. */
  part: string;
  /** The views are in front. */
  when: () => boolean;
  /** Steps are forgotten where its value changes. */
  edited?: () => unknown;
}

type Box = UprightBox | null;

/** Changes that follow one another so soon are one step: a handle that is dragged. */
const sameStepMs = 600;
const maxSteps = 200;

/** Commands that undo and redo changes of the box. Within a set-up. */
export function useClipSteps(
  state: () => ClipState,
  { part, when, edited = () => null }: ClipStepOptions,
): void {
  const past = shallowRef<readonly Box[]>([]);
  const future = shallowRef<readonly Box[]>([]);
  let changedAtMs = -Infinity;
  let isStepping = false;

  watch(
    [state, () => state().box] as const,
    ([now], [before, box]) => {
      if (now !== before) forget();
      else if (!isStepping) remember(box);
    },
    { flush: 'sync' },
  );
  watch(edited, forget);
  useCommands([
    {
      id: `${part}.clip-undo`,
      title: 'Undo change of the clip box',
      keys: 'Ctrl+Z',
      when: () => when() && past.value.length > 0,
      run: () => step(past, future),
    },
    {
      id: `${part}.clip-redo`,
      title: 'Redo change of the clip box',
      keys: ['Ctrl+Shift+Z', 'Ctrl+Y'],
      when: () => when() && future.value.length > 0,
      run: () => step(future, past),
    },
  ]);

  function remember(box: Box): void {
    const nowMs = performance.now();
    const isSame = nowMs - changedAtMs < sameStepMs;
    changedAtMs = nowMs;
    future.value = [];
    if (!isSame) past.value = [...past.value.slice(1 - maxSteps), box];
  }

  function step(from: typeof past, to: typeof past): void {
    const box = from.value.at(-1);
    if (box === undefined) return;
    from.value = from.value.slice(0, -1);
    to.value = [...to.value, state().box];
    isStepping = true;
    state().box = box;
    isStepping = false;
    changedAtMs = -Infinity;
  }

  function forget(): void {
    [past.value, future.value] = [[], []];
    changedAtMs = -Infinity;
  }
}
