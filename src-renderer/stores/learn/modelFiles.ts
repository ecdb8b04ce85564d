// The learned models of the data folder and those that were opened in this browser: which is shown, and which are judged
// together.
import { defineStore } from 'pinia';
import { computed, ref, shallowRef, watch } from 'vue';
import type { ListedModel } from '#contract/host/learnedViewMethods.ts';
import { storedInTab } from '#renderer/browser/storedText.ts';
import { useClient } from '#renderer/client/injection.ts';
import { sentenceOf } from '#renderer/logic/problems.ts';
import { useConnection } from '../host/connection.ts';
import { createOwnFiles } from '../host/ownFiles.ts';

const storedShown = storedInTab('learn.model');
const maxOwnFiles = 50;
/** As many as there are distinct colours, and as `learn.place` takes. */
const maxJudged = 8;

export const useModelFiles = defineStore('modelFiles', () => {
  const client = useClient();
  const models = shallowRef<readonly ListedModel[]>([]);
  const folder = ref('');
  const hasLoaded = ref(false);
  const error = ref<string | null>(null);
  /** Elsewhere than in the data folder. */
  const own = createOwnFiles('ownModels', maxOwnFiles);
  const shown = ref<string | null>(storedShown.read());
  /** Compared with the log: in the metrics and in the ranges at a place. */
  const judged = ref<readonly string[]>([]);
  const shownModel = computed(() => models.value.find(({ file }) => file === shown.value) ?? null);
  let latest = 0;
  useConnection().whenOpen(() => void refresh());
  watch(shown, (file) => storedShown.write(file));
  const states = { models, folder, hasLoaded, error, shown, judged, shownModel };
  return { ...states, show, toggleJudged, openFile, add, refresh };

  function show(file: string): void {
    shown.value = file;
    if (!judged.value.includes(file)) toggleJudged(file);
  }

  function toggleJudged(file: string): void {
    judged.value = judged.value.includes(file)
      ? judged.value.filter((one) => one !== file)
      : [...judged.value, file].slice(-maxJudged);
  }

  /** A model by its path: it is listed from now on. */
  async function openFile(file: string): Promise<void> {
    await add(file);
    if (models.value.some((one) => one.file === file && one.header !== null)) show(file);
  }

  /** A model that was just written: in the list when this resolves. */
  async function add(file: string): Promise<void> {
    if (!file.startsWith(`${folder.value}/`)) own.add(file);
    await refresh();
  }

  /** The last request counts: an earlier one that ends later is dropped. */
  async function refresh(): Promise<void> {
    latest += 1;
    const mine = latest;
    try {
      const reply = await client.call('learn.models', { files: [...own.files.value] });
      if (mine !== latest) return;
      models.value = reply.models;
      folder.value = reply.folder;
      error.value = null;
      hasLoaded.value = true;
      const usable = reply.models.filter(({ header }) => header !== null).map(({ file }) => file);
      if (shown.value !== null && !usable.includes(shown.value)) shown.value = null;
      shown.value ??= usable[0] ?? null;
      judged.value = judged.value.filter((file) => usable.includes(file));
      if (judged.value.length === 0) judged.value = usable.slice(0, 1);
    } catch (failure) {
      if (mine === latest) error.value = sentenceOf(failure);
    }
  }
});
