// Cameras that move together: where one is moved, the others take the same direction.
import { ref, watch, type Ref } from 'vue';
import type { ClipTool } from '#renderer/viewer/engine/clip/clipTool.ts';
import type { RunViewer } from '#renderer/viewer/run/runViewer.ts';

export interface CameraLink {
  isLinked: Ref<boolean>;
  /** Returns what takes the viewer out again. */
  join(viewer: RunViewer): () => void;
  /** Brings the runs into sight. */
  frame(): void;
  /** The clip tools of the views that joined. */
  clips: () => (ClipTool | null)[];
}

/** Links the cameras of several views: each follows the one that was moved last. */
export function useCameraLink(): CameraLink {
  const isLinked = ref(true);
  const viewers: RunViewer[] = [];
  watch(isLinked, (is) => is && viewers[0] !== undefined && follow(viewers[0]));

  return {
    isLinked,
    join(viewer) {
      viewers.push(viewer);
      viewer.onCameraMoved(() => isLinked.value && follow(viewer));
      return () => {
        const at = viewers.indexOf(viewer);
        if (at !== -1) viewers.splice(at, 1);
      };
    },
    clips: () => viewers.map(({ clip }) => clip),
    frame() {
      for (const viewer of viewers) viewer.frame();
      if (isLinked.value && viewers[0] !== undefined) follow(viewers[0]);
    },
  };

  function follow(leader: RunViewer): void {
    const view = leader.cameraView();
    for (const viewer of viewers) if (viewer !== leader) viewer.setCameraView(view);
  }
}
