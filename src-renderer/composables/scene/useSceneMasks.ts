// Hidden and locked parts in the view of a scene.
import { watch, type ShallowRef } from 'vue';
import { idsOfPart, type IdRange } from '#renderer/logic/scene/instanceMasks.ts';
import { partOfKey } from '#renderer/logic/sceneEdit/partStates.ts';
import { usePartStates } from '#renderer/stores/scene/partStates.ts';
import { useScene } from '#renderer/stores/scene/scene.ts';
import { useSceneEdit } from '#renderer/stores/scene/sceneEdit.ts';
import type { SceneViewer } from '#renderer/viewer/scene/sceneViewerTypes.ts';

export function useSceneMasks(viewer: Readonly<ShallowRef<SceneViewer | null>>): void {
  const scene = useScene();
  const edit = useSceneEdit();
  const parts = usePartStates();
  let isMasked = false;

  // Why by the view: ids are those of the scene that is on screen.
  watch(viewer, (made) => made?.onScene(apply));
  watch([viewer, () => parts.states], apply);

  function apply(): void {
    const { hidden, locked } = parts.states;
    const has = edit.document === scene.scenario && hidden.length + locked.length > 0;
    if (!has && !isMasked) return;
    isMasked = has;
    viewer.value?.setMasks({
      hidden: has ? hidden.flatMap(idsOf) : [],
      locked: has ? locked.flatMap(idsOf) : [],
    });
  }

  function idsOf(key: string): IdRange[] {
    const { list, name } = partOfKey(key);
    return scene.contents === null ? [] : idsOfPart(scene.contents, list, name);
  }
}
