// Pointer and keys in the view of a scene: a click selects or measures, a double click sets the camera's target,
// moving highlights, keys move the camera.
import { onBeforeUnmount, onMounted, ref, shallowRef, type Ref, type ShallowRef } from 'vue';
import { isClick } from '#renderer/browser/pointerClick.ts';
import type { PointM } from '#renderer/logic/scene/measuring.ts';
import { snapPoint } from '#renderer/logic/scene/snapping.ts';
import { useScene } from '#renderer/stores/scene/scene.ts';
import { placeOf, type SceneHit } from '#renderer/viewer/scene/scenePicking.ts';
import type { SceneViewer } from '#renderer/viewer/scene/sceneViewerTypes.ts';

/** From so near a measured point is drawn to a corner or an edge. */
const snapPx = 9;

export interface SceneInput {
  /** The last clicked hit, while its object is selected. */
  hit: Readonly<ShallowRef<SceneHit | null>>;
  isMeasuring: Ref<boolean>;
  points: Readonly<ShallowRef<readonly PointM[]>>;
  clearMeasure: () => void;
  /** Clears what was measured, or ends measuring; false where there was neither. */
  leaveMeasure: () => boolean;
  /** Another scene: what was clicked is gone. */
  forget: () => void;
}

/** Connects pointer and keys to the scene view while the component lives. `takeKey`: before the camera gets it. */
export function useSceneInput(
  canvas: Readonly<ShallowRef<HTMLCanvasElement | null>>,
  viewer: Readonly<ShallowRef<SceneViewer | null>>,
  takeKey: (event: KeyboardEvent) => boolean = () => false,
): SceneInput {
  const store = useScene();
  const hit = shallowRef<SceneHit | null>(null);
  const isMeasuring = ref(false);
  const points = shallowRef<readonly PointM[]>([]);
  let down: PointerEvent | null = null;
  let hoverRequest = 0;

  onMounted(() => {
    const element = canvas.value;
    if (element === null) return;
    element.addEventListener('pointerdown', onDown);
    element.addEventListener('pointerup', onUp);
    element.addEventListener('pointermove', onMove);
    element.addEventListener('pointerleave', onLeave);
    element.addEventListener('dblclick', onDoubleClick);
    element.addEventListener('keydown', onKeyDown);
    element.addEventListener('keyup', onKeyUp);
    element.addEventListener('blur', onBlur);
  });
  onBeforeUnmount(() => cancelAnimationFrame(hoverRequest));
  const forget = (): void => void (hit.value = null);
  return { hit, isMeasuring, points, clearMeasure, leaveMeasure, forget };

  function clearMeasure(): void {
    points.value = [];
    viewer.value?.setMeasure([]);
  }

  function leaveMeasure(): boolean {
    if (points.value.length > 0) clearMeasure();
    else if (isMeasuring.value) isMeasuring.value = false;
    else return false;
    return true;
  }

  function onDown(event: PointerEvent): void {
    canvas.value?.focus({ preventScroll: true });
    const isFree = event.button === 0 && viewer.value?.isGizmoBusy() !== true;
    down = isFree ? event : null;
  }

  function onUp(event: PointerEvent): void {
    if (down === null || viewer.value === null) return;
    const hasClicked = isClick(down, event);
    down = null;
    if (hasClicked) click(event);
  }

  function click(event: PointerEvent): void {
    const met = viewer.value?.pickAt(event.offsetX, event.offsetY) ?? null;
    if (store.clickHandler !== null) {
      if (met !== null && 'hit' in met) store.clickHandler(met.hit.positionM);
      return;
    }
    if (isMeasuring.value) {
      const isSnapped = met !== null && 'hit' in met && !event.shiftKey;
      const placeM = isSnapped ? snapped(met.hit) : placeOf(met);
      if (placeM === null) return;
      points.value = [...points.value, placeM];
      viewer.value?.setMeasure(points.value);
      return;
    }
    if (met !== null && 'picker' in met) {
      met.picker.click();
      return;
    }
    hit.value = met?.hit ?? null;
    const id = met?.hit.instanceId;
    const isAdded = event.shiftKey || event.ctrlKey || event.metaKey;
    if (id === undefined) store.select(isAdded ? store.selection : []);
    else if (!isAdded) store.select([id]);
    else if (store.selection.includes(id))
      store.select(store.selection.filter((one) => one !== id));
    else store.select([...store.selection, id]);
  }

  function snapped({ positionM, cornersM, distanceM }: SceneHit): PointM {
    const reachM = snapPx * (viewer.value?.pixelM(distanceM) ?? 0);
    return snapPoint(positionM, cornersM, reachM).positionM;
  }

  function onMove(event: PointerEvent): void {
    if (event.buttons !== 0 || hoverRequest !== 0) return;
    const { offsetX, offsetY } = event;
    hoverRequest = requestAnimationFrame(() => {
      hoverRequest = 0;
      const met = viewer.value?.pickAt(offsetX, offsetY) ?? null;
      hover(met !== null && 'hit' in met ? met.hit.instanceId : null);
      const isTarget = met !== null && 'picker' in met;
      if (canvas.value !== null) {
        canvas.value.style.cursor = isMeasuring.value ? 'crosshair' : isTarget ? 'pointer' : '';
      }
    });
  }

  /** Walls and ground are too large to light up. */
  function hover(id: number | null): void {
    const model = id === null ? '' : modelNameOf(id);
    store.hovered = id === null || /^(wall|ground):/.test(model) ? null : id;
  }

  function modelNameOf(id: number): string {
    const row = store.table?.instanceId.indexOf(id) ?? -1;
    return store.contents?.models[store.table?.modelId[row] ?? 0]?.name ?? '';
  }

  function onLeave(): void {
    cancelAnimationFrame(hoverRequest);
    hoverRequest = 0;
    store.hovered = null;
  }

  function onDoubleClick(event: MouseEvent): void {
    const met = viewer.value?.pickAt(event.offsetX, event.offsetY) ?? null;
    if (isMeasuring.value || met === null || !('hit' in met)) return;
    viewer.value?.camera.setTarget(met.hit.positionM);
  }

  function onKeyDown(event: KeyboardEvent): void {
    if (takeKey(event) || viewer.value?.camera.keyDown(event) === true) event.preventDefault();
  }

  function onKeyUp(event: KeyboardEvent): void {
    viewer.value?.camera.keyUp(event);
  }

  function onBlur(): void {
    viewer.value?.camera.releaseKeys();
  }
}
