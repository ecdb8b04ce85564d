// The edge of a view of a scene at which the lines of its tools lie: away from what was clicked or chosen last.
import { ref, watch, type Ref, type ShallowRef } from 'vue';
import { freeSide, type Side } from '#renderer/logic/scene/freeSide.ts';
import type { PointM } from '#renderer/logic/scene/measuring.ts';
import type { SceneViewer } from '#renderer/viewer/scene/sceneViewerTypes.ts';

export function useFreeSide(
  viewer: Readonly<ShallowRef<SceneViewer | null>>,
  aboutM: () => PointM | null,
): Readonly<Ref<Side>> {
  const side = ref<Side>('top');
  watch(aboutM, (placeM) => {
    const seen = placeM === null ? null : viewer.value?.onScreen(placeM);
    if (seen) side.value = freeSide((1 - seen.y) / 2, side.value);
  });
  return side;
}
