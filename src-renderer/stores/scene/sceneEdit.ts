// The scenario that is edited: its text, its history, its file. The host makes each change, so that comments and order
// stay. A text is never lost: not by an error, by opening another scenario or by loading the page again; and by closing
// it only after a warning.
import { defineStore } from 'pinia';
import { computed, ref } from 'vue';
import { useClient } from '#renderer/client/injection.ts';
import { createOtherTabs } from './otherTabs.ts';
import { createEditQueue } from './editQueue.ts';
import { createScenarioDrafts } from './scenarioDrafts.ts';
import { createScenarioFile } from './scenarioFile.ts';
import { createScenarioSaving } from './scenarioSaving.ts';
import { useScenarioSelection } from './scenarioSelection.ts';
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
  // Why no sample: it is saved as another file.
  const isElsewhere = createOtherTabs(computed(() => (isSample.value ? null : file.value)));
  const queue = createEditQueue();
  const { isBusy, error, enqueue } = queue;
  const { history, apply, setText, undo, redo } = createScenarioSteps(content, queue);
  const { undoLabel, redoLabel, count: editCount } = history;
  const drafts = createScenarioDrafts(() =>
    document.value === null || !isDirty.value ? null : [document.value, saved.draft()],
  );
  const { offered } = drafts;
  const { isSaveAsOpen, save, saveAs } = createScenarioSaving({ content, saved, queue, document });
  const selection = useScenarioSelection(data);
  const { selectedPaths, selectedPath, select, selectAll, toggle } = selection;
  useSceneEditCommands({
    isOpen: () => file.value !== null,
    canUndo: () => history.count.value > 0,
    canRedo: () => history.canRedo.value,
    isDirty: () => isDirty.value,
    undo,
    redo,
    revert,
    save: () => save(),
    openSaveAs: () => (isSaveAsOpen.value = true),
  });
  return {
    document,
    file,
    isSample,
    text,
    savedText,
    data,
    isYaml,
    value,
    problems,
    error,
    refusal,
    isSaveAsOpen,
    isBusy,
    isDirty,
    isUnsaved,
    /** Another tab or window edits the same file. */
    isElsewhere,
    undoLabel,
    redoLabel,
    selectedPaths,
    selectedPath,
    offered,
    /** Changes made since it was opened. */
    editCount,
    open,
    close,
    apply,
    setText,
    undo,
    redo,
    save,
    saveAs,
    revert,
    check,
    select,
    selectAll,
    toggle,
    clearError,
    takeOffered,
    dropOffered,
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
      select(null);
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
      select(null);
      offered.value = null;
      return Promise.resolve();
    });
  }

  /** Again, after a file that it names has changed. */
  function check(): Promise<void> {
    return enqueue(() => content.check(text.value));
  }

  /** The offered draft in place of what the file says; that can be undone. */
  async function takeOffered(): Promise<void> {
    const { value: draft } = offered;
    if (draft === null) return;
    dropOffered();
    await setText(draft.text, 'Restore unsaved edits');
  }

  function dropOffered(): void {
    drafts.dropOffered(document.value);
  }

  /** Back to what was read or saved last; that can be undone too. */
  function revert(): Promise<void> {
    // Why a label of its own: soon after typing it would be the same step, and undoing it would lose what was typed.
    return setText(savedText.value, 'Revert to the saved scenario');
  }

  function clearError(): void {
    error.value = null;
    refusal.value = null;
  }
});
