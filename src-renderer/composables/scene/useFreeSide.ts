// The side of a view of a scene on which its cards lie: away from what was clicked or chosen last, until the user
// moves them.
import { ref, watch, type Ref, type ShallowRef } from 'vue';
import { freeSide, otherSide, type Side } from '#renderer/logic/scene/freeSide.ts';
import type { PointM } from '#renderer/logic/scene/measuring.ts';
import type { SceneViewer } from '#renderer/viewer/scene/sceneViewerTypes.ts';

/** Chooses the side of the view on which a card does not cover the selected object. */
export function useFreeSide(
  viewer: Readonly<ShallowRef<SceneViewer | null>>,
  aboutM: () => PointM | null,
): { side: Readonly<Ref<Side>>; moveOver: () => void } {
  const side = ref<Side>('right');
  watch(aboutM, (placeM) => {
    const seen = placeM === null ? null : viewer.value?.onScreen(placeM);
    if (seen) side.value = freeSide((seen.x + 1) / 2, side.value);
  });
  return { side, moveOver: () => void (side.value = otherSide(side.value)) };
}
