// Checking the data folder: one check at a time, which is a job and continues when its dialog is closed.
import { defineStore } from 'pinia';
import { ref, shallowRef } from 'vue';
import { isCancelled } from '#contract/errors.ts';
import type { Replies } from '#contract/host/methods.ts';
import type { Progress } from '#contract/worker/worker.ts';
import { commandOf } from '#renderer/logic/commandLine.ts';
import { sentenceOf } from '#renderer/logic/problems.ts';
import { useJobs } from '../host/jobs.ts';

export const useDataCheck = defineStore('dataCheck', () => {
  const jobs = useJobs();
  const isOpen = ref(false);
  const isQuick = ref(false);
  const isWorking = ref(false);
  const progress = shallowRef<Progress | null>(null);
  const done = shallowRef<Replies['data.check'] | null>(null);
  const failure = ref<string | null>(null);
  let controller = new AbortController();
  return {
    isOpen,
    isQuick,
    isWorking,
    progress,
    done,
    failure,
    open: () => (isOpen.value = true),
    commandOf: checkCommand,
    check,
    cancel: () => controller.abort(),
  };

  function checkCommand(isRepairing: boolean): string {
    return commandOf('data.check', { isQuick: isQuick.value, isRepairing });
  }

  async function check(isRepairing: boolean): Promise<void> {
    if (isWorking.value) return;
    controller = new AbortController();
    isWorking.value = true;
    progress.value = null;
    failure.value = null;
    const title = isRepairing ? 'Repair data folder' : 'Check data folder';
    const request = { isQuick: isQuick.value, isRepairing };
    try {
      const { reply } = await jobs.run(title, 'data.check', request, {
        signal: controller.signal,
        command: checkCommand(isRepairing),
        onProgress: (next) => (progress.value = next),
      });
      done.value = reply;
    } catch (error) {
      if (!isCancelled(error)) failure.value = sentenceOf(error);
    } finally {
      isWorking.value = false;
      progress.value = null;
    }
  }
});
