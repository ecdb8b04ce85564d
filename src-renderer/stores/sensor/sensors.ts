// The sensor that one looks at: chosen from the samples, the open scene's or files by path, shown as the worker
// simulates it, and edited in a copy of its text. Edits are sent together when typing rests; pictures follow what is
// valid. What was chosen and what was not saved of it are kept while the browser's tab is open.
import { defineStore } from 'pinia';
import { computed, ref, shallowRef, watch } from 'vue';
import type { Replies } from '#contract/host/methods.ts';
import type { Problem } from '#contract/documents/problems.ts';
import {
  describedColumns,
  type SensorDescriptionColumns,
} from '#contract/worker/sensorDescription.ts';
import { useClient } from '#renderer/client/injection.ts';
import { useDrafts } from '../documents/drafts.ts';
import { commandLine } from '#renderer/logic/commandLine.ts';
import { textsOf } from '#renderer/logic/storedTexts.ts';
import { sentenceOf } from '#renderer/logic/problems.ts';
import { isDraftOf, type Draft } from '#renderer/logic/forms/drafts.ts';
import { storedChoice } from '#renderer/logic/sensor/storedChoice.ts';
import { withEdit, type FormEdit } from '#renderer/logic/forms/schemaForm.ts';
import { useChoices } from '../host/choices.ts';
import { useConnection } from '../host/connection.ts';
import { storedInBrowser, storedInTab } from '#renderer/browser/storedText.ts';

export interface ShownSensor {
  shown: Replies['sensor.show'];
  columns: SensorDescriptionColumns;
}

/** How the sensor is run where it is not as its file says. */
export interface SensorRun {
  rateHz?: number | undefined;
  mode?: string | undefined;
}

const storedFiles = storedInBrowser('sensors.files');
const storedSensor = storedInTab('sensors.chosen');
const firstChoice = 'hdl-32e';
/** Typing rests when nothing came for so long. */
const restMs = 250;

