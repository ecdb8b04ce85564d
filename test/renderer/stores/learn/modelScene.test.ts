// The shown model in a scenario: the open one or a new one, and the drive of it.
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { UnderstoryError } from '#contract/errors.ts';
import { useDriveForm } from '#renderer/stores/drive/driveForm.ts';
import { usePlace } from '#renderer/stores/frame/place.ts';
import { useLogFiles } from '#renderer/stores/learn/logFiles.ts';
import { useModelFiles } from '#renderer/stores/learn/modelFiles.ts';
import { useModelScene } from '#renderer/stores/learn/modelScene.ts';
import { useSceneEdit } from '#renderer/stores/scene/sceneEdit.ts';
import { answerFiles, answerLearning, modelOf } from '../hostAnswers.ts';
import { untilCancelled } from '../pageOf.ts';
import { openPage, type OpenPage } from '../openPage.ts';

let page: OpenPage;
/** Texts by file; a text is JSON here. */
let files: Map<string, string>;
let samples: Set<string>;
/** Requests that made scenarios. */
let added: unknown[];

const model = modelOf('Site A', { logHashes: [], originM: [0, 0, 0] });
const ownFile = '/d/scenarios/site-a.understory.yaml';
/** A scenario that places the model. */
const withModel = JSON.stringify({
  scene: {
    materials: { soil: {} },
    models: { site: { kind: 'learned', file: '../models/Site A.ply', material: 'soil' } },
    instances: [{ name: 'site', model: 'site' }],
  },
});

beforeEach(() => {
  page = openPage({ at: '#/learn' });
  answerLearning(page, { logs: [], models: [model] });
  page.answer('host.info', () => ({ dataFolder: '/d' }));
  page.answer('learn.elements', untilCancelled().how);
  page.answer('scenario.check', () => ({ problems: [] }));
  page.answer('scene.open', untilCancelled().how);
  added = [];
  files = new Map([
    ['/d/scenarios/open.yaml', '{"scene":{}}'],
    ['courtyard', '{}'],
  ]);
  ({ samples } = answerFiles(page, files));
  page.answer('scenario.addModel', (request) => {
    const { out, model } = request as { out: string; model: string };
    if (files.has(out)) throw new UnderstoryError('bad-input', 'there', { reason: 'exists' });
    added.push(request);
    files.set(out, withModel.replace('../models/Site A.ply', model));
    return { file: out };
  });
  page.answer('document.edit', (request) => {
    const { text, edits = [] } = request as { text: string; edits?: unknown[] };
    const next = edits.length > 0 ? withModel : text;
    const data = next.startsWith('{') ? (JSON.parse(next) as unknown) : {};
    return { text: next, data, value: data, problems: [] };
  });
});

async function open(scenario: string | null) {
  const [scene, models, edit] = [useModelScene(), useModelFiles(), useSceneEdit()];
  await vi.waitFor(() => expect(models.shownModel).not.toBeNull());
  if (scenario !== null) await edit.open(scenario);
  return { scene, edit };
}

describe('adding the model', () => {
  it('to the open scenario is one step that can be undone, and shows it', async () => {
    const { scene, edit } = await open('/d/scenarios/open.yaml');
    await scene.add();
    expect([edit.text, edit.undoLabel]).toEqual([withModel, 'Add learned model']);
    expect([usePlace().activity, edit.selectedPath]).toEqual(['scene', ['scene', 'instances', 0]]);
    expect(page.calls).not.toContain('document.save');
  });

  it('to a scenario of another coordinate reference system is refused', async () => {
    const elsewhere = JSON.stringify({ scene: { crs: 'EPSG:25833' } });
    files.set('/d/scenarios/open.yaml', elsewhere);
    const crs = 'EPSG:25832';
    const placed = modelOf('Site A', { logHashes: [], originM: [0, 0, 0], crs });
    answerLearning(page, { logs: [], models: [placed] });
    const { scene, edit } = await open('/d/scenarios/open.yaml');
    await scene.add();
    expect(scene.error).toBe('The model is in EPSG:25832, the scene in EPSG:25833');
    expect([edit.text, usePlace().activity]).toEqual([elsewhere, 'learn']);
  });

  it('to a scenario that has it changes nothing', async () => {
    files.set('/d/scenarios/open.yaml', withModel);
    const { scene, edit } = await open('/d/scenarios/open.yaml');
    await scene.add();
    expect([edit.editCount, usePlace().activity]).toEqual([0, 'scene']);
  });

  it('that the host refuses stays here', async () => {
    const { scene } = await open('/d/scenarios/open.yaml');
    page.answer('document.edit', () => {
      throw new Error('too long');
    });
    await scene.add();
    expect([usePlace().activity, scene.isBusy]).toEqual(['learn', false]);
  });

  it('without an open scenario opens a new one along the shown log', async () => {
    answerLearning(page, { logs: ['a'], models: [model] });
    const { scene } = await open(null);
    useLogFiles().show('/d/logs/a.log');
    await scene.add();
    expect(added).toEqual([{ model: '/d/models/Site A.ply', out: ownFile, log: '/d/logs/a.log' }]);
    expect(usePlace().activity).toBe('scene');
  });

  it('to a new scenario replaces none that is there', async () => {
    files.set(ownFile, 'mine');
    const { scene } = await open(null);
    await scene.addToNew();
    expect(files.get(ownFile)).toBe('mine');
    expect(files.has('/d/scenarios/site-a-2.understory.yaml')).toBe(true);
  });

  it('reports why a new scenario cannot be saved, and tries no other name for it', async () => {
    const { scene } = await open(null);
    page.answer('scenario.addModel', () => {
      throw new UnderstoryError('io', 'disk full');
    });
    await scene.addToNew();
    expect([scene.error, scene.isBusy]).toEqual(['disk full', false]);
    expect(page.calls.filter((method) => method === 'scenario.addModel')).toHaveLength(1);
  });
});

