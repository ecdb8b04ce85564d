// The bake of the edited scenario: its physics, simulated once by the host and written beside its file.
import { defineStore } from 'pinia';
import { computed, ref, shallowRef, watch } from 'vue';
import { entries, field } from '#contract/documents/unknownData.ts';
import { isCancelled } from '#contract/errors.ts';
import type { Replies } from '#contract/host/methods.ts';
import type { Progress } from '#contract/worker/worker.ts';
import { commandOf } from '#renderer/logic/commandLine.ts';
import { sentenceOf } from '#renderer/logic/problems.ts';
import { useCommands } from '../frame/commands.ts';
import { usePlace } from '../frame/place.ts';
import { useJobs } from '../host/jobs.ts';
import { useScene } from './scene.ts';
import { useSceneEdit } from './sceneEdit.ts';

export const useBake = defineStore('bake', () => {
  const edit = useSceneEdit();
  const scene = useScene();
  const jobs = useJobs();
  const place = usePlace();
  const progress = shallowRef<Progress | null>(null);
  /** Result of the last bake of the text as it is. */
  const done = shallowRef<Replies['scenario.bake'] | null>(null);
  const error = ref<string | null>(null);
  const running = shallowRef<AbortController | null>(null);
  const isRunning = computed(() => running.value !== null);
  /** Number of motions that a bake moves. */
  const bodies = computed(() => {
    const motions = entries(field(field(edit.data, 'scene'), 'motions'));
    return motions.filter(([, motion]) => field(motion, 'kind') === 'baked').length;
  });
  const command = computed(() => commandOf('scenario.bake', { scenario: edit.document ?? '' }));

  watch(
    () => edit.text,
    () => {
      done.value = null;
      error.value = null;
    },
  );
  useCommands([
    {
      id: 'scene.bake',
      title: 'Bake physics',
      when: () => place.activity === 'scene' && bodies.value > 0 && !isRunning.value,
      run: start,
    },
  ]);
  return { bodies, progress, done, error, isRunning, command, start, cancel };

  /** Unsaved edits are saved before; a sample asks for another file. */
  async function start(): Promise<void> {
    if (edit.isDirty || edit.isSample) await edit.save();
    const { document } = edit;
    if (edit.isDirty || edit.isSample || document === null || isRunning.value) return;
    const own = new AbortController();
    running.value = own;
    [progress.value, done.value, error.value] = [null, null, null];
    try {
      const options = {
        signal: own.signal,
        command: command.value,
        onProgress: (next: Progress): void => void (progress.value = next),
      };
      const { reply } = await jobs.run(
        'Bake physics',
        'scenario.bake',
        { scenario: document },
        options,
      );
      if (edit.document !== document) return;
      await edit.check();
      // Why not awaited: it lasts as long as the scene is open.
      void scene.rebuild();
      done.value = reply;
    } catch (failure) {
      if (edit.document === document && !isCancelled(failure)) error.value = sentenceOf(failure);
    } finally {
      running.value = null;
    }
  }

  function cancel(): void {
    running.value?.abort();
  }
});
