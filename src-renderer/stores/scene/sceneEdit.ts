// The scenario that is edited: its text, its history, its file. The host makes each change, so that comments and order
// stay. A text is never lost: not by an error, by opening another scenario or by loading the page again; and by closing
// it only after a warning.
import { defineStore } from 'pinia';
import { ref, shallowRef, watch } from 'vue';
import { toWire } from '#contract/errors.ts';
import { useClient } from '#renderer/client/injection.ts';
import { valueAt, type DocumentPath } from '#renderer/logic/sceneEdit/sceneOutline.ts';
import { createEditQueue } from './editQueue.ts';
import { createScenarioDrafts } from './scenarioDrafts.ts';
import { createScenarioFile, type SaveTarget } from './scenarioFile.ts';
import { createScenarioSteps } from './scenarioSteps.ts';
import { createScenarioText } from './scenarioText.ts';
import { useSceneEditCommands } from './sceneEditCommands.ts';

export const useSceneEdit = defineStore('sceneEdit', () => {
  const client = useClient();
  /** As it was asked for: the id of a sample, or a file. */
  const document = ref<string | null>(null);
  const content = createScenarioText(client, () => saved.file.value);
  const { text, data, isYaml, value, problems } = content;
  const saved = createScenarioFile(client, text);
  const { file, isSample, savedText, refusal, isDirty, isUnsaved } = saved;
  const queue = createEditQueue();
  const { isBusy, error, enqueue, enqueueCheck } = queue;
  const { history, apply, setText, undo, redo } = createScenarioSteps(content, queue);
  const { undoLabel, redoLabel, count: editCount } = history;
  const drafts = createScenarioDrafts(() =>
    document.value === null || !isDirty.value ? null : [document.value, saved.draft()],
  );
  const { offered } = drafts;
  const isSaveAsOpen = ref(false);
  const selectedPath = shallowRef<DocumentPath | null>(null);
  watch(data, dropLostSelection, { flush: 'sync' });
  useSceneEditCommands({
    isOpen: () => file.value !== null,
    canUndo: () => history.count.value > 0,
    canRedo: () => history.canRedo.value,
    isDirty: () => isDirty.value,
    ...{ undo, redo, revert, save: () => save(), openSaveAs: () => (isSaveAsOpen.value = true) },
  });
  return {
    ...{ document, file, isSample, text, savedText, data, isYaml, value, problems, error, refusal },
    ...{ isSaveAsOpen, isBusy, isDirty, isUnsaved, undoLabel, redoLabel, selectedPath, offered },
    /** Changes made since it was opened. */
    editCount,
    ...{ open, close, apply, setText, undo, redo, save, saveAs, revert, select, clearError },
    ...{ takeOffered, dropOffered },
  };

  /** Reads a scenario to be edited; what was not saved of another is stored until that is opened again. `given`: its
   *  text without a known file. */
  function open(asked: string, given: string | null = null): Promise<void> {
    return enqueue(async () => {
      if (document.value === asked) return;
      drafts.save(history.steps());
      // Why a sample: what was given has no file of its own to be saved to.
      const read =
        given === null
          ? await client.call('document.read', { kind: 'scenario', document: asked })
          : { file: asked, text: given, isSample: true, hash: '' };
      const found = drafts.take(asked, read);
      document.value = asked;
      saved.open(read, given === null);
      history.restore(found?.steps);
      selectedPath.value = null;
      content.clear(found?.draft.text ?? read.text);
      await content.check(text.value);
    });
  }

  function close(): Promise<void> {
    return enqueue(() => {
      drafts.save(history.steps());
      document.value = null;
      saved.close();
      content.clear(text.value);
      selectedPath.value = null;
      offered.value = null;
      return Promise.resolve();
    });
  }

  /** The offered draft in place of what the file says; that can be undone. */
  async function takeOffered(): Promise<void> {
    const { value: draft } = offered;
    if (draft === null) return;
    dropOffered();
    await setText(draft.text);
  }

  function dropOffered(): void {
    drafts.dropOffered(document.value);
  }

  /** Back to what was read or saved last; that can be undone too. */
  function revert(): Promise<void> {
    return setText(savedText.value);
  }

  /** `isForced`: over what another program has written since. */
  function save(isForced = false): Promise<void> {
    if (isSample.value) {
      isSaveAsOpen.value = true;
      return Promise.resolve();
    }
    return enqueue(async () => {
      if (file.value === null) return;
      const knownHash = isForced ? {} : { knownHash: saved.hash() };
      await write({ file: file.value, isReplacing: true, ...knownHash });
    });
  }

  /** Under another name, absolute. True where it was saved; otherwise `refusal` says why. */
  function saveAs(name: string, isReplacing: boolean): Promise<boolean> {
    return enqueueCheck(() => write({ file: name, isReplacing }));
  }

  async function write(target: SaveTarget): Promise<boolean> {
    try {
      const written = await saved.write(target);
      document.value = written.file;
      isSaveAsOpen.value = false;
      if (written.text !== text.value) await content.check(written.text);
      return true;
    } catch (failure) {
      error.value = toWire(failure).message;
      return false;
    }
  }

  function select(path: DocumentPath | null): void {
    selectedPath.value = path;
  }

  function clearError(): void {
    error.value = null;
    refusal.value = null;
  }

  /** The selected part may be no part of the text any more. */
  function dropLostSelection(): void {
    const path = selectedPath.value;
    if (
      path === null ||
      data.value === null ||
      valueAt(data.value, path) !== undefined ||
      isAlwaysThere(path)
    )
      return;
    selectedPath.value = null;
  }
});

/** Parts that have a form even where nothing of them is written. */
function isAlwaysThere(path: DocumentPath): boolean {
  return path.length === 0 || /^(scene\/ground|vehicle|navigation)$/.test(path.join('/'));
}
