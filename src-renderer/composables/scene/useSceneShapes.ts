// Shapes of the scenario on the ground of the view: those of the selected parts with handles, the others as lines while
// they are switched on. A drag is one step of the document; with a point selected, keys move and remove it.
import { storeToRefs } from 'pinia';
import { computed, onBeforeUnmount, watch, type ComputedRef, type Ref, type ShallowRef } from 'vue';
import { formatPath } from '#contract/documents/problems.ts';
import { themeColours } from '#renderer/browser/themeColour.ts';
import type { NameLabel } from '#renderer/logic/scene/nameLabels.ts';
import {
  groundShapes,
  type GroundShape,
  type PlaceM,
} from '#renderer/logic/sceneEdit/groundShapes.ts';
import type { PointM } from '#renderer/logic/scene/measuring.ts';
import {
  outlineOf,
  removalEdits,
  shapeEdits,
  type ShapeChange,
} from '#renderer/logic/sceneEdit/shapeEdits.ts';
import { stepOnGround } from '#renderer/logic/sceneEdit/groundSteps.ts';
import { useCommands } from '#renderer/stores/frame/commands.ts';
import { useHeldPoint } from '#renderer/stores/scene/heldPoint.ts';
import { useScene } from '#renderer/stores/scene/scene.ts';
import { useSceneEdit } from '#renderer/stores/scene/sceneEdit.ts';
import type { SceneViewer } from '#renderer/viewer/scene/sceneViewerTypes.ts';
import type { Theme } from '#renderer/logic/viewer/viewSettings.ts';
import { usePanel } from '../frame/usePanel.ts';

/** Above handles. */
const handlePx = 9;
const stepM = 0.1;
const longStepM = 1;

export interface SceneShapes {
  labels: ComputedRef<NameLabel[]>;
  /** Places of the shapes that have handles. */
  placesM: () => PointM[];
  /** Deselects the point that is selected; false where there is none. */
  leavePoint: () => boolean;
  /** A key over the view; true where it moved the selected point. */
  keyDown: (event: KeyboardEvent) => boolean;
}

const arrows: Record<string, readonly [right: number, up: number]> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, 1],
  ArrowDown: [0, -1],
};

