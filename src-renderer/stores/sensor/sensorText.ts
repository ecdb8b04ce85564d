// The text of the chosen sensor: read from its file, edited in a copy. Edits are sent together when typing rests. What
// was not saved is stored while the browser's tab is open.
import { computed, ref, shallowRef, type ComputedRef, type Ref, type ShallowRef } from 'vue';
import type { Problem } from '#contract/documents/problems.ts';
import type { Replies } from '#contract/host/methods.ts';
import type { Client } from '#renderer/client/client.ts';
import { storedInTab } from '#renderer/browser/storedText.ts';
import { isDraftOf, type Draft } from '#renderer/logic/forms/drafts.ts';
import { withEdit, type FormEdit } from '#renderer/logic/forms/schemaForm.ts';
import { useDrafts } from '../documents/drafts.ts';

export interface SensorText {
  /** As the file says; null before it was read, and where it cannot be. */
  source: ShallowRef<Replies['document.read'] | null>;
  text: Ref<string>;
  /** The text as plain data, edits that are under way included. */
  data: ShallowRef<unknown>;
  problems: ShallowRef<readonly Problem[]>;
  isEdited: ComputedRef<boolean>;
  /** Edits from before the page was loaded, of a file that has changed since. */
  offered: ShallowRef<Draft | null>;
  /** Reads another sensor; edits that were not sent are dropped. Only the last one of several at once counts.
   *  @throws UnderstoryError where it cannot be read */
  read: (idOrFile: string) => Promise<void>;
  edit: (change: FormEdit) => void;
  /** Unsaved edits are dropped by the next `read`. */
  dropDrafts: () => void;
  /** The offered edits in place of what the file says. */
  takeOffered: () => Promise<void>;
  dropOffered: () => void;
  /** Saves the text once all edits have been sent. Returns the file. @throws UnderstoryError where the host refuses */
  save: (file: string, isReplacing: boolean) => Promise<string>;
}

export interface SensorTextEvents {
  /** An edited text is valid. */
  valid: () => Promise<void>;
  failed: (failure: unknown) => void;
}

/** Typing rests when nothing came for so long. */
const restMs = 250;

/** `chosen`: the sensor by which drafts are stored. Within a set-up. */
export function createSensorText(
  client: Client,
  chosen: Readonly<Ref<string>>,
  on: SensorTextEvents,
): SensorText {
  const source = shallowRef<Replies['document.read'] | null>(null);
  const text = ref('');
  const data = shallowRef<unknown>(null);
  const problems = shallowRef<readonly Problem[]>([]);
  const isEdited = computed(() => source.value !== null && text.value !== source.value.text);
  const offered = shallowRef<Draft | null>(null);
  const drafts = useDrafts(storedInTab('sensors.drafts'), () =>
    source.value === null || !isEdited.value
      ? null
      : [chosen.value, { text: text.value, savedText: source.value.text, hash: source.value.hash }],
  );
  let generation = 0;
  let waiting: FormEdit[] = [];
  let resting: ReturnType<typeof setTimeout> | undefined;
  let sending: Promise<void> = Promise.resolve();

  return {
    source,
    text,
    data,
    problems,
    isEdited,
    offered,
    read,
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
      if (draft === null) return;
      dropEdits();
      sending = sending.then(() => send(draft.text, []));
      await sending;
    },
    dropOffered,
    save,
  };

  async function read(idOrFile: string): Promise<void> {
    generation += 1;
    const mine = generation;
    dropEdits();
    offered.value = null;
    problems.value = [];
    try {
      const file = await client.call('document.read', { kind: 'sensor', document: idOrFile });
      const draft = drafts.get(idOrFile);
      const isWanted = draft !== undefined && isDraftOf(draft, file);
      const checked = await client.call('document.edit', {
        kind: 'sensor',
        text: isWanted ? draft.text : file.text,
        file: file.file,
      });
      if (mine !== generation) return;
      if (isWanted) drafts.delete(idOrFile);
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

  async function sendWaiting(): Promise<void> {
    const edits = waiting.splice(0);
    if (edits.length > 0) await send(text.value, edits);
  }

  async function send(from: string, edits: readonly FormEdit[]): Promise<void> {
    const mine = generation;
    try {
      const changed = await client.call('document.edit', {
        kind: 'sensor',
        text: from,
        ...(source.value && { file: source.value.file }),
        edits: edits.map(({ path, op, value }) => ({ path: [...path], op, value })),
      });
      if (mine !== generation) return;
      text.value = changed.text;
      problems.value = changed.problems;
      if (waiting.length === 0) data.value = changed.data;
      if (changed.problems.length === 0) await on.valid();
    } catch (failure) {
      if (mine === generation) on.failed(failure);
    }
  }

  async function save(file: string, isReplacing: boolean): Promise<string> {
    await sending;
    const from = source.value;
    const saved = await client.call('document.save', {
      kind: 'sensor',
      file,
      text: text.value,
      isReplacing,
      ...(from !== null && { from: from.file }),
      ...(from?.file === file && { knownHash: from.hash }),
    });
    return saved.file;
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
