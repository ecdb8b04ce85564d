// Ties the view of a run to a canvas: its life, its size, its theme.
import { onBeforeUnmount, onMounted, shallowRef, watch, type Ref, type ShallowRef } from 'vue';
import { openGraphics } from '#renderer/viewer/engine/viewport.ts';
import {
  createRunViewer,
  type RunViewer,
  type RunViewerColours,
} from '#renderer/viewer/run/runViewer.ts';
import { usePointBudget } from '#renderer/stores/preferences/pointBudget.ts';
import type { Theme } from '#renderer/logic/viewer/viewSettings.ts';

/** Finer than this costs frames and shows nothing more. */
const maxPixelRatio = 2;

/** A viewer from mounting to unmounting. */
export function useRunViewer(
  canvas: Readonly<ShallowRef<HTMLCanvasElement | null>>,
  theme: Readonly<Ref<Theme>>,
): {
  /** Null until the canvas is there, and where the browser has no WebGL. */
  viewer: Readonly<ShallowRef<RunViewer | null>>;
  error: Readonly<ShallowRef<string | null>>;
} {
  const viewer = shallowRef<RunViewer | null>(null);
  const error = shallowRef<string | null>(null);
  const observer = new ResizeObserver(resize);
  const { budget } = usePointBudget();

  onMounted(() => {
    if (canvas.value === null) return;
    const context = openGraphics(canvas.value);
    if (context === null) {
      error.value = 'WebGL 2 is not available in this browser.';
      return;
    }
    viewer.value = createRunViewer(context, canvas.value, budget.value);
    if (canvas.value.parentElement !== null) observer.observe(canvas.value.parentElement);
  });
  watch([viewer, theme], () => viewer.value?.setColours(readColours()), { flush: 'post' });
  watch(budget, (maxPoints) => viewer.value?.setMaxPoints(maxPoints));
  onBeforeUnmount(() => {
    observer.disconnect();
    viewer.value?.dispose();
  });
  return { viewer, error };

  function resize(): void {
    const parent = canvas.value?.parentElement;
    if (parent === null || parent === undefined || parent.clientWidth === 0) return;
    const ratio = Math.min(devicePixelRatio * (parent.currentCSSZoom ?? 1), maxPixelRatio);
    viewer.value?.resize(parent.clientWidth, parent.clientHeight, ratio);
  }
}

function readColours(): RunViewerColours {
  const style = getComputedStyle(document.documentElement);
  const colour = (name: string): string => style.getPropertyValue(`--view-${name}`).trim();
  return {
    background: colour('background'),
    grid: colour('grid'),
    vehicle: colour('vehicle'),
    planned: colour('planned'),
    driven: colour('driven'),
    fix: colour('fix'),
    goal: colour('goal'),
    start: colour('start'),
  };
}
