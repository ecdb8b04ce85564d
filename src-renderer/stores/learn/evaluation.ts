// The metrics of the chosen models against the chosen log.
import { defineStore } from 'pinia';
import { computed, ref, shallowRef } from 'vue';
import type { LearnReplies } from '#contract/host/learnMethods.ts';
import { isCancelled } from '#contract/errors.ts';
import { stemOf } from '#domain/shared/fileNames.ts';
import { commandOf } from '#renderer/logic/commandLine.ts';
import { sentenceOf } from '#renderer/logic/problems.ts';
import { useJobs } from '../host/jobs.ts';
import { useLogFiles } from './logFiles.ts';
import { useModelFiles } from './modelFiles.ts';

export const useEvaluation = defineStore('evaluation', () => {
  const jobs = useJobs();
  const logs = useLogFiles();
  const models = useModelFiles();
  const result = shallowRef<LearnReplies['learn.evaluate'] | null>(null);
  const isRunning = ref(false);
  const error = ref<string | null>(null);
  const command = computed(() =>
    commandOf('learn.evaluate', { models: [...models.judged], log: logs.shown ?? 'TEST.log' }),
  );
  /** Judges the shown model, whose returns for the log's beams the simulation view draws. Null: nothing is shown. */
  const shownCommand = computed(() =>
    models.shown === null || logs.shown === null
      ? null
      : commandOf('learn.evaluate', { models: [models.shown], log: logs.shown }),
  );
  /** The models that were judged saw this log when they were learned: a test needs another drive. */
  const isTraining = computed(() => {
    const hash = logs.shownLog?.statistics?.hash;
    return models.models.some(
      ({ file, header }) =>
        models.judged.includes(file) && hash !== undefined && header?.logHashes.includes(hash),
    );
  });
  const canRun = computed(
    () => logs.shown !== null && models.judged.length > 0 && !isRunning.value,
  );
  return { result, isRunning, error, command, shownCommand, isTraining, canRun, run };

  async function run(): Promise<void> {
    const log = logs.shown;
    if (log === null || !canRun.value) return;
    [isRunning.value, error.value] = [true, null];
    try {
      const request = { models: [...models.judged], log };
      const title = `Evaluate: ${models.judged.map(stemOf).join(', ')}`;
      const options = { command: command.value };
      result.value = (await jobs.run(title, 'learn.evaluate', request, options)).reply;
    } catch (failure) {
      if (!isCancelled(failure)) error.value = sentenceOf(failure);
    } finally {
      isRunning.value = false;
    }
  }
});
