// The scenario that is edited: its text, what the text says, what is wrong with it, and every step back. The host
// makes each change, so that comments and order stay. A text is never lost: not by an error, by opening another
// scenario or by loading the page again; and by closing it only after a warning.
import { defineStore } from 'pinia';
import { computed, ref, shallowRef } from 'vue';
import type { DocumentEdit, SaveRefusal } from '#contract/host/documentMethods.ts';
import { toWire } from '#contract/errors.ts';
import type { Replies } from '#contract/host/methods.ts';
import type { Problem } from '#contract/documents/problems.ts';
import type { Scenario } from '#contract/documents/scenario.ts';
import { useClient } from '#renderer/client/injection.ts';
import { useDrafts } from '../documents/drafts.ts';
import { sentenceOf } from '#renderer/logic/problems.ts';
import { isDraftOf, type Draft } from '#renderer/logic/forms/drafts.ts';
import { withCircles } from '#renderer/logic/sceneEdit/sceneChanges.ts';
import { valueAt, type DocumentPath } from '#renderer/logic/sceneEdit/sceneOutline.ts';
import { useChoices } from '../host/choices.ts';
import { useCommands } from '../frame/commands.ts';
import { storedInTab } from '#renderer/browser/storedText.ts';
import { createEditHistory, type EditDirection, type EditSteps } from './editHistory.ts';
import { usePlace } from '../frame/place.ts';

