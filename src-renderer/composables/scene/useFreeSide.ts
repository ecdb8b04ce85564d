// The side of a picture of a scene on which its cards lie: away from what was clicked or chosen last, until somebody
// moves them.
import { ref, watch, type Ref, type ShallowRef } from 'vue';
import { Vector3 } from 'three';
import { freeSide, otherSide, type Side } from '#renderer/logic/scene/freeSide.ts';
import type { PointM } from '#renderer/logic/scene/measuring.ts';
import type { SceneViewer } from '#renderer/viewer/scene/sceneViewerTypes.ts';

export function useFreeSide(
  viewer: Readonly<ShallowRef<SceneViewer | null>>,
  aboutM: () => PointM | null,
): { side: Readonly<Ref<Side>>; moveOver: () => void } {
  const side = ref<Side>('right');
  watch(aboutM, (placeM) => {
    const eye = viewer.value?.camera.camera;
    if (placeM === null || eye === undefined) return;
    eye.updateMatrixWorld();
    const seen = new Vector3(...placeM).project(eye);
    const isInSight = Math.abs(seen.z) < 1 && Math.abs(seen.x) < 1;
    if (isInSight) side.value = freeSide((seen.x + 1) / 2, side.value);
  });
  return { side, moveOver: () => void (side.value = otherSide(side.value)) };
}
