// The chosen model in a scene: added to the scenario that is open, or in a new one; and the drive of that scenario.
import { defineStore } from 'pinia';
import { computed, ref } from 'vue';
import { toWire } from '#contract/errors.ts';
import { slugOf, stemOf } from '#domain/shared/fileNames.ts';
import { addModelEdits, isInScene, otherSystem } from '#domain/shared/modelInScene.ts';
import { useClient } from '#renderer/client/injection.ts';
import { commandOf } from '#renderer/logic/commandLine.ts';
import { sentenceOf } from '#renderer/logic/problems.ts';
import { sceneTitle } from '#renderer/logic/scene/sceneTitle.ts';
import { useDriveForm } from '../drive/driveForm.ts';
import { usePlace } from '../frame/place.ts';
import { useChoices } from '../host/choices.ts';
import { useConnection } from '../host/connection.ts';
import { useOpening } from '../scene/opening.ts';
import { useSceneEdit } from '../scene/sceneEdit.ts';
import { useLogFiles } from './logFiles.ts';
import { useModelFiles } from './modelFiles.ts';

/** Names that are tried for a new scenario. */
const maxNames = 100;

export const useModelScene = defineStore('modelScene', () => {
  const client = useClient();
  const page = usePlace();
  const choices = useChoices();
  const driveForm = useDriveForm();
  const opening = useOpening();
  const edit = useSceneEdit();
  const logs = useLogFiles();
  const models = useModelFiles();
  const data = useDataFolder();
  const isBusy = ref(false);
  const error = ref<string | null>(null);
  /** The name of the open scenario; null: none is open. */
  const openName = computed(() => edit.file?.split(/[\\/]/).at(-1) ?? null);
  /** The model and the open scenario; null: one of them is missing. */
  const place = computed(() => {
    const [model, scenario] = [models.shown, edit.file];
    return model === null || scenario === null ? null : { model, scenario };
  });
  /** A log whose drive a new scenario can have. */
  const log = computed(() => (logs.shownLog?.statistics == null ? undefined : logs.shownLog.file));
  const newCommand = computed(() => commandTo(undefined));
  /** Adds the model to the open scenario, or to a new one; null: no model is shown, or the scenario has it. */
  const addCommand = computed(() => {
    if (place.value === null) return newCommand.value;
    const name = edit.isSample && !edit.isDirty ? edit.document : edit.file;
    return isInScene(edit.data, place.value) ? null : commandTo(name ?? undefined);
  });
  /** Makes the scenario of a drive; null: the open one has the model, or no model is shown. */
  const driveCommand = computed(() =>
    place.value !== null && isInScene(edit.data, place.value) ? null : newCommand.value,
  );
  const commands = { addCommand, driveCommand };
  return { isBusy, error, openName, ...commands, add, addToNew, drive, saveOpen };

  /** Adds the model to the open scenario and shows it, or makes a scenario. */
  async function add(): Promise<void> {
    if (edit.file === null) return addToNew();
    await attempt(async () => {
      if (place.value === null) return;
      error.value = otherSystem(edit.data, models.shownModel?.header?.crs ?? null);
      if (error.value !== null) return;
      const dataFolder = await data.read();
      const change = addModelEdits(edit.data, { ...place.value, dataFolder });
      if (change !== null) {
        if (!(await edit.apply(change.edits, 'Add learned model'))) return;
        edit.select(change.path);
      }
      page.go('scene');
    });
  }

  /** Opens a new scenario with the model. */
  async function addToNew(): Promise<void> {
    await attempt(async () => {
      const file = await createScenario();
      if (file !== null) await opening.openFile(file);
    });
  }

  /** Opens the form of a drive: of the open scenario where it has the model and is saved, else of a new one. */
  async function drive(): Promise<void> {
    await attempt(async () => {
      if (place.value !== null && isInScene(edit.data, place.value)) {
        if (edit.isDirty || edit.isSample) await edit.save();
        if (edit.isDirty || edit.isSample) {
          page.go('scene');
          return;
        }
        toDrive(place.value.scenario);
        return;
      }
      const file = await createScenario();
      if (file !== null) toDrive(file);
    });
  }

  function toDrive(file: string): void {
    choices.addOwnFile(file);
    driveForm.form.scenario = file;
    driveForm.form.sensors = [''];
    page.go('drive');
  }

  /** Saves the open scenario, so that a command can read it; where it needs a name, its page asks for one. */
  async function saveOpen(): Promise<void> {
    await edit.save();
    if (edit.isSaveAsOpen) page.go('scene');
  }

  /** Has the host make a scenario with the shown model in the data folder; its path. */
  async function createScenario(): Promise<string | null> {
    const model = models.shownModel;
    if (model === null || model.header === null) return null;
    const dataFolder = await data.read();
    const name = slugOf(stemOf(model.file));
    for (let number = 1; number <= maxNames; number += 1) {
      const own = number === 1 ? name : `${name}-${number}`;
      const request = {
        model: model.file,
        out: newFile(dataFolder, own),
        ...(log.value !== undefined && { log: log.value }),
      };
      try {
        return (await client.call('scenario.addModel', request)).file;
      } catch (failure) {
        if (toWire(failure).details?.['reason'] !== 'exists') throw failure;
      }
    }
    return null;
  }

  /** `scenario`: as a command names it; left out: a new one. */
  function commandTo(scenario: string | undefined): string | null {
    const model = models.shownModel;
    if (model === null || model.header === null || data.folder.value === '') return null;
    const parts = [...(scenario === undefined ? [] : [sceneTitle(scenario)]), stemOf(model.file)];
    const source = scenario === undefined ? { log: log.value } : { scenario };
    const out = newFile(data.folder.value, parts.map(slugOf).join('-'));
    return commandOf('scenario.addModel', { model: model.file, out, ...source });
  }

  async function attempt(work: () => Promise<void>): Promise<void> {
    [isBusy.value, error.value] = [true, null];
    try {
      await work();
    } catch (failure) {
      error.value = sentenceOf(failure);
    } finally {
      isBusy.value = false;
    }
  }
});

/** The data folder of the host; '' until it is known. */
function useDataFolder() {
  const client = useClient();
  const folder = ref('');
  useConnection().whenOpen(() => {
    // Why nothing on failure: without the folder there is no command to copy, and what needs it asks again.
    read().catch(() => {});
  });
  return { folder, read };

  async function read(): Promise<string> {
    folder.value = (await client.call('host.info', {})).dataFolder;
    return folder.value;
  }
}

function newFile(dataFolder: string, name: string): string {
  return `${dataFolder}/scenarios/${name}.understory.yaml`;
}
