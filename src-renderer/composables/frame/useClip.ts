// Clipping of views: one box for one view or for several that are compared, switched by a key, set by numbers, by handles
// or by clicked places.
import { computed, onScopeDispose, ref, watch } from 'vue';
import type { OriginM } from '#contract/worldOrigin.ts';
import {
  boxAround,
  sectionAcross,
  sectionAlong,
  withMargin,
  type Clip,
  type ClipState,
} from '#renderer/logic/cloud/clipBox.ts';
import { joinedBounds, type BoundsM, type PlaceM } from '#renderer/logic/cloud/cloudBounds.ts';
import { useCommands } from '#renderer/stores/frame/commands.ts';
import type { ClipTool } from '#renderer/viewer/engine/clip/clipTool.ts';
import { useClipSteps, type ClipStepOptions } from './useClipSteps.ts';

interface ClippedViewer {
  readonly clip: ClipTool | null;
  setSceneClipped?: (isClipped: boolean) => void;
}

interface ClipOptions extends ClipStepOptions {
  /** World position that they are relative to. */
  originM: () => OriginM | undefined;
}

/** Clips a view as the state says, and writes what its handles do into the state. */
export function useClippedView(viewer: () => ClippedViewer | null, state: () => ClipState): void {
  watch(viewer, (made) => made?.clip?.onDragged((box) => (state().box = box)), { immediate: true });
  watch(
    [viewer, () => state().box, () => state().isSceneClipped] as const,
    ([made, box, isSceneClipped]) => {
      made?.setSceneClipped?.(isSceneClipped);
      made?.clip?.set(box);
    },
    { immediate: true },
  );
}

/** The clipping of one view with its commands. */
export function useViewClip(
  viewer: () => ClippedViewer | null,
  state: () => ClipState,
  options: ClipOptions,
): Clip {
  useClippedView(viewer, state);
  return useClip(() => [viewer()?.clip], state, options);
}

/** The commands of views that `useClippedView` clips alike. `tools`: of those that are there. */
export function useClip(
  tools: () => readonly (ClipTool | null | undefined)[],
  state: () => ClipState,
  options: ClipOptions,
): Clip {
  const { part, when, originM } = options;
  /** Ends of a line that were clicked; null: none are asked for. */
  const ends = ref<readonly PlaceM[] | null>(null);
  const missingPlaces = computed(() => (ends.value === null ? 0 : 2 - ends.value.length));
  const there = (): ClipTool[] => tools().filter((tool) => tool !== null && tool !== undefined);
  const bounds = (): BoundsM | null => {
    const all = joinedBounds(there().map((tool) => tool.boundsM()));
    return all && withMargin(all);
  };
  watch(
    () => ends.value !== null,
    (isPicking) => {
      for (const tool of there()) tool.pick(isPicking ? addEnd : null);
    },
  );
  onScopeDispose(() => (ends.value = null));
  useClipSteps(state, options);
  useCommands([
    { id: `${part}.clip`, title: 'Clip view to a box', keys: 'B', when, run: toggle },
    {
      id: `${part}.clip-cancel`,
      title: 'Cancel section',
      keys: 'Escape',
      when: () => when() && ends.value !== null,
      run: () => (ends.value = null),
    },
  ]);
  return {
    get state() {
      return state();
    },
    get originM() {
      return originM() ?? [0, 0, 0];
    },
    get missingPlaces() {
      return missingPlaces.value;
    },
    set: (part) => Object.assign(state(), part),
    toggle,
    reset,
    section(axis) {
      const all = bounds();
      ends.value = null;
      if (all !== null) state().box = sectionAcross(all, axis);
    },
    line: () => (ends.value = ends.value === null ? [] : null),
  };

  function toggle(): void {
    if (state().box === null) reset();
    else state().box = null;
    ends.value = null;
  }

  function reset(): void {
    const all = bounds();
    ends.value = null;
    if (all !== null) state().box = boxAround(all);
  }

  function addEnd(placeM: PlaceM): void {
    const [from] = ends.value ?? [];
    if (from === undefined) {
      ends.value = [placeM];
      return;
    }
    const all = bounds();
    const box = all && sectionAlong(all, from, placeM);
    if (box === null) return;
    state().box = box;
    ends.value = null;
  }
}
