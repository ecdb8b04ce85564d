// Shapes of the scenario on the ground of the view: those of the selected parts with handles, the others as lines while
// they are switched on. A drag is one step of the document.
import { computed, onBeforeUnmount, watch, type ComputedRef, type ShallowRef } from 'vue';
import { formatPath } from '#contract/documents/problems.ts';
import type { PointM } from '#renderer/logic/scene/measuring.ts';
import type { NameLabel } from '#renderer/logic/scene/nameLabels.ts';
import {
  groundShapes,
  type GroundShape,
  type PlaceM,
} from '#renderer/logic/sceneEdit/groundShapes.ts';
import { outlineOf, shapeEdits, type ShapeChange } from '#renderer/logic/sceneEdit/shapeEdits.ts';
import { useHeldPoint } from '#renderer/stores/scene/heldPoint.ts';
import { usePartStates } from '#renderer/stores/scene/partStates.ts';
import { useScene } from '#renderer/stores/scene/scene.ts';
import { useSceneEdit } from '#renderer/stores/scene/sceneEdit.ts';
import type { SceneViewer } from '#renderer/viewer/scene/sceneViewerTypes.ts';
import { shapeColours } from './shapeColours.ts';

export interface SceneShapes {
  labels: ComputedRef<NameLabel[]>;
  /** With handles. */
  active: ComputedRef<readonly GroundShape[]>;
  /** Places of the shapes that have handles. */
  placesM: () => PointM[];
  /** Writes a change of a shape into the document. */
  put: (shape: GroundShape, change: ShapeChange) => Promise<void>;
}

/** Above handles. */
const handlePx = 9;
const verbs = { point: 'Move point of', insert: 'Add point to', move: 'Move' } as const;

/** `isFree`: the pointer is for selecting and dragging, not for another tool. */
export function useSceneShapes(
  viewer: Readonly<ShallowRef<SceneViewer | null>>,
  shown: { areas: boolean },
  isFree: () => boolean,
): SceneShapes {
  const scene = useScene();
  const edit = useSceneEdit();
  const held = useHeldPoint();
  const states = usePartStates();
  const chosen = computed(() => new Set(edit.selectedPaths.map(formatPath)));
  const isChosen = ({ part }: GroundShape): boolean =>
    chosen.value.has(formatPath(part)) && !states.isLocked(part);
  const shapes = computed(() => {
    if (scene.contents === null || edit.document !== scene.scenario) return [];
    return groundShapes(
      edit.data,
      (part, isInOverview) =>
        (chosen.value.has(formatPath(part)) || (shown.areas && isInOverview)) &&
        !states.isHidden(part),
    ).filter(({ isDrawnOtherwise }) => !isDrawnOtherwise);
  });
  const active = computed(() => shapes.value.filter(isChosen));

  watch(viewer, (made) =>
    made?.shapes.setEvents({
      changed: (shape, change) => void put(shape, change),
      held: (point) => (held.point = point),
      picked: ({ part }) => edit.select(part),
    }),
  );
  watch([viewer, shapes, active, () => held.point], show);
  watch([viewer, isFree], () => viewer.value?.shapes.setEnabled(isFree()));
  watch(viewer, (made) => made?.shapes.setColours(shapeColours()));
  onBeforeUnmount(() => viewer.value?.shapes.show([], null));
  return {
    labels: computed(() => shapes.value.flatMap(labelsOf)),
    active,
    placesM: () =>
      active.value.flatMap((shape) => {
        const edge = outlineOf(shape);
        return (edge.length > 0 ? edge : shape.pointsM).map(onGround);
      }),
    put,
  };

  function groundM(placeM: PlaceM): number {
    return viewer.value?.groundAt(placeM) ?? 0;
  }

  function onGround(placeM: PlaceM): PointM {
    return [...placeM, groundM(placeM)];
  }

  function show(): void {
    const all = shapes.value.map((shape) => ({ shape, isActive: isChosen(shape) }));
    viewer.value?.shapes.show(all, held.point);
  }

  async function put(shape: GroundShape, change: ShapeChange): Promise<void> {
    const edits = shapeEdits(edit.data, shape, change, groundM);
    const label = `${verbs[change.kind]} ${shape.label}`;
    // Why shown again: the view has drawn what was refused.
    if (edits.length === 0 || !(await edit.apply(edits, label))) show();
  }

  function labelsOf(shape: GroundShape): NameLabel[] {
    const liftPx = isChosen(shape) ? handlePx : 0;
    return shape.pointNames.slice(0, shape.pointsM.length).map((text, index) => {
      const positionM = onGround(shape.pointsM[index] ?? [0, 0]);
      return { text, kind: 'name', isFirst: true, positionM, liftPx };
    });
  }
}
