// Saves the edited scenario, to its file or under another name.
import { ref, type Ref } from 'vue';
import { toWire } from '#contract/errors.ts';
import type { createEditQueue } from './editQueue.ts';
import type { createScenarioFile, SaveTarget } from './scenarioFile.ts';
import type { createScenarioText } from './scenarioText.ts';

interface Saved {
  content: ReturnType<typeof createScenarioText>;
  saved: ReturnType<typeof createScenarioFile>;
  queue: ReturnType<typeof createEditQueue>;
  /** Gets the file's name once it is written. */
  document: Ref<string | null>;
}

export function createScenarioSaving({ content, saved, queue, document }: Saved) {
  const { file, isSample } = saved;
  const isSaveAsOpen = ref(false);
  const write = async (target: SaveTarget): Promise<boolean> => {
    try {
      const written = await saved.write(target);
      document.value = written.file;
      isSaveAsOpen.value = false;
      if (written.text !== content.text.value) await content.check(written.text);
      return true;
    } catch (failure) {
      queue.error.value = toWire(failure).message;
      return false;
    }
  };
  return {
    isSaveAsOpen,
    /** `isForced`: over what another program has written since. */
    save: (isForced = false): Promise<void> => {
      if (isSample.value) {
        isSaveAsOpen.value = true;
        return Promise.resolve();
      }
      return queue.enqueue(async () => {
        if (file.value === null) return;
        const knownHash = isForced ? {} : { knownHash: saved.hash() };
        await write({ file: file.value, isReplacing: true, ...knownHash });
      });
    },
    /** Under another name, absolute. True where it was saved; otherwise `refusal` says why. */
    saveAs: (name: string, isReplacing: boolean): Promise<boolean> =>
      queue.enqueueCheck(() => write({ file: name, isReplacing })),
  };
}
