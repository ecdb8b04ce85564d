// Size of the edited scene before it is built: triangles, instances, blades, trees, memory against what
// is free. Planned again shortly after each change; only the newest text counts.
import { defineStore } from 'pinia';
import { computed, ref, shallowRef, watch } from 'vue';
import { isCancelled, toWire } from '#contract/errors.ts';
import type { SceneSummary } from '#contract/worker/worker.ts';
import { useClient } from '#renderer/client/injection.ts';
import { sentenceOf } from '#renderer/logic/problems.ts';
import { sceneMetrics } from '#renderer/logic/scene/sceneMetrics.ts';
import { useChoices } from '../host/choices.ts';
import { useScene } from './scene.ts';
import { useSceneEdit } from './sceneEdit.ts';

const settleMs = 350;

export const useScenePlan = defineStore('scenePlan', () => {
  const client = useClient();
  const edit = useSceneEdit();
  const scene = useScene();
  const choices = useChoices();
  const summary = shallowRef<SceneSummary | null>(null);
  const freeBytes = ref<number | null>(null);
  const isPlanning = ref(false);
  /** Why it cannot be planned or does not fit. */
  const error = ref<string | null>(null);
  /** Null while the text has problems: the size is not known then. */
  const metrics = computed(() =>
    summary.value === null || edit.value === null
      ? null
      : sceneMetrics(edit.value, summary.value, isTree),
  );
  let settling: ReturnType<typeof setTimeout> | undefined;
  let current: AbortController | null = null;

  watch(
    () => edit.file,
    () => (summary.value = null),
  );
  watch(() => [edit.file, edit.value] as const, soon, { immediate: true });
  return { summary, freeBytes, isPlanning, error, metrics };

  /** A plant file of one's own is not known here: its name decides. */
  function isTree(plant: string): boolean {
    const known = choices.plants.find(({ id }) => id === plant);
    return known === undefined ? /tree/i.test(plant) : known.generator === 'tree';
  }

  function soon(): void {
    clearTimeout(settling);
    current?.abort();
    isPlanning.value = edit.value !== null;
    if (edit.value !== null) settling = setTimeout(() => void plan(), settleMs);
  }

  async function plan(): Promise<void> {
    const { file, text } = edit;
    if (file === null) return;
    const own = new AbortController();
    current = own;
    // Why: a plan grows the plants once more, while the scene is being built.
    if (scene.state === 'opening') await scene.whenFirstDrawn();
    if (current !== own) return;
    try {
      const options = { signal: own.signal };
      const planned = await client.call('scenario.plan', { scenario: file, text }, options);
      const info = await client.call('host.info', {}, options);
      if (current !== own) return;
      summary.value = planned;
      freeBytes.value = info.availableMemoryBytes;
      error.value = null;
    } catch (failure) {
      if (current !== own || isCancelled(failure)) return;
      const isRefused = toWire(failure).code === 'bad-input';
      error.value = isRefused ? sentenceOf(failure) : toWire(failure).message;
    }
    isPlanning.value = false;
  }
});
