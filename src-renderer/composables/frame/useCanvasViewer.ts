// Ties a 3D view to a canvas: its life, its size, its theme.
import { onBeforeUnmount, onMounted, shallowRef, watch, type Ref, type ShallowRef } from 'vue';
import { observeCanvasSize } from '#renderer/browser/canvasSize.ts';
import { themeColours } from '#renderer/browser/themeColour.ts';
import type { Theme } from '#renderer/logic/viewer/viewSettings.ts';
import { openGraphics } from '#renderer/viewer/engine/viewport.ts';

interface Viewer {
  resize(widthPx: number, heightPx: number, pixelRatio: number): void;
  dispose(): void;
}

/** A sentence for a person. */
export const noGraphics = 'WebGL 2 is not available in this browser.';

/** A viewer from mounting to unmounting. `paint` gives it the colours of the theme. */
export function useCanvasViewer<V extends Viewer>(
  canvas: Readonly<ShallowRef<HTMLCanvasElement | null>>,
  theme: Readonly<Ref<Theme>>,
  create: (context: WebGL2RenderingContext, canvas: HTMLCanvasElement) => V,
  paint: (viewer: V, colour: (name: string) => string) => void,
): {
  /** Null until the canvas is there, and where the browser has no WebGL. */
  viewer: Readonly<ShallowRef<V | null>>;
  error: Readonly<ShallowRef<string | null>>;
} {
  // Why the cast: for a type that is not known yet, Vue's type allows that it is a ref itself.
  const viewer = shallowRef(null) as ShallowRef<V | null>;
  const error = shallowRef<string | null>(null);
  let endObserving = (): void => undefined;

  onMounted(() => {
    if (canvas.value === null) return;
    const context = openGraphics(canvas.value);
    if (context === null) {
      error.value = noGraphics;
      return;
    }
    const made = create(context, canvas.value);
    viewer.value = made;
    endObserving = observeCanvasSize(canvas.value, (...size) => made.resize(...size));
  });
  watch(
    [viewer, theme],
    () => {
      if (viewer.value !== null) paint(viewer.value, themeColours());
    },
    { flush: 'post' },
  );
  onBeforeUnmount(() => {
    endObserving();
    viewer.value?.dispose();
  });
  return { viewer, error };
}
