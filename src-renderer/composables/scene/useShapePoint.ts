// The selected point of a shape on the ground: chosen, moved and removed by keys.
import { computed, watch, type ShallowRef } from 'vue';
import type { GroundShape, PlaceM } from '#renderer/logic/sceneEdit/groundShapes.ts';
import { stepOnGround } from '#renderer/logic/sceneEdit/groundSteps.ts';
import { removalEdits } from '#renderer/logic/sceneEdit/shapeEdits.ts';
import { useCommands } from '#renderer/stores/frame/commands.ts';
import { useHeldPoint } from '#renderer/stores/scene/heldPoint.ts';
import { useSceneEdit } from '#renderer/stores/scene/sceneEdit.ts';
import type { SceneViewer } from '#renderer/viewer/scene/sceneViewerTypes.ts';
import { usePanel } from '../frame/usePanel.ts';
import type { SceneShapes } from './useSceneShapes.ts';

const stepM = 0.1;
const longStepM = 1;
const arrows: Record<string, readonly [right: number, up: number]> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, 1],
  ArrowDown: [0, -1],
};

export interface ShapePointKeys {
  /** Deselects the point; false where none is selected. */
  leave: () => boolean;
  /** A key over the view; true where it moved the point. */
  keyDown: (event: KeyboardEvent) => boolean;
}

/** `isFree`: the view has no other tool. */
export function useShapePoint(
  canvas: Readonly<ShallowRef<HTMLCanvasElement | null>>,
  viewer: Readonly<ShallowRef<SceneViewer | null>>,
  { active, put }: SceneShapes,
  isFree: () => boolean,
): ShapePointKeys {
  const edit = useSceneEdit();
  const held = useHeldPoint();
  const { isShown, isActive } = usePanel();
  /** Where keys have moved the point, while the document is not there yet. */
  let nudgedM: PlaceM | null = null;
  const isHere = (): boolean => isShown.value && isActive.value && isFree();
  const hasPoints = computed(() => active.value.length > 0);

  watch(
    () => held.point,
    () => (nudgedM = null),
  );
  watch(active, () => {
    if (heldShape() === null) held.point = null;
  });
  useCommands([
    {
      id: 'scene.next-point',
      title: 'Select next point of a shape',
      keys: 'V',
      when: () => isHere() && hasPoints.value,
      run: () => holdNext(1),
    },
    {
      id: 'scene.previous-point',
      title: 'Select previous point of a shape',
      keys: 'Shift+V',
      when: () => isHere() && hasPoints.value,
      run: () => holdNext(-1),
    },
    {
      id: 'scene.remove-point',
      title: 'Remove selected point',
      keys: ['Delete', 'Backspace'],
      when: () => isHere() && held.point !== null,
      run: remove,
    },
  ]);
  return {
    leave() {
      const isHeld = held.point !== null;
      held.point = null;
      return isHeld;
    },
    keyDown({ code, shiftKey, ctrlKey, altKey, metaKey }) {
      const arrow = arrows[code];
      if (arrow === undefined || held.point === null || ctrlKey || altKey || metaKey) return false;
      nudge(...arrow, shiftKey ? longStepM : stepM);
      return true;
    },
  };

  function heldShape(): { shape: GroundShape; index: number; atM: PlaceM } | null {
    const { point } = held;
    const shape = active.value.find(({ key }) => key === point?.key);
    const atM = shape?.pointsM[point?.index ?? -1];
    if (point === null || shape === undefined || atM === undefined) return null;
    return { shape, index: point.index, atM };
  }

  async function remove(): Promise<void> {
    const point = heldShape();
    const edits = point === null ? null : removalEdits(point.shape, point.index);
    if (point === null || edits === null) return;
    const verb = point.shape.layout.kind === 'circle' ? 'Remove' : 'Remove point of';
    if (await edit.apply(edits, `${verb} ${point.shape.label}`)) held.point = null;
  }

  function nudge(right: number, up: number, byM: number): void {
    const point = heldShape();
    const forward = viewer.value?.pose().forward;
    if (point === null || forward === undefined) return;
    const [x, y] = nudgedM ?? point.atM;
    const [dx, dy] = stepOnGround(forward, right, up, byM);
    const toM: PlaceM = [x + dx, y + dy];
    nudgedM = toM;
    void put(point.shape, { kind: 'point', index: point.index, toM }).then(() => {
      if (nudgedM === toM) nudgedM = null;
    });
  }

  /** Round all points of the shapes that have handles. */
  function holdNext(step: 1 | -1): void {
    const { point } = held;
    const all = active.value.flatMap(({ key, pointsM }) =>
      pointsM.map((_, index) => ({ key, index })),
    );
    const now = all.findIndex(({ key, index }) => key === point?.key && index === point.index);
    const first = step === 1 ? -1 : 0;
    held.point = all.at(((now === -1 ? first : now) + step) % all.length) ?? null;
    canvas.value?.focus({ preventScroll: true });
  }
}
