// Ties the view of a scene to a canvas: its life, its size, its theme, and the scene that is open.
import { onBeforeUnmount, onMounted, shallowRef, watch, type Ref, type ShallowRef } from 'vue';
import { useScene } from '#renderer/stores/scene/scene.ts';
import { openGraphics } from '#renderer/viewer/engine/viewport.ts';
import { createSceneViewer } from '#renderer/viewer/scene/sceneViewer.ts';
import type { SceneColours, SceneViewer } from '#renderer/viewer/scene/sceneViewerTypes.ts';
import { observeCanvasSize } from '#renderer/browser/canvasSize.ts';
import { nextFrame } from '#renderer/browser/nextFrame.ts';
import { themeColours } from '#renderer/browser/themeColour.ts';
import { noGraphics } from '#renderer/composables/frame/useCanvasViewer.ts';
import type { Theme } from '#renderer/logic/viewer/viewSettings.ts';

/** A viewer from mounting to unmounting; `useScene().viewer` is the same one. */
export function useSceneViewer(
  canvas: Readonly<ShallowRef<HTMLCanvasElement | null>>,
  labels: Readonly<ShallowRef<HTMLElement | null>>,
  theme: Readonly<Ref<Theme>>,
): {
  viewer: Readonly<ShallowRef<SceneViewer | null>>;
  error: Readonly<ShallowRef<string | null>>;
} {
  const store = useScene();
  const viewer = shallowRef<SceneViewer | null>(null);
  const error = shallowRef<string | null>(null);
  let endObserving = (): void => undefined;
  let unsubscribe: (() => void) | null = null;
  let isGone = false;

  onMounted(() => void begin());
  watch([viewer, theme], () => viewer.value?.setColours(readColours()), {
    flush: 'post',
  });
  onBeforeUnmount(() => {
    isGone = true;
    unsubscribe?.();
    endObserving();
    if (store.viewer === viewer.value) store.viewer = null;
    viewer.value?.dispose();
  });
  return { viewer, error };

  /** A frame for each step: together they would keep the page from answering. */
  async function begin(): Promise<void> {
    if (canvas.value === null) return;
    const context = openGraphics(canvas.value);
    if (context === null) {
      error.value = noGraphics;
      return;
    }
    await nextFrame();
    if (isGone || canvas.value === null || labels.value === null) return;
    const made = createSceneViewer(context, canvas.value, labels.value);
    viewer.value = made;
    store.viewer = made;
    await nextFrame();
    if (isGone) return;
    endObserving = observeCanvasSize(canvas.value, (...size) => made.resize(...size));
    unsubscribe = store.subscribe({
      onScene: (contents, table, isSame) => made.showScene(contents, table, isSame),
      onMesh: ({ model, level, triangles }) => made.addMesh(model, level, triangles),
      onClosed: () => made.clear(),
    });
  }
}

function readColours(): SceneColours {
  const colour = themeColours();
  return { grid: colour('--muted'), accent: colour('--accent'), measure: colour('--warning') };
}
