// The chosen model in a scene: added to the scenario that is open, or in a new one; and the drive of that scenario.
import { defineStore } from 'pinia';
import { computed, ref } from 'vue';
import { toWire } from '#contract/errors.ts';
import { useClient } from '#renderer/client/injection.ts';
import { fileFrom, slugOf, stemOf } from '#renderer/logic/learn/fileNames.ts';
import {
  addModelEdits,
  groundBelow,
  isInScene,
  newSceneText,
  otherSystem,
} from '#renderer/logic/learn/modelScene.ts';
import { sentenceOf } from '#renderer/logic/problems.ts';
import { useDriveForm } from '../drive/driveForm.ts';
import { usePlace } from '../frame/place.ts';
import { useChoices } from '../host/choices.ts';
import { useOpening } from '../scene/opening.ts';
import { useSceneEdit } from '../scene/sceneEdit.ts';
import { useLearnView } from './learnView.ts';
import { useModelFiles } from './modelFiles.ts';

/** Names that are tried for a new scenario. */
const maxNames = 100;

export const useModelScene = defineStore('modelScene', () => {
  const client = useClient();
  const place = usePlace();
  const choices = useChoices();
  const driveForm = useDriveForm();
  const opening = useOpening();
  const edit = useSceneEdit();
  const models = useModelFiles();
  const view = useLearnView();
  const isBusy = ref(false);
  const error = ref<string | null>(null);
  /** The name of the open scenario; null: none is open. */
  const openName = computed(() => edit.file?.split(/[\\/]/).at(-1) ?? null);
  return { isBusy, error, openName, add, addToNew, drive };

  /** Adds the model to the open scenario and shows it, or makes a scenario. */
  async function add(): Promise<void> {
    if (edit.file === null) return addToNew();
    await attempt(async () => {
      const file = await fileIn(edit.file ?? '');
      if (file === null) return;
      error.value = otherSystem(edit.data, models.shownModel?.header?.crs ?? null);
      if (error.value !== null) return;
      const change = addModelEdits(edit.data, file, slugOf(stemOf(file)));
      if (change !== null) {
        if (!(await edit.apply(change.edits, 'Add learned model'))) return;
        edit.select(change.path);
      }
      place.go('scene');
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
      const own = edit.file === null ? null : await fileIn(edit.file);
      if (own !== null && edit.file !== null && isInScene(edit.data, own)) {
        if (edit.isDirty || edit.isSample) await edit.save();
        if (edit.isDirty || edit.isSample) {
          place.go('scene');
          return;
        }
        toDrive(edit.file);
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
    place.go('drive');
  }

  /** The file of the shown model as a scenario names it; null: none is shown. */
  async function fileIn(scenario: string): Promise<string | null> {
    if (models.shown === null) return null;
    const { dataFolder } = await client.call('host.info', {});
    return fileFrom(scenario, models.shown, dataFolder);
  }

  /** Saves a scenario with the shown model in the data folder; its path. */
  async function createScenario(): Promise<string | null> {
    const model = models.shownModel;
    if (model === null || model.header === null) return null;
    const { dataFolder } = await client.call('host.info', {});
    const name = slugOf(stemOf(model.file));
    for (let number = 1; number <= maxNames; number += 1) {
      const own = number === 1 ? name : `${name}-${number}`;
      const file = `${dataFolder}/scenarios/${own}.understory.yaml`;
      const text = sceneText(own, fileFrom(file, model.file, dataFolder));
      try {
        const request = { kind: 'scenario', text, file, isReplacing: false } as const;
        return (await client.call('document.save', request)).file;
      } catch (failure) {
        if (toWire(failure).details?.['reason'] !== 'exists') throw failure;
      }
    }
    return null;
  }

  function sceneText(title: string, file: string): string {
    const { originM } = models.shownModel?.header ?? { originM: [0, 0, 0] as const };
    const cloud = view.cloud;
    const firstM = cloud.reply?.firstM ?? originM;
    const lastM = cloud.reply?.lastM ?? originM;
    const [ox, oy, oz] = view.originM;
    const inView = [firstM[0] - ox, firstM[1] - oy, firstM[2] - oz] as const;
    const below = cloud.table === undefined ? null : groundBelow(cloud.table.positionsM, inView);
    return newSceneText({
      title,
      file,
      crs: models.shownModel?.sceneCrs ?? null,
      originM,
      firstM,
      lastM,
      groundM: below === null ? originM[2] : below + oz,
      groundSizeM: 400,
    });
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
