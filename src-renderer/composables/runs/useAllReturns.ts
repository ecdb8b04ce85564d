// All returns of a run in its view, of all its sensors or of one, in place of those around the time that is shown: by the
// octree of its recording, which is made when they are first asked for.
import { computed, onScopeDispose, reactive, ref, watch, type ShallowRef } from 'vue';
import type { RunDetails } from '#contract/host/runMethods.ts';
import { useClient } from '#renderer/client/injection.ts';
import { useOctreeView } from '#renderer/composables/cloud/useOctreeView.ts';
import { cloudColourings, type CloudColouring } from '#renderer/logic/cloud/cloudTable.ts';
import { lackText, makingText, partText } from '#renderer/logic/cloud/drawnCloud.ts';
import { shownRange } from '#renderer/logic/colours/colourRanges.ts';
import { pointColourings, type ColourBy } from '#renderer/logic/colours/colouring.ts';
import type { RunLook } from '#renderer/logic/viewer/viewSettings.ts';
import { createCloudOctree } from '#renderer/stores/cloud/cloudOctree.ts';
import { usePointBudget } from '#renderer/stores/preferences/pointBudget.ts';
import type { RunViewer } from '#renderer/viewer/run/runViewer.ts';

/** Returns that are shown: those around the time, all, or all of a sensor of that name. */
export type ReturnsShown = { of: 'time' } | { of: 'all' } | { of: 'sensor'; name: string };

/** Within a set-up. `details`: those of the run; another run shows those around its time. */
export function useAllReturns(
  viewer: Readonly<ShallowRef<RunViewer | null>>,
  details: () => RunDetails | null,
  look: RunLook,
) {
  const { budget } = usePointBudget();
  const state = reactive(createCloudOctree(useClient()));
  const shown = ref<ReturnsShown>({ of: 'time' });
  const isOpened = ref(false);
  const isShown = computed(() => shown.value.of !== 'time');
  const view = useOctreeView(
    () => viewer.value?.all ?? null,
    state,
    () => budget.value,
  );
  /** How much is drawn, and why not more; '' where those around the time are. */
  const note = computed(() => {
    if (!isShown.value || state.error !== null) return '';
    const { octree, progress } = state;
    if (progress !== null) return `All returns: ${makingText(progress)}`;
    if (octree === null) return isOpened.value ? 'There are no returns.' : 'All returns: opening …';
    const { cloud } = view.value;
    const part = `${partText(cloud?.points ?? 0, octree.head.points)} returns`;
    return [part, lackText(cloud)].filter((text) => text !== '').join(' · ');
  });

  watch(
    () => details()?.id,
    () => (shown.value = { of: 'time' }),
  );
  watch(shown, async (next) => {
    const run = details()?.id;
    isOpened.value = false;
    if (next.of === 'time' || run === undefined) return state.close();
    await state.open({ run, ...(next.of === 'sensor' && { sensor: next.name }) }, true);
    if (shown.value === next) isOpened.value = true;
  });
  watch(
    [viewer, isShown, () => look.colouring],
    () => {
      const { by, scale } = look.colouring;
      if (!isShown.value) return;
      if (isOfAll(by)) viewer.value?.all.colour(by, scale, shownRange(look.colouring) ?? [0, 1]);
      else look.colouring.by = 'height';
    },
    { deep: true },
  );
  onScopeDispose(() => state.close());
  return {
    shown,
    note,
    error: computed(() => state.error),
    /** The returns that are shown can be coloured by these. */
    colourings: computed<readonly ColourBy[]>(() =>
      isShown.value ? cloudColourings : pointColourings,
    ),
  };
}

function isOfAll(by: ColourBy): by is CloudColouring {
  return (cloudColourings as readonly ColourBy[]).includes(by);
}
