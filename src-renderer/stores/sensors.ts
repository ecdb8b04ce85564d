// The sensor that one looks at: chosen from the samples or files by path, shown as the worker simulates it, and
// edited in a copy of its text. Edits are sent together when typing rests; pictures follow what is valid.
import { defineStore } from 'pinia';
import { computed, ref, shallowRef, watch } from 'vue';
import type { Columns } from '#contract/columns.ts';
import type { Replies } from '#contract/methods.ts';
import type { Problem } from '#contract/problems.ts';
import {
  sensorDescriptionColumns,
  type SensorDescriptionColumns,
} from '#contract/sensorDescription.ts';
import { useClient } from '#renderer/client/injection.ts';
import { commandLine } from '#renderer/logic/commandLine.ts';
import { sentenceOf } from '#renderer/logic/problems.ts';
import { withEdit, type FormEdit } from '#renderer/logic/forms/schemaForm.ts';
import { useChoices } from './choices.ts';
import { useConnection } from './connection.ts';

export interface ShownSensor {
  shown: Replies['sensor.show'];
  columns: SensorDescriptionColumns;
}

const filesKey = 'understory.sensors.files';
const firstChoice = 'hdl-32e';
/** Typing rests when nothing came for so long. */
const restMs = 250;

export const useSensors = defineStore('sensors', () => {
  const client = useClient();
  const choices = useChoices();
  const connection = useConnection();
  const files = ref<string[]>(readFiles());
  /** Id of a sample, or a file. */
  const chosen = ref('');
  const rangeM = ref(10);
  /** Null: the sensor's own. */
  const rateHz = ref<number | null>(null);
  const mode = ref<string | null>(null);
  const shown = shallowRef<ShownSensor | null>(null);
  const error = ref<string | null>(null);
  const source = shallowRef<Replies['document.read'] | null>(null);
  const text = ref('');
  /** The text as plain data, edits that are under way included. */
  const data = shallowRef<unknown>(null);
  const problems = shallowRef<readonly Problem[]>([]);
  const isEdited = computed(() => source.value !== null && text.value !== source.value.text);
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
      void choose((list.find(({ id }) => id === firstChoice) ?? list[0])?.id ?? '');
    },
    { immediate: true },
  );
  watch([rateHz, mode], () => void show());
  connection.whenOpen(() => {
    if (chosen.value !== '' && shown.value === null) void choose(chosen.value);
  });
  return {
    ...{ files, chosen, rangeM, rateHz, mode, shown, error, source, text, data, problems },
    ...{ isEdited, settings, command, choose, addFile, forgetFile, edit, revert, save },
  };

  /** Looks at another sensor; what was edited and not saved is given up. */
  async function choose(idOrFile: string): Promise<void> {
    generation += 1;
    const mine = generation;
    dropEdits();
    [chosen.value, rateHz.value, mode.value] = [idOrFile, null, null];
    error.value = null;
    problems.value = [];
    try {
      const read = await client.call('document.read', { kind: 'sensor', document: idOrFile });
      const checked = await client.call('document.edit', {
        kind: 'sensor',
        text: read.text,
        file: read.file,
      });
      if (mine !== generation) return;
      source.value = read;
      text.value = read.text;
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
    localStorage.setItem(filesKey, JSON.stringify(files.value));
    await choose(file);
  }

  /** Takes a file off the list; the file itself stays. */
  function forgetFile(file: string): void {
    files.value = files.value.filter((one) => one !== file);
    localStorage.setItem(filesKey, JSON.stringify(files.value));
    if (chosen.value === file) void choose(choices.sensors[0]?.id ?? firstChoice);
  }

  function edit(change: FormEdit): void {
    data.value = withEdit(data.value, change);
    waiting.push(change);
    clearTimeout(resting);
    resting = setTimeout(() => {
      sending = sending.then(send);
    }, restMs);
  }

  async function send(): Promise<void> {
    const edits = waiting;
    const mine = generation;
    if (edits.length === 0) return;
    waiting = [];
    try {
      const changed = await client.call('document.edit', {
        kind: 'sensor',
        text: text.value,
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
    const [rate, echoes] = [rateHz.value, mode.value];
    await choose(chosen.value);
    [rateHz.value, mode.value] = [rate, echoes];
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

/** @throws Error where a column is missing: the host is another version. */
function describedColumns(columns: Columns): SensorDescriptionColumns {
  for (const [name, ArrayOf] of Object.entries(sensorDescriptionColumns)) {
    if (!(columns[name] instanceof ArrayOf))
      throw new Error(`the description came without ${name}`);
  }
  // Why the cast: what was just looked at, name by name.
  return columns as unknown as SensorDescriptionColumns;
}

function readFiles(): string[] {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(filesKey) ?? '[]');
    return Array.isArray(stored) ? stored.filter((file) => typeof file === 'string') : [];
  } catch {
    return [];
  }
}
