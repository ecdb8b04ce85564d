// Truth of the plants of the open scene, measured while the panel is shown.
import { defineStore } from 'pinia';
import { computed, ref, shallowRef, watch } from 'vue';
import { useClient } from '#renderer/client/injection.ts';
import { plantRows, sortedPlants, type PlantRow } from '#renderer/logic/scene/plantRows.ts';
import { sentenceOf } from '#renderer/logic/problems.ts';
import { useScene } from './scene.ts';

export const useScenePlants = defineStore('scenePlants', () => {
  const client = useClient();
  const scene = useScene();
  const rows = shallowRef<readonly PlantRow[] | null>(null);
  const error = ref<string | null>(null);
  const sortBy = ref<keyof PlantRow | null>(null);
  const isDescending = ref(false);
  const focused = ref(0);
  const viewers = ref(0);
  const sorted = computed(() => sortedPlants(rows.value ?? [], sortBy.value, isDescending.value));
  /** Id of the scene that `rows` are of, or that is asked for. */
  let asked: string | null = null;

  watch(
    () => [scene.contents, viewers.value > 0] as const,
    ([contents, isShown]) => {
      if (contents?.scene !== asked) [rows.value, error.value, asked] = [null, null, null];
      if (contents !== null && isShown && asked === null) void measure();
    },
    { immediate: true },
  );
  return {
    rows: sorted,
    isMeasured: computed(() => rows.value !== null),
    error,
    sortBy,
    isDescending,
    focused,
    viewers,
    sort,
  };

  async function measure(): Promise<void> {
    const { contents } = scene;
    if (contents === null) return;
    asked = contents.scene;
    await scene.whenFirstDrawn();
    if (asked !== contents.scene) return;
    try {
      const { reply, columns } = await client.query('scene.plants', { scene: contents.scene });
      if (asked === contents.scene) rows.value = plantRows(contents, reply, columns);
    } catch (failure) {
      if (asked === contents.scene) error.value = sentenceOf(failure);
    }
  }

  /** By a column, numbers from the largest; again: the other way round. */
  function sort(key: keyof PlantRow, isNumber: boolean): void {
    isDescending.value = sortBy.value === key ? !isDescending.value : isNumber;
    sortBy.value = key;
    focused.value = 0;
  }
});
