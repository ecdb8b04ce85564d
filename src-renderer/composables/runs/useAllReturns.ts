// All returns of a run in its view, of all its sensors or of one, in place of those around the time that is shown: by the
// octree of its recording, which is made when they are first asked for.
import { computed, onScopeDispose, reactive, ref, watch, type ShallowRef } from 'vue';
import type { RunDetails } from '#contract/host/runMethods.ts';
import { useClient } from '#renderer/client/injection.ts';
import { useOctreeView } from '#renderer/composables/cloud/useOctreeView.ts';
import { cloudColourings, type CloudColouring } from '#renderer/logic/cloud/cloudTable.ts';
import { lackText, makingText, partText } from '#renderer/logic/cloud/drawnCloud.ts';
import { distanceRange, shownRange } from '#renderer/logic/colours/colourRanges.ts';
import { pointColourings, type ColourBy } from '#renderer/logic/colours/colouring.ts';
import type { RunLook } from '#renderer/logic/viewer/viewSettings.ts';
import { createCloudOctree } from '#renderer/stores/cloud/cloudOctree.ts';
import { usePointBudget } from '#renderer/stores/preferences/pointBudget.ts';
import type { RunViewer } from '#renderer/viewer/run/runViewer.ts';

/** Returns that are shown: around the time, all, all of a sensor of that name, or all with distances to those of a run. */
export type ReturnsShown =
  | { of: 'time' }
  | { of: 'all' }
  | { of: 'sensor'; name: string }
  | { of: 'distances'; toRun: string };

/** Returns that are shown can be coloured by these. */
export function colouringsOf(shown: ReturnsShown['of']): readonly ColourBy[] {
  if (shown === 'time') return pointColourings;
  return shown === 'distances' ? [...cloudColourings, 'distance'] : cloudColourings;
}

/**
 * Within a set-up. `details`: those of the run; another run shows those around its time. `views`: that share the most points
 * on screen.
 */
export function useAllReturns(
  viewer: Readonly<ShallowRef<RunViewer | null>>,
  details: () => RunDetails | null,
  look: RunLook,
  views: () => number = () => 1,
) {
  const { budget } = usePointBudget();
  const state = reactive(createCloudOctree(useClient()));
  const shown = ref<ReturnsShown>({ of: 'time' });
  const isOpened = ref(false);
  /** The distances that are shown are within the range of the look. */
  let isMeasured = false;
  const isShown = computed(() => shown.value.of !== 'time');
  const view = useOctreeView(
    () => viewer.value?.all ?? null,
    state,
    () => Math.floor(budget.value / views()),
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
    [isOpened.value, isMeasured] = [false, false];
    if (next.of === 'time' || run === undefined) return state.close();
    const distancesTo = next.of === 'distances' ? { run: next.toRun } : null;
    await state.open(
      { run, ...(next.of === 'sensor' && { sensor: next.name }) },
      true,
      distancesTo,
    );
    if (shown.value === next) isOpened.value = true;
  });
  // Views of one look have one range, that of the farthest.
  watch(view, () => {
    if (isMeasured || shown.value.of !== 'distances') return;
    const [drawn] = viewer.value?.all.tables() ?? [];
    if (drawn?.distancesM == null) return;
    isMeasured = true;
    const { ranges } = look.colouring;
    const toM = distanceRange(drawn.distancesM)?.[1] ?? 0;
    ranges.distance = [0, Math.max(toM, ranges.distance?.[1] ?? 0)];
  });
  watch(
    [viewer, () => shown.value.of, () => look.colouring],
    () => {
      const { by, scale } = look.colouring;
      if (!isShown.value) return;
      if (isOfAll(by, shown.value.of))
        viewer.value?.all.colour(by, scale, shownRange(look.colouring) ?? [0, 1]);
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
    colourings: computed(() => colouringsOf(shown.value.of)),
  };
}

function isOfAll(by: ColourBy, shown: ReturnsShown['of']): by is CloudColouring | 'distance' {
  return colouringsOf(shown).includes(by);
}
