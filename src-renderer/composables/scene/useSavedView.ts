// A page that is loaded again, or a panel that is opened again, shows the scene from where it was seen before.
import { onBeforeUnmount, onMounted, watch, type ShallowRef } from 'vue';
import { saveView, savedView } from '#renderer/stores/scene/savedScene.ts';
import { useScene } from '#renderer/stores/scene/scene.ts';
import type { SceneViewer } from '#renderer/viewer/scene/sceneViewerTypes.ts';
import type { SceneSettings } from './useSceneSettings.ts';

/** Restores the camera of the page before a reload once, and saves it as it changes. */
export function useSavedView(
  viewer: Readonly<ShallowRef<SceneViewer | null>>,
  { cameraMode }: SceneSettings,
): void {
  const scene = useScene();
  /** The view of the page before this one; gone once another scene is shown. */
  let saved = savedView();

  watch(viewer, (made) =>
    made?.onScene(() => {
      const view = saved;
      saved = null;
      if (view === null || view.scenario !== scene.scenario) return;
      made.camera.setMode(view.mode);
      cameraMode.value = view.mode;
      made.camera.look(view.positionM, view.targetM);
    }),
  );
  onMounted(() => addEventListener('pagehide', save));
  onBeforeUnmount(() => {
    removeEventListener('pagehide', save);
    save();
  });

  function save(): void {
    const made = viewer.value;
    if (made === null || scene.scenario === null || scene.contents === null) return;
    const { scenario } = scene;
    saveView({ scenario, mode: cameraMode.value, ...made.camera.view() });
  }
}
