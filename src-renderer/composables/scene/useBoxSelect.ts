// A rectangle that is drawn over the view of a scene selects the objects in it; with Shift they are added.
import { onBeforeUnmount, onMounted, reactive, ref, watch, type Ref, type ShallowRef } from 'vue';
import { objectsInBox } from '#renderer/logic/scene/objectsInBox.ts';
import { partOfKey } from '#renderer/logic/sceneEdit/partStates.ts';
import { useCommands } from '#renderer/stores/frame/commands.ts';
import { usePartStates } from '#renderer/stores/scene/partStates.ts';
import { useScene } from '#renderer/stores/scene/scene.ts';
import type { SceneViewer } from '#renderer/viewer/scene/sceneViewerTypes.ts';
import { usePanel } from '../frame/usePanel.ts';

interface Rectangle {
  fromX: number;
  fromY: number;
  toX: number;
  toY: number;
}

export interface BoxSelect {
  isOn: Ref<boolean>;
  /** In CSS pixels of the view, while it is drawn. */
  rectangle: Partial<Rectangle>;
  /** Ends it; false where it is off. */
  leave: () => boolean;
}

export function useBoxSelect(
  canvas: Readonly<ShallowRef<HTMLCanvasElement | null>>,
  viewer: Readonly<ShallowRef<SceneViewer | null>>,
): BoxSelect {
  const scene = useScene();
  const states = usePartStates();
  const { isShown, isActive } = usePanel();
  const isOn = ref(false);
  const rectangle = reactive<Partial<Rectangle>>({});
  const listening = new AbortController();

  useCommands([
    {
      id: 'scene.box-select',
      title: 'Select objects in a rectangle',
      keys: 'T',
      when: () => isShown.value && isActive.value && scene.contents !== null,
      run: () => (isOn.value = !isOn.value),
    },
  ]);
  watch(isOn, (now) => {
    clear();
    if (canvas.value !== null) canvas.value.style.cursor = now ? 'crosshair' : '';
  });
  onMounted(() => {
    // Why captured: the camera and what selects by clicks listen on the canvas, too.
    const options = { capture: true, signal: listening.signal };
    canvas.value?.addEventListener('pointerdown', onDown, options);
    canvas.value?.addEventListener('pointermove', onMove, options);
    canvas.value?.addEventListener('pointerup', onUp, options);
  });
  onBeforeUnmount(() => listening.abort());
  return {
    isOn,
    rectangle,
    leave() {
      const wasOn = isOn.value;
      isOn.value = false;
      return wasOn;
    },
  };

  function clear(): void {
    if (rectangle.fromX !== undefined) viewer.value?.camera.setEnabled(true);
    Object.assign(rectangle, {
      fromX: undefined,
      fromY: undefined,
      toX: undefined,
      toY: undefined,
    });
  }

  function onDown(event: PointerEvent): void {
    if (!isOn.value || event.button !== 0) return;
    event.stopImmediatePropagation();
    canvas.value?.focus({ preventScroll: true });
    canvas.value?.setPointerCapture(event.pointerId);
    viewer.value?.camera.setEnabled(false);
    const { offsetX, offsetY } = event;
    Object.assign(rectangle, { fromX: offsetX, fromY: offsetY, toX: offsetX, toY: offsetY });
  }

  function onMove(event: PointerEvent): void {
    if (rectangle.fromX === undefined) return;
    event.stopImmediatePropagation();
    Object.assign(rectangle, { toX: event.offsetX, toY: event.offsetY });
  }

  function onUp(event: PointerEvent): void {
    const { fromX, fromY, toX, toY } = rectangle;
    if (fromX === undefined || fromY === undefined || toX === undefined || toY === undefined)
      return;
    event.stopImmediatePropagation();
    const { contents, table } = scene;
    const { clientWidth = 1, clientHeight = 1 } = canvas.value ?? {};
    const made = viewer.value;
    clear();
    isOn.value = false;
    if (contents === null || table === null || made === null) return;
    const [left, right] = [Math.min(fromX, toX), Math.max(fromX, toX)];
    const [top, bottom] = [Math.min(fromY, toY), Math.max(fromY, toY)];
    const box = {
      minX: (2 * left) / clientWidth - 1,
      maxX: (2 * right) / clientWidth - 1,
      minY: 1 - (2 * bottom) / clientHeight,
      maxY: 1 - (2 * top) / clientHeight,
    };
    const masked = [...states.states.hidden, ...states.states.locked].map(partOfKey);
    const isFree = (id: number): boolean => {
      const name = contents.placed.find((one) => one.id === id)?.name;
      return !masked.some((one) => one.name === name);
    };
    const found = objectsInBox(contents, table, box, (placeM) => made.onScreen(placeM)).filter(
      isFree,
    );
    scene.select(event.shiftKey ? [...new Set([...scene.selection, ...found])] : found);
  }
}
