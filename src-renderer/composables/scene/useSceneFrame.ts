// Frames what is selected in the view of a scene, clear of labels and of the line of its tool.
import type { ShallowRef } from 'vue';
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
  lines: Readonly<ShallowRef<HTMLElement | null>>,
  placesM: () => PointM[],
): () => void {
  const scene = useScene();
  return () => {
    const heightPx = canvas.value?.clientHeight ?? 0;
    const linesPx = lines.value?.clientHeight ?? 0;
    const isAbove = lines.value?.classList.contains('top') === true;
    if (heightPx > 0) {
      viewer.value?.setCovered({
        top: (labelRoomPx + (isAbove ? linesPx : 0)) / heightPx,
        bottom: (edgePx + (isAbove ? 0 : linesPx)) / heightPx,
      });
    }
    viewer.value?.frame(scene.selection, placesM());
  };
}
