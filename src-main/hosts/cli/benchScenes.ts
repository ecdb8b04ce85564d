// Scenes of `bench scan` that are learned: from a drive through the courtyard, once, into the data folder. The models and
// their scenarios are a cache: deleted, they are learned again.
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { dataFolderOf } from '#hosts/dataFolder.ts';
import { assetsFolder } from '#hosts/packageFolders.ts';
import type { Pose } from '#contract/commands/commandOptions.ts';
import { makeVoxelPair, voxelPair, voxelScenes } from './benchVoxels.ts';
import { watchToTheEnd } from './commands/drive.ts';
import { defined } from './commands/shared.ts';
import type { Session, SharedOptions } from './session.ts';

/** `learned`: all of it is elements. `learned-mixed`: its trees are meshes, the rest is elements. */
export const learnedScenes = ['learned', 'learned-mixed'] as const;

/** The scene that they are learned from, and compared with. */
const courtyard = 'courtyard';
/** Another value where what follows changes: what was learned before is not used then. */
const edition = 2;
const sensor = 'hdl-64e-goodin2018';
/** The way of the vehicle is 50 m then. */
const driveSeconds = 25;
/** A million elements and more. */
const voxel = { voxelM: 0.1, minPoints: 3 };

interface CourtyardDocument {
  scene: {
    models: Record<string, unknown>;
    instances: { model: string; positionM?: number[] }[];
    scatters: { model: string }[];
  } & Record<string, unknown>;
}

/** The scene of a `bench scan`, as it is asked for. */
interface AskedScene {
  scene: string;
  reference?: string;
  pose?: Pose;
}

/** The scenario of a scene, made where it is one of `learnedScenes` or `voxelScenes`, and the one to compare with. */
export async function sceneOfBench(
  session: Session,
  { scene, reference, pose, ...options }: SharedOptions & AskedScene,
): Promise<{ scenario: string } & Omit<AskedScene, 'scene'>> {
  const asked = defined({ reference, pose });
  const cacheFolder = join(
    dataFolderOf({ ...session.surroundings, option: options.data }),
    'cache',
    'bench',
  );
  const voxels = voxelScenes.find((name) => name === scene);
  if (voxels !== undefined) {
    const pair = voxelPair(voxels, cacheFolder);
    if (!existsSync(pair.scenario)) await makeVoxelPair(session, voxels, pair);
    return { scenario: pair.scenario, reference: pair.reference, pose: pair.pose, ...asked };
  }
  const learned = learnedScenes.find((name) => name === scene);
  if (learned === undefined) return { scenario: scene, ...asked };
  const folder = join(cacheFolder, `${learned}-${edition}`);
  const scenario = join(folder, 'scene.understory.yaml');
  // Written last.
  if (!existsSync(scenario)) await learnScene(session, learned, folder, scenario);
  return { scenario, reference: courtyard, ...asked };
}

async function learnScene(
  session: Session,
  name: (typeof learnedScenes)[number],
  folder: string,
  scenario: string,
): Promise<void> {
  const { call, terminal } = session;
  terminal.say(`learning the scene '${name}' from a drive through the ${courtyard}: once`);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  // Why only now: the reader would slow the start of every command.
  const { parse } = await import('yaml');
  const document = parse(
    readFileSync(join(assetsFolder, 'scenarios', `${courtyard}.understory.yaml`), 'utf8'),
  ) as CourtyardDocument;
  const isMixed = name === 'learned-mixed';
  const driven = join(folder, 'driven.understory.yaml');
  writeFileSync(driven, textOf(isMixed ? without(document, 'tree') : document));
  const { reply } = await call('drive.start', {
    scenario: driven,
    sensor,
    seconds: driveSeconds,
    viewPoints: 1,
    settings: ['recording.misses=true'],
  });
  await watchToTheEnd(session, reply.runId);
  // Logs and models are refused in this part of the data folder.
  const outside = mkdtempSync(join(tmpdir(), 'understory-bench-'));
  const log = join(outside, 'drive.log');
  const learned = join(outside, 'site.ply');
  await call('log.import', { source: reply.runId, out: log });
  await call('learn.start', {
    logs: [log],
    model: 'voxel',
    out: learned,
    parameters: { volume: voxel },
  });
  copyFileSync(learned, join(folder, 'site.ply'));
  rmSync(outside, { recursive: true });
  await call('runs.delete', { runIds: [reply.runId] });
  await call('runs.empty', { runIds: [reply.runId] });
  writeFileSync(scenario, textOf(learnedScene(document, isMixed)));
}

/** The document without objects of a model. */
function without(document: CourtyardDocument, model: string): CourtyardDocument {
  const { scene } = document;
  const others = (item: { model: string }): boolean => item.model !== model;
  const instances = scene.instances.filter(others);
  return { ...document, scene: { ...scene, instances, scatters: scene.scatters.filter(others) } };
}

/** The learned site, and where it is mixed the trees beside it. */
function learnedScene(document: CourtyardDocument, isMixed: boolean): CourtyardDocument {
  const trees = without(document, 'grass').scene;
  const site = { name: 'site', model: 'site', positionM: [0, 0, 0], onGround: false };
  return {
    ...document,
    scene: {
      materials: trees['materials'],
      models: { ...trees.models, site: { kind: 'learned', file: 'site.ply', material: 'soil' } },
      instances: [site, ...(isMixed ? trees.instances : [])],
      scatters: isMixed ? trees.scatters : [],
    },
  };
}

/** JSON is YAML. */
function textOf(document: CourtyardDocument): string {
  return `${JSON.stringify(document, null, 2)}\n`;
}
