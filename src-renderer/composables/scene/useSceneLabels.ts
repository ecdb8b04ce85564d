// Names over the view of a scene, and the marks of what is selected and under the pointer.
import { watch, type ComputedRef, type ShallowRef } from 'vue';
import { nameLabels, type NameLabel } from '#renderer/logic/scene/nameLabels.ts';
import { useMotionTime } from '#renderer/stores/scene/motionTime.ts';
import { useScene } from '#renderer/stores/scene/scene.ts';
import type { SceneViewer } from '#renderer/viewer/scene/sceneViewerTypes.ts';

/** `others`: names of shapes on the ground. */
export function useSceneLabels(
  viewer: Readonly<ShallowRef<SceneViewer | null>>,
  others: ComputedRef<readonly NameLabel[]>,
): void {
  const scene = useScene();
  const motion = useMotionTime();

  watch([viewer, () => scene.selection, () => scene.hovered, () => scene.table], () =>
    viewer.value?.setMarks(scene.selection, scene.hovered),
  );
  watch(
    [viewer, () => [scene.contents, scene.selection, scene.table, motion.timeS], others],
    () => {
      const { contents, table, selected } = scene;
      const isThere = contents !== null && table !== null;
      const names = isThere ? nameLabels(contents, table, selected) : [];
      viewer.value?.setNames([...names, ...others.value]);
    },
  );
}
