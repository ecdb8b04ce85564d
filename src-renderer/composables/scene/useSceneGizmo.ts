// Moves, turns and scales what is selected by handles in the view. It moves at once; when it is released the
// scenario's text is changed, and the host builds the scene again.
import { watch, type Ref, type ShallowRef } from 'vue';
import { placingFrameAt } from '#domain/shared/motion/laws.ts';
import { lawOfInstance } from '#renderer/logic/scene/movingRows.ts';
import { poseEdits } from '#renderer/logic/sceneEdit/gizmoEdits.ts';
import type { SceneObject } from '#renderer/logic/scene/sceneObjects.ts';
import { useMotionTime } from '#renderer/stores/scene/motionTime.ts';
import { useScene } from '#renderer/stores/scene/scene.ts';
import { useSceneEdit } from '#renderer/stores/scene/sceneEdit.ts';
import type { GizmoMode, GizmoPose } from '#renderer/viewer/scene/gizmo.ts';
import type { SceneViewer } from '#renderer/viewer/scene/sceneViewerTypes.ts';

const words = { move: 'Move', turn: 'Turn', scale: 'Scale' } as const;

/** Shows the handles of the selected part in the scene view; moving them edits the scenario. */
export function useSceneGizmo(
  viewer: Readonly<ShallowRef<SceneViewer | null>>,
  object: Readonly<Ref<SceneObject | null>>,
  mode: Readonly<Ref<GizmoMode | 'none'>>,
  hasAllAxes: Readonly<Ref<boolean>>,
): void {
  const edit = useSceneEdit();
  const scene = useScene();
  const motion = useMotionTime();
  /** Whose handles are out: others' (of a sensor, say) are left alone. */
  let isAttached = false;

  watch(viewer, (made) => made?.onScene(attach));
  watch([viewer, () => object.value?.id, mode, hasAllAxes, () => motion.timeS], attach);

  function attach(): void {
    const made = viewer.value;
    const moved = object.value;
    const pose = moved === null ? null : (made?.poseOf(moved.id) ?? null);
    const isMovable =
      moved?.kind === 'placed' || (moved?.kind === 'wall' && mode.value !== 'scale');
    if (made === null || moved === null || pose === null || mode.value === 'none' || !isMovable) {
      if (isAttached) made?.attachGizmo(null);
      isAttached = false;
      return;
    }
    made.setGizmoMode(mode.value, hasAllAxes.value && moved.kind === 'placed');
    isAttached = true;
    made.attachGizmo({
      pose,
      onChange: (now) => {
        motion.pause();
        made.moveInstance(moved.id, now);
      },
      onEnd: (after, before) => void put(made, moved, after, before),
    });
  }

  async function put(
    made: SceneViewer,
    moved: SceneObject,
    after: GizmoPose,
    before: GizmoPose,
  ): Promise<void> {
    const law = scene.contents === null ? null : lawOfInstance(scene.contents, moved.id);
    const document = edit.value;
    const name = document?.scene.instances.find((one) => one.name === moved.name)?.motion ?? '';
    const frame =
      law === null ? null : placingFrameAt(document?.scene ?? {}, { name, law }, motion.timeS);
    const edits = document === null ? null : poseEdits(document, moved.name, before, after, frame);
    const verb = mode.value === 'none' ? words.move : words[mode.value];
    const isDone =
      edits !== null && edits.length > 0 && (await edit.apply(edits, `${verb} ${moved.name}`));
    if (isDone) return;
    made.moveInstance(moved.id, before);
    attach();
  }
}
