// The docks beside the view of a scene open once their panels have something to show.
import { watch } from 'vue';
import { useDocks } from '#renderer/stores/frame/docks.ts';
import { useScene } from '#renderer/stores/scene/scene.ts';
import { useSceneEdit } from '#renderer/stores/scene/sceneEdit.ts';

export function useSceneDocks(): void {
  const scene = useScene();
  const edit = useSceneEdit();
  const docks = useDocks();
  watch(
    // A scenario with problems has its contents and text, too, where they are solved.
    () => scene.contents !== null || (scene.state === 'failed' && edit.document !== null),
    (isThere) => docks.fold('scene', 'left', !isThere),
    { immediate: true },
  );
  watch(
    () => edit.selectedPath !== null || scene.selected.length > 0,
    () => docks.fold('scene', 'right', false),
    { once: true },
  );
}
