// The view of the Learn page on a canvas.
import type { Ref, ShallowRef } from 'vue';
import { useCanvasViewer } from '#renderer/composables/frame/useCanvasViewer.ts';
import type { Theme } from '#renderer/logic/viewer/viewSettings.ts';
import { createLearnViewer } from '#renderer/viewer/learn/learnViewer.ts';

/** A viewer from mounting to unmounting. */
export function useLearnViewer(
  canvas: Readonly<ShallowRef<HTMLCanvasElement | null>>,
  theme: Readonly<Ref<Theme>>,
) {
  return useCanvasViewer(canvas, theme, createLearnViewer, (viewer, colour) =>
    viewer.setColours({
      background: colour('--view-background'),
      grid: colour('--view-grid'),
      place: colour('--view-goal'),
      clip: colour('--accent'),
    }),
  );
}