describe('the drive', () => {
  it('is of the open scenario where that has the model, saved before', async () => {
    files.set('/d/scenarios/open.yaml', '{"scene":{}}');
    const { scene, edit } = await open('/d/scenarios/open.yaml');
    await edit.apply([{ path: ['n'], op: 'set', value: 1 }], 'Add');
    await scene.drive();
    expect(files.get('/d/scenarios/open.yaml')).toBe(withModel);
    expect([useDriveForm().form.scenario, usePlace().activity]).toEqual([
      '/d/scenarios/open.yaml',
      'drive',
    ]);
  });

  it('of a sample with the model asks for a name first', async () => {
    // Outside of the data folder the model is named by its absolute path.
    files.set('sample', withModel.replace('../', '/d/'));
    samples.add('sample');
    const { scene, edit } = await open('sample');
    await scene.drive();
    expect([edit.isSaveAsOpen, usePlace().activity]).toEqual([true, 'scene']);
  });

  it('is of a new scenario where the open one has no model', async () => {
    const { scene } = await open('/d/scenarios/open.yaml');
    const { form } = useDriveForm();
    form.sensors = ['vlp-16'];
    await scene.drive();
    expect([form.scenario, form.sensors, usePlace().activity]).toEqual([ownFile, [''], 'drive']);
    expect(files.get('/d/scenarios/open.yaml')).toBe('{"scene":{}}');
  });
});

describe('the commands', () => {
  const toNew = `npx understory scenario add-model '/d/models/Site A.ply' --out ${ownFile}`;

  it('make a new scenario where none is open, along the shown log', async () => {
    const { scene } = await open(null);
    expect([scene.addCommand, scene.driveCommand]).toEqual([toNew, toNew]);
    answerLearning(page, { logs: ['a'], models: [model] });
    await useLogFiles().refresh();
    useLogFiles().show('/d/logs/a.log');
    expect(scene.addCommand).toBe(toNew.replace(' --out', ' --log /d/logs/a.log --out'));
  });

  it('add to the open scenario, and drive through a new one', async () => {
    const { scene } = await open('/d/scenarios/open.yaml');
    expect(scene.addCommand).toBe(
      "npx understory scenario add-model '/d/models/Site A.ply' --to /d/scenarios/open.yaml --out /d/scenarios/open-site-a.understory.yaml",
    );
    expect(scene.driveCommand).toBe(toNew);
  });

  it('name a sample by its id', async () => {
    samples.add('courtyard');
    const { scene } = await open('courtyard');
    expect(scene.addCommand).toContain(' --to courtyard --out /d/scenarios/courtyard-site-a.');
  });

  it('are null if the open scenario has the model', async () => {
    files.set('/d/scenarios/open.yaml', withModel);
    const { scene } = await open('/d/scenarios/open.yaml');
    expect([scene.addCommand, scene.driveCommand]).toEqual([null, null]);
  });

  it('of unsaved edits can be copied when these are saved', async () => {
    const { scene, edit } = await open('/d/scenarios/open.yaml');
    await edit.apply([{ path: ['n'], op: 'set', value: 1 }], 'Add');
    expect(edit.isUnsaved).toBe(true);
    await scene.saveOpen();
    expect([edit.isUnsaved, usePlace().activity]).toEqual([false, 'learn']);
  });
});
