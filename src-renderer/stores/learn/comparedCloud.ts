// The cloud or log that distances of the shown one are measured to.
import { defineStore } from 'pinia';
import { computed, ref } from 'vue';
import type { CloudSource } from '#contract/host/cloudMethods.ts';
import { useCloudFiles } from './cloudFiles.ts';
import { useLogFiles } from './logFiles.ts';

export const useComparedCloud = defineStore('comparedCloud', () => {
  const clouds = useCloudFiles();
  const logs = useLogFiles();
  /** It stays when another one is shown. */
  const chosen = ref<string | null>(null);
  const all = computed((): { file: string; source: CloudSource }[] => [
    ...clouds.clouds
      .filter(({ problem }) => problem === null)
      .map(({ file }) => ({ file, source: { file } })),
    ...logs.logs
      .filter(({ statistics }) => statistics !== null)
      .map(({ file }) => ({ file, source: { log: file } })),
  ]);
  /** Files that can be chosen. */
  const choices = computed(() =>
    all.value.map(({ file }) => file).filter((file) => file !== (clouds.shown ?? logs.shown)),
  );
  /** Null: no distances are measured. */
  const file = computed<string | null>({
    get: () => choices.value.find((choice) => choice === chosen.value) ?? null,
    set: (next) => (chosen.value = next),
  });
  return { choices, file, source };

  /** Null as `file`. */
  function source(): CloudSource | null {
    return all.value.find((one) => one.file === file.value)?.source ?? null;
  }
});
