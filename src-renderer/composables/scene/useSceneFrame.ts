// Frames what is selected in the view of a scene, clear of labels above and of the strip below.
import type { ComponentPublicInstance, ShallowRef } from 'vue';
import type { PointM } from '#renderer/logic/scene/measuring.ts';
import { useScene } from '#renderer/stores/scene/scene.ts';
import type { SceneViewer } from '#renderer/viewer/scene/sceneViewerTypes.ts';

/** Beside overlays; and a label above what is framed. */
const edgePx = 12;
const labelRoomPx = edgePx + 30;

/** `placesM`: of shapes that are selected, too. */
export function useSceneFrame(
  canvas: Readonly<ShallowRef<HTMLCanvasElement | null>>,
  viewer: Readonly<ShallowRef<SceneViewer | null>>,
  strip: Readonly<ShallowRef<ComponentPublicInstance | null>>,
  placesM: () => PointM[],
): () => void {
  const scene = useScene();
  return () => {
    const heightPx = canvas.value?.clientHeight ?? 0;
    const card = strip.value?.$el as Element | null | undefined;
    if (heightPx > 0) {
      viewer.value?.setCovered({
        top: labelRoomPx / heightPx,
        bottom: ((card?.clientHeight ?? 0) + edgePx) / heightPx,
      });
    }
    viewer.value?.frame(scene.selection, placesM());
  };
}
