// The text of a chosen document: read from its file, edited in a copy. Edits are sent together when typing rests. What
// was not saved is stored while the browser's tab is open.
import { computed, ref, shallowRef, type ComputedRef, type Ref, type ShallowRef } from 'vue';
import type { Problem } from '#contract/documents/problems.ts';
import type { Replies, RequestInputOf } from '#contract/host/methods.ts';
import type { Client } from '#renderer/client/client.ts';
import type { DocumentKind } from '#contract/host/documentMethods.ts';
import type { StoredText } from '#renderer/browser/storedText.ts';
import { isDraftOf, type Draft } from '#renderer/logic/forms/drafts.ts';
import { withEdit, type FormEdit } from '#renderer/logic/forms/schemaForm.ts';
import { useDrafts } from './drafts.ts';

export interface EditedText {
  /** As the file says; null before it was read, and where it cannot be. */
  source: ShallowRef<Replies['document.read'] | null>;
  text: Ref<string>;
  /** The text as plain data, edits that are under way included. */
  data: ShallowRef<unknown>;
  problems: ShallowRef<readonly Problem[]>;
  isEdited: ComputedRef<boolean>;
  /** Edits from before the page was loaded, of a file that has changed since. */
  offered: ShallowRef<Draft | null>;
  /** Reads another document; edits that were not sent are dropped. Only the last one of several at once counts.
   *  @throws UnderstoryError where it cannot be read */
  read: (idOrFile: string) => Promise<void>;
  /** A new document without a file; its draft where there is one. */
  start: (text: string) => Promise<void>;
  edit: (change: FormEdit) => void;
  /** Another text in place of all; what was not sent of edits is dropped. */
  setText: (text: string) => Promise<void>;
  /** Unsaved edits are dropped by the next `read`. */
  dropDrafts: () => void;
  /** The offered edits in place of what the file says. */
  takeOffered: () => Promise<void>;
  dropOffered: () => void;
  /** Sends the edits that wait; resolves when the text has all of them. */
  flush: () => Promise<void>;
  /** Saves the text once all edits have been sent. Returns the file. @throws UnderstoryError where the host refuses */
  save: (file: string, isReplacing: boolean) => Promise<string>;
}

export interface EditedTextOptions {
  kind: DocumentKind;
  /** The document by which drafts are stored. */
  chosen: Readonly<Ref<string>>;
  drafts: StoredText;
  /** An edited text is valid. */
  valid: () => Promise<void>;
  failed: (failure: unknown) => void;
}

/** Typing rests when nothing came for so long. */
const restMs = 250;

/** Within a set-up. */
export function createEditedText(
  client: Client,
  { kind, chosen, drafts: stored, valid, failed }: EditedTextOptions,
): EditedText {
  const source = shallowRef<Replies['document.read'] | null>(null);
  const text = ref('');
  const data = shallowRef<unknown>(null);
  const problems = shallowRef<readonly Problem[]>([]);
  const isEdited = computed(() => source.value !== null && text.value !== source.value.text);
  const offered = shallowRef<Draft | null>(null);
  const drafts = useDrafts(stored, () =>
    source.value === null || !isEdited.value
      ? null
      : [chosen.value, { text: text.value, savedText: source.value.text, hash: source.value.hash }],
  );
  let generation = 0;
  let waiting: FormEdit[] = [];
  let resting: ReturnType<typeof setTimeout> | undefined;
  let sending: Promise<void> = Promise.resolve();

  const state = { source, text, data, problems, isEdited, offered };
  return {
    ...state,
    read,
    setText,
    dropOffered,
    flush,
    save,
    async start(fresh) {
      generation += 1;
      dropEdits();
      offered.value = null;
      source.value = { file: '', text: '', isSample: false, hash: '' };
      text.value = drafts.get(chosen.value)?.text ?? fresh;
      drafts.delete(chosen.value);
      await send(text.value, []);
    },
    edit(change) {
      data.value = withEdit(data.value, change);
      waiting.push(change);
      clearTimeout(resting);
      resting = setTimeout(() => {
        sending = sending.then(sendWaiting);
      }, restMs);
    },
    dropDrafts: () => drafts.clear(),
    async takeOffered() {
      const { value: draft } = offered;
      dropOffered();
      if (draft !== null) await setText(draft.text);
    },
  };

  async function read(idOrFile: string): Promise<void> {
    generation += 1;
    const mine = generation;
    dropEdits();
    offered.value = null;
    problems.value = [];
    try {
      const { file, checked, draft, isDraft } = await readDocument(client, kind, idOrFile, drafts);
      if (mine !== generation) return;
      if (isDraft) drafts.delete(idOrFile);
      else offered.value = draft ?? null;
      source.value = file;
      text.value = checked.text;
      data.value = checked.data;
      problems.value = checked.problems;
    } catch (failure) {
      if (mine !== generation) return;
      [source.value, data.value, text.value] = [null, null, ''];
      throw failure;
    }
  }

  async function setText(next: string): Promise<void> {
    dropEdits();
    sending = sending.then(() => send(next, []));
    await sending;
  }

  async function sendWaiting(): Promise<void> {
    const edits = waiting.splice(0);
    if (edits.length > 0) await send(text.value, edits);
  }

  async function send(from: string, edits: readonly FormEdit[]): Promise<void> {
    const mine = generation;
    try {
      const request = { kind, text: from, ...fileOf(source.value) };
      const changed = await client.call('document.edit', { ...request, edits: edits.map(sent) });
      if (mine !== generation) return;
      text.value = changed.text;
      problems.value = changed.problems;
      if (waiting.length === 0) data.value = changed.data;
      if (changed.problems.length === 0) await valid();
    } catch (failure) {
      if (mine === generation) failed(failure);
    }
  }

  async function save(file: string, isReplacing: boolean): Promise<string> {
    await flush();
    const { file: from } = fileOf(source.value);
    const known = from === file ? { knownHash: source.value?.hash } : {};
    const origin = from === undefined ? {} : { from };
    const request = { kind, file, text: text.value, isReplacing, ...origin, ...known };
    return (await client.call('document.save', request)).file;
  }

  /** Sends what is waiting, and waits until all has been sent. */
  async function flush(): Promise<void> {
    clearTimeout(resting);
    sending = sending.then(sendWaiting);
    await sending;
  }

  function dropEdits(): void {
    clearTimeout(resting);
    waiting = [];
  }

  function dropOffered(): void {
    drafts.clear();
    offered.value = null;
  }
}

/** A document as its file says, checked; its draft in place of that where it was made from the same text. */
async function readDocument(
  client: Client,
  kind: DocumentKind,
  document: string,
  drafts: ReadonlyMap<string, Draft>,
) {
  const file = await client.call('document.read', { kind, document });
  const draft = drafts.get(document);
  const isDraft = draft !== undefined && isDraftOf(draft, file);
  const text = isDraft ? draft.text : file.text;
  const checked = await client.call('document.edit', { kind, text, file: file.file });
  return { file, checked, draft, isDraft };
}

/** None of a new document. */
function fileOf(source: Replies['document.read'] | null): { file?: string } {
  return source === null || source.file === '' ? {} : { file: source.file };
}

function sent({ path, op, value }: FormEdit): Sent {
  return { path: [...path], op, value };
}

type Sent = NonNullable<RequestInputOf<'document.edit'>['edits']>[number];