/** `isFree`: the pointer is for selecting and dragging, not for another tool. */
export function useSceneShapes(
  canvas: Readonly<ShallowRef<HTMLCanvasElement | null>>,
  viewer: Readonly<ShallowRef<SceneViewer | null>>,
  shown: { areas: boolean },
  theme: Readonly<Ref<Theme>>,
  isFree: () => boolean,
): SceneShapes {
  const scene = useScene();
  const edit = useSceneEdit();
  const { isShown, isActive } = usePanel();
  const { point: held } = storeToRefs(useHeldPoint());
  const chosen = computed(() => new Set(edit.selectedPaths.map(formatPath)));
  const shapes = computed(() => {
    if (scene.contents === null || edit.document !== scene.scenario) return [];
    return groundShapes(
      edit.data,
      (part, isInOverview) => chosen.value.has(formatPath(part)) || (shown.areas && isInOverview),
    ).filter(({ isDrawnOtherwise }) => !isDrawnOtherwise);
  });
  const active = computed(() =>
    shapes.value.filter(({ part }) => chosen.value.has(formatPath(part))),
  );
  /** The shape of the selected point, with it. */
  const heldShape = computed(() => {
    const { value: point } = held;
    const shape = active.value.find(({ key }) => key === point?.key);
    return point === null || shape?.pointsM[point.index] === undefined ? null : { shape, ...point };
  });
  const hasHandles = computed(() => active.value.length > 0);
  const isPointHeld = computed(() => heldShape.value !== null);

  /** Where keys have moved the point, while the document is not there yet. */
  let nudgedM: PlaceM | null = null;

  watch(viewer, (made) =>
    made?.shapes.setEvents({
      changed: (shape, change) => void put(shape, change),
      held: (point) => (held.value = point),
      picked: ({ part }) => edit.select(part),
    }),
  );
  watch(heldShape, (now) => now === null && (held.value = null));
  watch(held, () => (nudgedM = null));
  watch([viewer, shapes, chosen, held], show);
  watch([viewer, isFree], () => viewer.value?.shapes.setEnabled(isFree()));
  watch([viewer, theme], colour, { flush: 'post' });
  onBeforeUnmount(() => viewer.value?.shapes.show([], null));
  useShapeCommands();
  return {
    labels: computed(() => shapes.value.flatMap((shape) => labelsOf(shape))),
    placesM: () =>
      active.value.flatMap((shape) => {
        const edge = outlineOf(shape);
        return (edge.length > 0 ? edge : shape.pointsM).map(onGround);
      }),
    leavePoint() {
      const { value: point } = held;
      held.value = null;
      return point !== null;
    },
    keyDown(event) {
      const arrow = arrows[event.code];
      if (arrow === undefined || !isPointHeld.value || event.ctrlKey || event.altKey) return false;
      nudge(...arrow, event.shiftKey);
      return true;
    },
  };

  function onGround(placeM: PlaceM): PointM {
    return [...placeM, viewer.value?.groundAt(placeM) ?? 0];
  }

  function show(): void {
    viewer.value?.shapes.show(
      shapes.value.map((shape) => ({ shape, isActive: chosen.value.has(formatPath(shape.part)) })),
      held.value,
    );
  }

  async function put(shape: GroundShape, change: ShapeChange): Promise<void> {
    const groundM = (placeM: PlaceM): number => viewer.value?.groundAt(placeM) ?? 0;
    const edits = shapeEdits(edit.data, shape, change, groundM);
    const verb = {
      point: 'Move point of',
      insert: 'Add point to',
      remove: 'Remove point of',
      move: 'Move',
    };
    const isDone =
      edits.length > 0 && (await edit.apply(edits, `${verb[change.kind]} ${shape.label}`));
    // Why: the view has drawn what was refused.
    if (!isDone) show();
  }

  async function removePoint(): Promise<void> {
    const { value: point } = heldShape;
    if (point === null) return;
    const edits = removalEdits(point.shape, point.index);
    if (edits === null) return;
    const verb = point.shape.layout.kind === 'circle' ? 'Remove' : 'Remove point of';
    if (await edit.apply(edits, `${verb} ${point.shape.label}`)) held.value = null;
  }

  function nudge(right: number, up: number, isLong: boolean): void {
    const { value: point } = heldShape;
    const forward = viewer.value?.pose().forward;
    const at = nudgedM ?? point?.shape.pointsM[point.index];
    if (point === null || at === undefined || forward === undefined) return;
    const byM = stepOnGround(forward, right, up, isLong ? longStepM : stepM);
    const toM: PlaceM = [at[0] + byM[0], at[1] + byM[1]];
    nudgedM = toM;
    void put(point.shape, { kind: 'point', index: point.index, toM }).then(() => {
      if (nudgedM === toM) nudgedM = null;
    });
  }

  /** Round all points of the shapes that have handles. */
  function holdNext(step: 1 | -1): void {
    const all = active.value.flatMap(({ key, pointsM }) =>
      pointsM.map((_, index) => ({ key, index })),
    );
    const now = all.findIndex(
      ({ key, index }) => key === held.value?.key && index === held.value.index,
    );
    const next =
      now === -1 ? (step === 1 ? 0 : all.length - 1) : (now + step + all.length) % all.length;
    held.value = all[next] ?? null;
    canvas.value?.focus({ preventScroll: true });
  }

  function useShapeCommands(): void {
    const isHere = (): boolean => isShown.value && isActive.value && isFree();
    const isHeld = (): boolean => isHere() && isPointHeld.value;
    const next = { title: 'Select next point of a shape', keys: 'V' };
    const previous = { title: 'Select previous point of a shape', keys: 'Shift+V' };
    useCommands([
      {
        id: 'scene.next-point',
        ...next,
        when: () => isHere() && hasHandles.value,
        run: () => holdNext(1),
      },
      {
        id: 'scene.previous-point',
        ...previous,
        when: () => isHere() && hasHandles.value,
        run: () => holdNext(-1),
      },
      {
        id: 'scene.remove-point',
        title: 'Remove selected point',
        keys: ['Delete', 'Backspace'],
        when: isHeld,
        run: removePoint,
      },
    ]);
  }

  function colour(): void {
    const named = themeColours();
    viewer.value?.shapes.setColours({
      area: named('--accent'),
      clear: named('--warning'),
      route: named('--info'),
      ring: named('--panel'),
      held: named('--text'),
    });
  }

  function labelsOf({ key, pointNames, pointsM }: GroundShape): NameLabel[] {
    const isActive = active.value.some((one) => one.key === key);
    return pointNames.slice(0, pointsM.length).map((text, index) => {
      const positionM = onGround(pointsM[index] ?? [0, 0]);
      return { text, kind: 'name', isFirst: true, positionM, liftPx: isActive ? handlePx : 0 };
    });
  }
}
