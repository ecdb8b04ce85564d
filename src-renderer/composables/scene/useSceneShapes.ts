// Shapes of the scenario on the ground of the view: those of the selected parts with handles, the others as lines while
// they are switched on. A drag is one step of the document.
import { computed, onBeforeUnmount, watch, type ComputedRef, type ShallowRef } from 'vue';
import type { DocumentEdit } from '#contract/host/documentMethods.ts';
import { formatPath } from '#contract/documents/problems.ts';
import type { PointM } from '#renderer/logic/scene/measuring.ts';
import type { NameLabel } from '#renderer/logic/scene/nameLabels.ts';
import {
  groundShapes,
  type GroundShape,
  type PlaceM,
} from '#renderer/logic/sceneEdit/groundShapes.ts';
import { partAt } from '#renderer/logic/sceneEdit/sceneParts.ts';
import {
  changedPoints,
  outlineOf,
  shapeEdits,
  type ShapeChange,
} from '#renderer/logic/sceneEdit/shapeEdits.ts';
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
  /** Shapes with handles that the common handles of several parts carry along; no object is their part. */
  carried: ComputedRef<readonly GroundShape[]>;
  /** Draws those with a change; null: as they are in the document. */
  preview: (change: ShapeChange | null) => void;
  /** The edits that write a change. */
  editsOf: (shape: GroundShape, change: ShapeChange) => DocumentEdit[];
  /** On the ground that is drawn. */
  onGround: (placeM: PlaceM) => PointM;
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
  const carried = computed(() => {
    if (edit.selectedPaths.length < 2) return [];
    return active.value.filter(({ part, tile }) => {
      const kind = partAt(part)?.kind;
      return tile === null && kind !== 'instance' && kind !== 'wall' && kind !== 'ground';
    });
  });

  watch(viewer, (made) =>
    made?.shapes.setEvents({
      changed: (shape, change) => void put(shape, change),
      held: (point) => (held.point = point),
      picked: ({ part }) => edit.select(part),
    }),
  );
  watch([viewer, shapes, active, () => held.point], () => show());
  watch([viewer, isFree], () => viewer.value?.shapes.setEnabled(isFree()));
  watch(viewer, (made) => made?.shapes.setColours(shapeColours()));
  onBeforeUnmount(() => viewer.value?.shapes.show([], null));
  return {
    labels: computed(() => shapes.value.flatMap(labelsOf)),
    active,
    carried,
    preview: show,
    editsOf,
    onGround,
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

  function show(change: ShapeChange | null = null): void {
    const changed = new Set(change === null ? [] : carried.value);
    const all = shapes.value.map((shape) => {
      const isChanged = change !== null && changed.has(shape);
      const now = isChanged ? { ...shape, pointsM: changedPoints(shape, change) } : shape;
      return { shape: now, isActive: isChosen(shape) };
    });
    viewer.value?.shapes.show(all, held.point);
  }

  function editsOf(shape: GroundShape, change: ShapeChange): DocumentEdit[] {
    return shapeEdits(edit.data, shape, change, groundM);
  }

  async function put(shape: GroundShape, change: ShapeChange): Promise<void> {
    const edits = editsOf(shape, change);
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
