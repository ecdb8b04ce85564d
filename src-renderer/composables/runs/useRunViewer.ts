// The view of a run on a canvas, with as many points as are set.
import { shallowRef, watch, type Ref, type ShallowRef } from 'vue';
import { useCanvasViewer } from '#renderer/composables/frame/useCanvasViewer.ts';
import type { Theme } from '#renderer/logic/viewer/viewSettings.ts';
import { usePointBudget } from '#renderer/stores/preferences/pointBudget.ts';
import { useSunHour } from '#renderer/stores/preferences/sunHour.ts';
import { createRunViewer } from '#renderer/viewer/run/runViewer.ts';

/** A viewer from mounting to unmounting. `labels`: where it puts the names of moving objects; left out: nowhere. */
export function useRunViewer(
  canvas: Readonly<ShallowRef<HTMLCanvasElement | null>>,
  theme: Readonly<Ref<Theme>>,
  labels: Readonly<ShallowRef<{ element: HTMLElement | null } | null>> = shallowRef(null),
) {
  const { budget } = usePointBudget();
  const { hour } = useSunHour();
  const { viewer, error } = useCanvasViewer(
    canvas,
    theme,
    (context, element) =>
      createRunViewer(context, element, budget.value, labels.value?.element ?? null),
    (made, colour) =>
      made.setColours({
        background: colour('--view-background'),
        grid: colour('--view-grid'),
        vehicle: colour('--view-vehicle'),
        planned: colour('--view-planned'),
        driven: colour('--view-driven'),
        fix: colour('--view-fix'),
        goal: colour('--view-goal'),
        start: colour('--view-start'),
        object: colour('--view-object'),
        accent: colour('--accent'),
        sensor: colour('--accent'),
      }),
  );
  watch([viewer, hour], () => viewer.value?.setHour(hour.value));
  watch(budget, (maxPoints) => viewer.value?.setMaxPoints(maxPoints));
  return { viewer, error };
}
