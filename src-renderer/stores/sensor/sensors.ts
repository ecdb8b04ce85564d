// The sensor that is inspected: chosen from the samples, the open scene's or files by path, shown as the worker
// simulates it, and edited in a copy of its text. What was chosen is stored while the browser's tab is open.
import { defineStore } from 'pinia';
import { computed, ref, watch } from 'vue';
import { useClient } from '#renderer/client/injection.ts';
import { commandOf } from '#renderer/logic/commandLine.ts';
import type { FormEdit } from '#renderer/logic/forms/schemaForm.ts';
import { sentenceOf } from '#renderer/logic/problems.ts';
import { storedInTab } from '#renderer/browser/storedText.ts';
import { createEditedText } from '../documents/editedText.ts';
import { useChoices } from '../host/choices.ts';
import { useConnection } from '../host/connection.ts';
import { useSensorChoice } from './sensorChoice.ts';
import { createSensorFiles } from './sensorFiles.ts';
import { createSensorView } from './sensorView.ts';

/** How the sensor is run where it is not as its file says. */
export interface SensorRun {
  rateHz?: number | undefined;
  mode?: string | undefined;
}

const firstChoice = 'hdl-32e';
const stored = { kind: 'sensor', drafts: storedInTab('sensors.drafts') } as const;

export const useSensors = defineStore('sensors', () => {
  const client = useClient();
  const choices = useChoices();
  const connection = useConnection();
  const listed = createSensorFiles(client);
  const { files } = listed;
  const { chosen, isPicked, mountedAs, rangeM, rateHz, mode } = useSensorChoice();
  const view = createSensorView(client);
  const { shown } = view;
  const error = ref<string | null>(null);
  const fail = (failure: unknown): void => void (error.value = sentenceOf(failure));
  const document = createEditedText(client, { ...stored, chosen, valid: show, failed: fail });
  const { source, text, data, problems, isEdited, offered, takeOffered, dropOffered } = document;
  let generation = 0;

  /** Settings for scans and plots; the text goes with them where it differs from the file. */
  const settings = computed(() => ({
    sensor: chosen.value,
    ...(rateHz.value !== null && { rateHz: rateHz.value }),
    ...(mode.value !== null && { mode: mode.value }),
  }));
  const command = computed(() => {
    const run = { rangeM: rangeM.value, rateHz: rateHz.value, mode: mode.value };
    return commandOf('sensor.show', { sensor: chosen.value, ...run });
  });

  const chooseFirst = (list: readonly { id: string }[]): void => {
    if (chosen.value !== '' || list.length === 0) return;
    void read((list.find(({ id }) => id === firstChoice) ?? list[0])?.id ?? '');
  };
  watch(() => choices.sensors, chooseFirst, { immediate: true });
  watch([rateHz, mode], () => void show());
  connection.whenOpen(() => {
    if (chosen.value !== '' && shown.value === null) void reread();
  });
  return {
    files,
    chosen,
    isPicked,
    mountedAs,
    rangeM,
    rateHz,
    mode,
    shown,
    error,
    source,
    text,
    data,
    problems,
    isEdited,
    settings,
    command,
    offered,
    takeOffered,
    dropOffered,
    choose,
    takeMounted,
    addFile,
    forgetFile,
    edit,
    revert,
    save,
  };

  /** Inspects another sensor; unsaved edits are discarded. */
  async function choose(idOrFile: string): Promise<void> {
    isPicked.value = true;
    mountedAs.value = null;
    document.dropDrafts();
    await read(idOrFile);
  }

  /** Inspects a sensor of the open scene, as it is run there. */
  async function takeMounted(name: string, idOrFile: string, run: SensorRun): Promise<void> {
    mountedAs.value = name;
    document.dropDrafts();
    await read(idOrFile, run);
  }

  async function read(idOrFile: string, run: SensorRun = {}): Promise<void> {
    generation += 1;
    const mine = generation;
    view.drop();
    chosen.value = idOrFile;
    [rateHz.value, mode.value] = [run.rateHz ?? null, run.mode ?? null];
    error.value = null;
    try {
      await document.read(idOrFile);
    } catch (failure) {
      fail(failure);
    }
    if (mine === generation) await show();
  }

  function reread(): Promise<void> {
    const run = { rateHz: rateHz.value ?? undefined, mode: mode.value ?? undefined };
    return read(chosen.value, run);
  }

  /** A sensor file by its path on the host. @throws UnderstoryError where it cannot be read */
  async function addFile(file: string): Promise<void> {
    await listed.add(file);
    await choose(file);
  }

  /** Removes a file from the list; the file itself stays. */
  function forgetFile(file: string): void {
    listed.forget(file);
    if (chosen.value === file) void choose(choices.sensors[0]?.id ?? firstChoice);
  }

  function edit(change: FormEdit): void {
    isPicked.value = true;
    document.edit(change);
  }

  /** Back to what the file says. */
  async function revert(): Promise<void> {
    document.dropDrafts();
    await reread();
  }

  /** @throws UnderstoryError where the host refuses: a sample, a file that is there. */
  async function save(file: string, isReplacing: boolean): Promise<void> {
    await addFile(await document.save(file, isReplacing));
  }

  async function show(): Promise<void> {
    if (chosen.value === '') return;
    try {
      const edited = isEdited.value ? { text: text.value } : {};
      if (await view.read({ ...settings.value, ...edited })) error.value = null;
    } catch (failure) {
      fail(failure);
      if (!isEdited.value) shown.value = null;
    }
  }
});
