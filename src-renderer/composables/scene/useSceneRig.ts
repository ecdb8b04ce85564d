// The vehicle with its mounts in the view of a scene, while a sensor, the vehicle or the mission is selected.
import { computed, onBeforeUnmount, watch, type ComputedRef, type Ref, type ShallowRef } from 'vue';
import { themeColours } from '#renderer/browser/themeColour.ts';
import { rigOf } from '#renderer/logic/sceneEdit/rigOf.ts';
import { useScene } from '#renderer/stores/scene/scene.ts';
import { useSceneEdit } from '#renderer/stores/scene/sceneEdit.ts';
import { createRigMarks } from '#renderer/viewer/scans/rigMarks.ts';
import type { SceneViewer } from '#renderer/viewer/scene/sceneViewerTypes.ts';
import type { Theme } from '#renderer/logic/viewer/viewSettings.ts';

/** Returns whether it is drawn. */
export function useSceneRig(
  viewer: Readonly<ShallowRef<SceneViewer | null>>,
  theme: Readonly<Ref<Theme>>,
): ComputedRef<boolean> {
  const scene = useScene();
  const edit = useSceneEdit();
  const marks = createRigMarks();
  const isShown = computed(() => {
    const [first] = edit.selectedPath ?? [];
    const isOfRig = first === 'sensors' || first === 'vehicle' || first === 'mission';
    return isOfRig && scene.contents !== null && edit.document === scene.scenario;
  });
  watch(viewer, (made) => {
    made?.overlay('rig').add(marks.object);
    made?.onScene(show);
  });
  watch([viewer, isShown, () => edit.data], show);
  watch([viewer, theme], setColours, { flush: 'post' });
  onBeforeUnmount(marks.dispose);
  return isShown;

  function show(): void {
    const made = viewer.value;
    if (made === null) return;
    if (isShown.value) {
      const rig = rigOf(edit.data);
      marks.show(rig, made.groundAt(rig.placeM));
    }
    marks.object.visible = isShown.value;
    made.invalidate();
  }

  function setColours(): void {
    const named = themeColours();
    marks.setColours({ hull: named('--view-vehicle'), sensors: named('--accent') });
    viewer.value?.invalidate();
  }
}
