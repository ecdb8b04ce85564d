// Moves, turns and scales what is selected by handles in the view, several objects together, with the shapes on the ground
// of other selected parts. They move at once; when they are released the scenario's text is changed in one step, and the
// host builds the scene again.
import { watch, type Ref, type ShallowRef } from 'vue';
import type { DocumentEdit } from '#contract/host/documentMethods.ts';
import { placingFrameAt } from '#domain/shared/motion/laws.ts';
import { lawOfInstance } from '#renderer/logic/scene/movingRows.ts';
import { poseEdits } from '#renderer/logic/sceneEdit/gizmoEdits.ts';
import { formatPath } from '#contract/documents/problems.ts';
import { middleOf } from '#renderer/logic/sceneEdit/shapeEdits.ts';
import { carriedChange, carriedPose, groupPivot } from '#renderer/logic/sceneEdit/groupPose.ts';
import type { SceneObject } from '#renderer/logic/scene/sceneObjects.ts';
import { useMotionTime } from '#renderer/stores/scene/motionTime.ts';
import { usePartStates } from '#renderer/stores/scene/partStates.ts';
import { useScene } from '#renderer/stores/scene/scene.ts';
import { useSceneEdit } from '#renderer/stores/scene/sceneEdit.ts';
import type { GizmoMode, GizmoPose } from '#renderer/viewer/scene/gizmo.ts';
import type { SceneViewer } from '#renderer/viewer/scene/sceneViewerTypes.ts';
import type { SceneShapes } from './useSceneShapes.ts';

const words = { move: 'Move', turn: 'Turn', scale: 'Scale' } as const;

interface Moved {
  object: SceneObject;
  before: GizmoPose;
}

/** Shows the handles of the selected objects in the scene view; moving them edits the scenario. */
export function useSceneGizmo(
  viewer: Readonly<ShallowRef<SceneViewer | null>>,
  objects: Readonly<Ref<readonly SceneObject[]>>,
  mode: Readonly<Ref<GizmoMode | 'none'>>,
  hasAllAxes: Readonly<Ref<boolean>>,
  shapes: SceneShapes,
): void {
  const edit = useSceneEdit();
  const scene = useScene();
  const motion = useMotionTime();
  const states = usePartStates();
  /** Whose handles are out: others' (of a sensor, say) are left alone. */
  let isAttached = false;

  watch(viewer, (made) => made?.onScene(attach));
  const ids = (): string => objects.value.map(({ id }) => id).join(' ');
  watch([viewer, ids, mode, hasAllAxes, () => motion.timeS, () => states.states], attach);
  watch(shapes.carried, attach);

  function attach(): void {
    const made = viewer.value;
    const group = made === null ? [] : movable(made);
    const all = shapePlaces(shapes);
    // Why: a part that is alone has handles of its own on the ground.
    const places = group.length + all.length > 1 ? all : [];
    const pivot = groupPivot([...group.map(({ before }) => before), ...places]);
    if (made === null || pivot === null || mode.value === 'none') {
      if (isAttached) made?.attachGizmo(null);
      isAttached = false;
      return;
    }
    const isUpright = places.length > 0 || group.some(({ object }) => object.kind === 'wall');
    made.setGizmoMode(mode.value, hasAllAxes.value && !isUpright);
    isAttached = true;
    made.attachGizmo({
      pose: pivot,
      onChange: (now) => {
        motion.pause();
        for (const { object, before } of group) {
          made.moveInstance(object.id, carriedPose(before, pivot, now));
        }
        if (places.length > 0) shapes.preview(carriedChange(pivot, now));
      },
      onEnd: (now) => void write(made, group, places.length, pivot, now),
    });
  }

  function movable(made: SceneViewer): Moved[] {
    return objects.value.flatMap((object) => {
      const list = object.kind === 'wall' ? 'walls' : 'instances';
      const isLocked = states.states.locked.includes(`${list} ${object.name}`);
      const isMovable =
        !isLocked &&
        (object.kind === 'placed' || (object.kind === 'wall' && mode.value !== 'scale'));
      const before = isMovable ? made.poseOf(object.id) : null;
      return before === null ? [] : [{ object, before }];
    });
  }

  /** `carriedParts`: other parts whose shapes go along. */
  async function write(
    made: SceneViewer,
    group: readonly Moved[],
    carriedParts: number,
    pivot: GizmoPose,
    now: GizmoPose,
  ): Promise<void> {
    const edits = [
      ...group.flatMap((one) => editsOf(one, carriedPose(one.before, pivot, now))),
      ...(carriedParts > 0 ? shapes.carried.value : []).flatMap((shape) =>
        shapes.editsOf(shape, carriedChange(pivot, now)),
      ),
    ];
    const verb = mode.value === 'none' ? words.move : words[mode.value];
    const [first] = group;
    const count = group.length + carriedParts;
    const many = carriedParts > 0 ? `${count} parts` : `${count} objects`;
    const what = count > 1 ? many : (first?.object.name ?? '');
    if (edits.length > 0 && (await edit.apply(edits, `${verb} ${what}`))) return;
    for (const { object, before } of group) made.moveInstance(object.id, before);
    shapes.preview(null);
    attach();
  }

  function editsOf(
    { object: { id, name: called }, before }: Moved,
    after: GizmoPose,
  ): DocumentEdit[] {
    const law = scene.contents === null ? null : lawOfInstance(scene.contents, id);
    const document = edit.value;
    if (document === null) return [];
    const name = document.scene.instances.find((one) => one.name === called)?.motion ?? '';
    const frame = law === null ? null : placingFrameAt(document.scene, { name, law }, motion.timeS);
    return poseEdits(document, called, before, after, frame) ?? [];
  }
}

/** The middle of the shapes of each part that the handles carry along, as a level pose. */
export function shapePlaces({ carried, onGround }: SceneShapes): GizmoPose[] {
  const parts = Map.groupBy(carried.value, ({ part }) => formatPath(part));
  return [...parts.values()].map((shapes): GizmoPose => {
    const middleM = middleOf(shapes.flatMap(({ pointsM }) => pointsM));
    return { positionM: [...onGround(middleM)], rotation: [0, 0, 0, 1], scale: 1 };
  });
}