export const useSceneEdit = defineStore('sceneEdit', () => {
  const client = useClient();
  const place = usePlace();
  const choices = useChoices();
  /** As it was asked for: the id of a sample, or a file. */
  const document = ref<string | null>(null);
  const file = ref<string | null>(null);
  const isSample = ref(false);
  const text = ref('');
  const savedText = ref('');
  /** What the text says; while it is no YAML, what it said before. */
  const data = shallowRef<unknown>(null);
  const isYaml = ref(true);
  /** Checked, defaults filled in; null while there are problems. */
  const value = shallowRef<Scenario | null>(null);
  const problems = shallowRef<readonly Problem[]>([]);
  const error = ref<string | null>(null);
  /** Why the last save was refused. */
  const refusal = ref<SaveRefusal | null>(null);
  const isSaveAsOpen = ref(false);
  const isBusy = ref(false);
  const history = createEditHistory();
  const selectedPath = shallowRef<DocumentPath | null>(null);
  const isDirty = computed(() => file.value !== null && text.value !== savedText.value);
  /** False for a text that was dropped on the page: no command can read it. */
  const hasFile = ref(true);
  /** A command that names the document would read something else than what is edited here. */
  const isUnsaved = computed(() => file.value !== null && (isDirty.value || !hasFile.value));
  /** Changes made since it was opened. */
  const editCount = history.count;
  const { undoLabel, redoLabel } = history;
  let hash = '';
  const drafts = useDrafts(storedInTab('scene.drafts'), () =>
    document.value === null || !isDirty.value
      ? null
      : [document.value, { text: text.value, savedText: savedText.value, hash }],
  );
  /** Of documents with a draft; loading the page again loses them. */
  const steps = new Map<string, EditSteps>();
  /** A draft of the open document that was made from another text than its file has now. */
  const offered = shallowRef<Draft | null>(null);
  let queue: Promise<unknown> = Promise.resolve();
  const isHere = (): boolean => place.activity === 'scene' && file.value !== null;
  const isTyping = (): boolean => globalThis.document.activeElement instanceof HTMLTextAreaElement;
  useCommands([
    {
      ...{ id: 'scene.undo', title: 'Undo scene edit', keys: 'Ctrl+Z' },
      when: () => isHere() && history.count.value > 0 && !isTyping(),
      run: undo,
    },
    {
      ...{ id: 'scene.redo', title: 'Redo scene edit' },
      keys: ['Ctrl+Shift+Z', 'Ctrl+Y'],
      when: () => isHere() && history.canRedo.value && !isTyping(),
      run: redo,
    },
    {
      ...{ id: 'scene.save', title: 'Save scenario', keys: 'Ctrl+S', when: isHere },
      run: () => save(),
    },
    {
      ...{ id: 'scene.save-as', title: 'Save scenario as' },
      ...{ keys: 'Ctrl+Shift+S', when: isHere },
      run: () => (isSaveAsOpen.value = true),
    },
    {
      ...{ id: 'scene.revert', title: 'Revert to the saved scenario' },
      when: () => isHere() && isDirty.value,
      run: revert,
    },
  ]);
  return {
    ...{ document, file, isSample, text, savedText, data, isYaml, value, problems, error, refusal },
    ...{
      isSaveAsOpen,
      isBusy,
      isDirty,
      isUnsaved,
      editCount,
      undoLabel,
      redoLabel,
      selectedPath,
      offered,
    },
    ...{ open, close, apply, setText, undo, redo, save, saveAs, revert, select, clearError },
    ...{ takeOffered, dropOffered },
  };

  /** Reads a scenario to be edited; what was not saved of another is kept until that is opened again. `given`: its
   *  text, of which nobody knows the file. */
  function open(asked: string, given: string | null = null): Promise<void> {
    return enqueue(async () => {
      if (document.value === asked) return;
      saveDraft();
      // Why a sample: what was given has no file of its own to be saved to.
      const read =
        given === null
          ? await client.call('document.read', { kind: 'scenario', document: asked })
          : { file: asked, text: given, isSample: true, hash: '' };
      const found = drafts.get(asked);
      const draft = found !== undefined && isDraftOf(found, read) ? found : undefined;
      offered.value = draft === undefined ? (found ?? null) : null;
      if (draft !== undefined) drafts.delete(asked);
      document.value = asked;
      hasFile.value = given === null;
      take(read);
      const before = draft === undefined ? undefined : steps.get(asked);
      steps.delete(asked);
      history.restore(before);
      hash = read.hash;
      savedText.value = read.text;
      text.value = draft?.text ?? read.text;
      selectedPath.value = null;
      [data.value, value.value] = [null, null];
      await check(text.value);
    });
  }

  function close(): Promise<void> {
    return enqueue(() => {
      saveDraft();
      document.value = null;
      file.value = null;
      data.value = null;
      value.value = null;
      problems.value = [];
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
    if (document.value !== null) drafts.delete(document.value);
    offered.value = null;
  }

  /** Makes changes as one step. `label`: what was done, e.g. 'Move oak-a'. True where they were made. */
  function apply(edits: readonly DocumentEdit[], label: string): Promise<boolean> {
    return enqueue(async () => {
      const before = text.value;
      const reply = await ask(before, withCircles(data.value, edits));
      const refused = reply.problems.find(({ code }) => code === 'edit');
      if (refused !== undefined) {
        error.value = `${label}: ${refused.path}: ${refused.message}`;
        return false;
      }
      if (reply.text !== before) history.remember(before, label);
      show(reply);
      return true;
    }, false);
  }

  /** The text as somebody typed it. */
  function setText(next: string): Promise<void> {
    return enqueue(async () => {
      if (next === text.value) return;
      history.remember(text.value, 'Edit the text');
      await check(next);
    });
  }

  function undo(): Promise<void> {
    return step('undo');
  }

  function redo(): Promise<void> {
    return step('redo');
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
      await write({ file: file.value, isReplacing: true, ...(!isForced && { knownHash: hash }) });
    });
  }

  /** Under another name, absolute. True where it was saved; otherwise `refusal` says why. */
  function saveAs(name: string, isReplacing: boolean): Promise<boolean> {
    return enqueue(async () => write({ file: name, isReplacing }), false);
  }

  function select(path: DocumentPath | null): void {
    selectedPath.value = path;
  }

  function clearError(): void {
    error.value = null;
    refusal.value = null;
  }

  async function write(request: {
    file: string;
    isReplacing: boolean;
    knownHash?: string;
  }): Promise<boolean> {
    refusal.value = null;
    try {
      const from = file.value;
      const reply = await client.call('document.save', {
        ...{ kind: 'scenario', text: text.value, ...request },
        ...(from !== null && from !== request.file && { from }),
      });
      take({ file: reply.file, isSample: false });
      hasFile.value = true;
      document.value = reply.file;
      hash = reply.hash;
      savedText.value = reply.text;
      isSaveAsOpen.value = false;
      if (reply.text !== text.value) await check(reply.text);
      return true;
    } catch (failure) {
      const { reason } = toWire(failure).details ?? {};
      refusal.value = (reason as SaveRefusal | undefined) ?? null;
      error.value = toWire(failure).message;
      return false;
    }
  }

  function step(direction: EditDirection): Promise<void> {
    return enqueue(async () => {
      const next = history.textOf(direction);
      if (next === null) return;
      const now = text.value;
      await check(next);
      history.move(direction, now);
    });
  }

  async function check(next: string): Promise<void> {
    show(await ask(next, []));
  }

  function ask(from: string, edits: readonly DocumentEdit[]): Promise<Replies['document.edit']> {
    return client.call('document.edit', {
      ...{ kind: 'scenario', text: from, edits: [...edits] },
      ...(file.value !== null && { file: file.value }),
    });
  }

  function show(reply: Replies['document.edit']): void {
    text.value = reply.text;
    isYaml.value = reply.data !== null;
    if (isYaml.value) data.value = reply.data;
    value.value = reply.problems.length === 0 ? (reply.value as Scenario | null) : null;
    problems.value = reply.problems;
    const path = selectedPath.value;
    if (path !== null && valueAt(data.value, path) === undefined && !isAlwaysThere(path)) {
      selectedPath.value = null;
    }
  }

  function take(read: { file: string; isSample: boolean }): void {
    file.value = read.file;
    isSample.value = read.isSample;
    if (!read.isSample) choices.addOwnFile(read.file);
  }

  function saveDraft(): void {
    if (document.value === null || !isDirty.value) return;
    drafts.delete(document.value);
    drafts.set(document.value, { text: text.value, savedText: savedText.value, hash });
    steps.set(document.value, history.steps());
  }

  /** One after the other, each on what the one before came to. A failure is shown, and nothing changes. */
  function enqueue(work: () => Promise<void>): Promise<void>;
  function enqueue<T>(work: () => Promise<T>, otherwise: T): Promise<T>;
  function enqueue<T>(work: () => Promise<T>, otherwise?: T): Promise<T | undefined> {
    const next = queue.then(async () => {
      isBusy.value = true;
      error.value = null;
      try {
        return await work();
      } catch (failure) {
        error.value = sentenceOf(failure);
        return otherwise;
      } finally {
        isBusy.value = false;
      }
    });
    queue = next;
    return next;
  }
});

/** Parts that have a form even where nothing of them is written. */
function isAlwaysThere(path: DocumentPath): boolean {
  return path.length === 0 || /^(scene\/ground|vehicle|navigation)$/.test(path.join('/'));
}