export const useSensors = defineStore('sensors', () => {
  const client = useClient();
  const choices = useChoices();
  const connection = useConnection();
  const files = ref(textsOf(storedFiles.read()));
  const before = storedChoice(storedSensor.read());
  /** Id of a sample, or a file. */
  const chosen = ref(before.chosen);
  /** By a person: the sensor of a scene that is opened does not take its place. */
  const isPicked = ref(before.isPicked);
  /** As which sensor of the open scene it was taken; null: as none. */
  const mountedAs = ref(before.mountedAs);
  const rangeM = ref(before.rangeM);
  /** Null: the sensor's own. */
  const rateHz = ref(before.rateHz);
  const mode = ref(before.mode);
  const shown = shallowRef<ShownSensor | null>(null);
  const error = ref<string | null>(null);
  const source = shallowRef<Replies['document.read'] | null>(null);
  const text = ref('');
  /** The text as plain data, edits that are under way included. */
  const data = shallowRef<unknown>(null);
  const problems = shallowRef<readonly Problem[]>([]);
  const isEdited = computed(() => source.value !== null && text.value !== source.value.text);
  const drafts = useDrafts(storedInTab('sensors.drafts'), () =>
    source.value === null || !isEdited.value
      ? null
      : [chosen.value, { text: text.value, savedText: source.value.text, hash: source.value.hash }],
  );
  /** Edits from before the page was loaded, of a file that has changed since. */
  const offered = shallowRef<Draft | null>(null);
  let generation = 0;
  let waiting: FormEdit[] = [];
  let resting: ReturnType<typeof setTimeout> | undefined;
  let sending: Promise<void> = Promise.resolve();

  /** What scans and pictures ask of the host; the text goes with it where it is not what the file says. */
  const settings = computed(() => ({
    sensor: chosen.value,
    ...(rateHz.value !== null && { rateHz: rateHz.value }),
    ...(mode.value !== null && { mode: mode.value }),
  }));
  const command = computed(() =>
    commandLine(['sensor', 'show', chosen.value], {
      range: rangeM.value,
      'rate-hz': rateHz.value ?? undefined,
      mode: mode.value ?? undefined,
    }),
  );

  watch(
    () => choices.sensors,
    (list) => {
      if (chosen.value !== '' || list.length === 0) return;
      void look((list.find(({ id }) => id === firstChoice) ?? list[0])?.id ?? '');
    },
    { immediate: true },
  );
  watch([rateHz, mode], () => void show());
  watch([chosen, isPicked, mountedAs, rangeM, rateHz, mode], () => {
    const choice = { chosen: chosen.value, isPicked: isPicked.value, mountedAs: mountedAs.value };
    const run = { rangeM: rangeM.value, rateHz: rateHz.value, mode: mode.value };
    storedSensor.write(JSON.stringify({ ...choice, ...run }));
  });
  connection.whenOpen(() => {
    if (chosen.value === '' || shown.value !== null) return;
    void look(chosen.value, { rateHz: rateHz.value ?? undefined, mode: mode.value ?? undefined });
  });
  return {
    ...{ files, chosen, isPicked, mountedAs, rangeM, rateHz, mode, shown, error, source, text },
    ...{ data, problems, isEdited, settings, command, offered, takeOffered, dropOffered },
    ...{ choose, takeMounted, addFile, forgetFile, edit, revert, save },
  };

  /** Looks at another sensor; what was edited and not saved is given up. */
  async function choose(idOrFile: string): Promise<void> {
    isPicked.value = true;
    mountedAs.value = null;
    drafts.clear();
    await look(idOrFile);
  }

  /** Looks at a sensor of the open scene, as it is run there. */
  async function takeMounted(name: string, idOrFile: string, run: SensorRun): Promise<void> {
    mountedAs.value = name;
    drafts.clear();
    await look(idOrFile, run);
  }

  async function look(idOrFile: string, run: SensorRun = {}): Promise<void> {
    generation += 1;
    const mine = generation;
    dropEdits();
    chosen.value = idOrFile;
    [rateHz.value, mode.value] = [run.rateHz ?? null, run.mode ?? null];
    error.value = null;
    offered.value = null;
    problems.value = [];
    try {
      const read = await client.call('document.read', { kind: 'sensor', document: idOrFile });
      const draft = drafts.get(idOrFile);
      const isWanted = draft !== undefined && isDraftOf(draft, read);
      const checked = await client.call('document.edit', {
        kind: 'sensor',
        text: isWanted ? draft.text : read.text,
        file: read.file,
      });
      if (mine !== generation) return;
      if (isWanted) drafts.delete(idOrFile);
      else offered.value = draft ?? null;
      source.value = read;
      text.value = checked.text;
      data.value = checked.data;
      problems.value = checked.problems;
    } catch (failure) {
      if (mine !== generation) return;
      [source.value, data.value, text.value] = [null, null, ''];
      error.value = sentenceOf(failure);
    }
    await show();
  }

  /** A sensor file by its path on the host. @throws UnderstoryError where it cannot be read */
  async function addFile(file: string): Promise<void> {
    await client.call('document.read', { kind: 'sensor', document: file });
    if (!files.value.includes(file)) files.value = [...files.value, file];
    storedFiles.write(JSON.stringify(files.value));
    await choose(file);
  }

  /** Takes a file off the list; the file itself stays. */
  function forgetFile(file: string): void {
    files.value = files.value.filter((one) => one !== file);
    storedFiles.write(JSON.stringify(files.value));
    if (chosen.value === file) void choose(choices.sensors[0]?.id ?? firstChoice);
  }

  function edit(change: FormEdit): void {
    isPicked.value = true;
    data.value = withEdit(data.value, change);
    waiting.push(change);
    clearTimeout(resting);
    resting = setTimeout(() => {
      sending = sending.then(send);
    }, restMs);
  }

  async function send(): Promise<void> {
    const edits = waiting;
    waiting = [];
    if (edits.length > 0) await sendEdits(text.value, edits);
  }

  async function sendEdits(from: string, edits: readonly FormEdit[]): Promise<void> {
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
      if (changed.problems.length === 0) await show();
    } catch (failure) {
      if (mine === generation) error.value = sentenceOf(failure);
    }
  }

  function dropEdits(): void {
    clearTimeout(resting);
    waiting = [];
  }

  /** Back to what the file says. */
  async function revert(): Promise<void> {
    drafts.clear();
    await look(chosen.value, { rateHz: rateHz.value ?? undefined, mode: mode.value ?? undefined });
  }

  /** The offered edits in place of what the file says. */
  async function takeOffered(): Promise<void> {
    const { value: draft } = offered;
    dropOffered();
    if (draft === null) return;
    dropEdits();
    sending = sending.then(() => sendEdits(draft.text, []));
    await sending;
  }

  function dropOffered(): void {
    drafts.clear();
    offered.value = null;
  }

  /** @throws UnderstoryError where the host refuses: a sample, a file that is there. */
  async function save(file: string, isReplacing: boolean): Promise<void> {
    await sending;
    const from = source.value?.file;
    const saved = await client.call('document.save', {
      kind: 'sensor',
      file,
      text: text.value,
      isReplacing,
      ...(from !== undefined && { from }),
      ...(from === file && source.value && { knownHash: source.value.hash }),
    });
    await addFile(saved.file);
  }

  async function show(): Promise<void> {
    if (chosen.value === '') return;
    const mine = generation;
    const asked = settings.value;
    try {
      const { reply, columns } = await client.query('sensor.show', {
        ...asked,
        ...(isEdited.value && { text: text.value }),
      });
      if (mine !== generation || asked !== settings.value) return;
      shown.value = { shown: reply, columns: describedColumns(columns) };
      error.value = null;
    } catch (failure) {
      if (mine !== generation) return;
      error.value = sentenceOf(failure);
      if (!isEdited.value) shown.value = null;
    }
  }
});
