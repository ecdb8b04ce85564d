// The ground under the pointer, as the place where parts are pasted.
import { onBeforeUnmount, onMounted, type ShallowRef } from 'vue';
import type { PlaceM } from '#renderer/logic/sceneEdit/groundShapes.ts';
import { usePartActions } from '#renderer/stores/scene/partActions.ts';
import type { SceneViewer } from '#renderer/viewer/scene/sceneViewerTypes.ts';

/** While the component lives. */
export function usePastePlace(
  canvas: Readonly<ShallowRef<HTMLCanvasElement | null>>,
  viewer: Readonly<ShallowRef<SceneViewer | null>>,
): void {
  const actions = usePartActions();
  let pointerPx: readonly [number, number] | null = null;
  const placeM = (): PlaceM | null => {
    const at = pointerPx === null ? null : viewer.value?.groundUnder(...pointerPx);
    return at === null || at === undefined ? null : [at[0], at[1]];
  };
  onMounted(() => {
    // Why captured: handles under the pointer stop it.
    canvas.value?.addEventListener(
      'pointermove',
      ({ offsetX, offsetY }) => (pointerPx = [offsetX, offsetY]),
      { capture: true },
    );
    canvas.value?.addEventListener('pointerleave', () => (pointerPx = null));
    actions.pointerPlace = placeM;
  });
  onBeforeUnmount(() => {
    if (actions.pointerPlace === placeM) actions.pointerPlace = () => null;
  });
}
