// A page that is loaded again, or a panel that is opened again, shows the scene from where it was seen before.
import { onBeforeUnmount, onMounted, watch, type ShallowRef } from 'vue';
import { Vector3 } from 'three';
import { keepView, keptView } from '#renderer/stores/scene/savedScene.ts';
import { useScene } from '#renderer/stores/scene/scene.ts';
import type { SceneViewer } from '#renderer/viewer/scene/sceneViewerTypes.ts';
import type { SceneSettings } from './useSceneSettings.ts';

export function useKeptView(
  viewer: Readonly<ShallowRef<SceneViewer | null>>,
  { cameraMode }: SceneSettings,
): void {
  const scene = useScene();
  /** Of the page before this one; gone once another scene is shown. */
  let kept = keptView();

  watch(viewer, (made) =>
    made?.onScene(() => {
      const view = kept;
      kept = null;
      if (view === null || view.scenario !== scene.scenario) return;
      made.camera.setMode(view.mode);
      cameraMode.value = view.mode;
      made.camera.look(new Vector3(...view.eyeM), new Vector3(...view.targetM));
    }),
  );
  onMounted(() => addEventListener('pagehide', put));
  onBeforeUnmount(() => {
    removeEventListener('pagehide', put);
    put();
  });

  function put(): void {
    const made = viewer.value;
    if (made === null || scene.scenario === null || scene.contents === null) return;
    const { eyeM, targetM } = made.camera.view();
    keepView({
      ...{ scenario: scene.scenario, mode: cameraMode.value },
      ...{ eyeM: eyeM.toArray(), targetM: targetM.toArray() },
    });
  }
}
