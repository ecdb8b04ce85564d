// Which objects of the open scene are selected, and which is under the mouse.
import { computed, ref, type Ref } from 'vue';
import type { SceneContents } from '#contract/host/sceneMethods.ts';
import { idOfName, sceneObject } from '#renderer/logic/scene/sceneObjects.ts';

export type SceneSelection = ReturnType<typeof createSceneSelection>;

export function createSceneSelection(contents: Readonly<Ref<SceneContents | null>>) {
  /** Ids of objects. */
  const selection = ref<number[]>([]);
  const hovered = ref<number | null>(null);
  const selected = computed(() => {
    const { value: now } = contents;
    return now === null ? [] : selection.value.flatMap((id) => sceneObject(now, id) ?? []);
  });
  return {
    selection,
    hovered,
    selected,
    select: (ids: readonly number[]): void => {
      selection.value = [...ids];
    },
    clear: (): void => {
      selection.value = [];
      hovered.value = null;
    },
    /** Objects of these names in the scene that is here now. */
    selectNames: (names: readonly string[]): void => {
      const { value: now } = contents;
      selection.value = now === null ? [] : names.flatMap((name) => idOfName(now, name) ?? []);
      hovered.value = null;
    },
  };
}
