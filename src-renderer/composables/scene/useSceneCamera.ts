// Where the camera of a scene is, and the statistics of its last frame: after each frame.
import { shallowRef, watch, type ShallowRef } from 'vue';
import type { CameraPose } from '#renderer/viewer/engine/camera/viewSpace.ts';
import type { SceneStatistics, SceneViewer } from '#renderer/viewer/scene/sceneViewerTypes.ts';

/** Camera pose and statistics of the scene view after each frame. Within a set-up. */
export function useSceneCamera(viewer: Readonly<ShallowRef<SceneViewer | null>>): {
  pose: Readonly<ShallowRef<CameraPose>>;
  statistics: Readonly<ShallowRef<SceneStatistics | null>>;
} {
  const pose = shallowRef<CameraPose>({ positionM: [0, 0, 0], forward: [1, 0, 0], axes: [] });
  const statistics = shallowRef<SceneStatistics | null>(null);
  watch(viewer, (made) => {
    made?.onFrame(() => {
      statistics.value = made.statistics();
      pose.value = made.pose();
    });
  });
  return { pose, statistics };
}
