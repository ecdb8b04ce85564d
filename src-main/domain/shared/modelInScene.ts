// A learned model in a scenario: whether it is there, and the edits that place it where its log was.
import type { DocumentEdit } from '#contract/host/documentMethods.ts';
import { namedParts } from '#contract/documents/tiledParts.ts';
import { entries, field, items } from '#contract/documents/unknownData.ts';
import { isSameSystem, systemName } from './coordinateSystem.ts';
import { fileFrom, fileSeenFrom, slugOf, stemOf } from './fileNames.ts';

/** A model and the scenario that it is placed in. */
export interface ModelPlace {
  /** Absolute, as all files here. */
  model: string;
  scenario: string;
  dataFolder: string;
}

/** Edits of a document, and the path of the instance that they add. */
export interface AddedModel {
  edits: DocumentEdit[];
  path: (string | number)[];
}

/** Places a model where its log was: its positions are world coordinates. Null: an instance places it already. */
export function addModelEdits(data: unknown, place: ModelPlace): AddedModel | null {
  if (isInScene(data, place)) return null;
  const file = fileFrom(place.scenario, place.model, place.dataFolder);
  const scene = field(data, 'scene');
  const known = modelOf(data, place);
  const name = slugOf(stemOf(file));
  const key = known ?? freeKey((one) => field(field(scene, 'models'), one) !== undefined, name);
  const material = entries(field(scene, 'materials'))[0]?.[0];
  const taken = new Set(
    namedParts.flatMap((list) => items(field(scene, list)).map((one) => field(one, 'name'))),
  );
  const instance = {
    name: freeKey((one) => taken.has(one), key),
    model: key,
    positionM: [0, 0, 0],
    // Why: heights of the model are those of the world, whatever ground the scene has.
    onGround: false,
  };
  const path = ['scene', 'instances', items(field(scene, 'instances')).length];
  const edits: DocumentEdit[] = [];
  if (material === undefined) {
    const value = { reflectance: 0.25, colour: '#6e5a41' };
    edits.push({ path: ['scene', 'materials', 'soil'], op: 'set', value });
  }
  if (known === null) {
    const value = { kind: 'learned', file, material: material ?? 'soil' };
    edits.push({ path: ['scene', 'models', key], op: 'set', value });
  }
  edits.push({ path, op: 'insert', value: instance });
  return { edits, path };
}

/** The reason that a model cannot be placed where its log was; null: it can. `crs`: of the model, null: not known. */
export function otherSystem(data: unknown, crs: string | null): string | null {
  const ofScene = field(field(data, 'scene'), 'crs');
  if (crs === null || typeof ofScene !== 'string' || isSameSystem(ofScene, crs)) return null;
  return `The model is in ${systemName(crs)}, the scene in ${systemName(ofScene)}`;
}

/** Whether an instance places the model. */
export function isInScene(data: unknown, place: Omit<ModelPlace, 'dataFolder'>): boolean {
  const model = modelOf(data, place);
  if (model === null) return false;
  return items(field(field(data, 'scene'), 'instances')).some(
    (one) => field(one, 'model') === model,
  );
}

/** The name that the scene has for the model; null: none. */
function modelOf(
  data: unknown,
  { model, scenario }: Omit<ModelPlace, 'dataFolder'>,
): string | null {
  const models = entries(field(field(data, 'scene'), 'models'));
  const found = models.find(([, one]) => {
    const file = field(one, 'file');
    const isLearned = field(one, 'kind') === 'learned' && typeof file === 'string';
    return isLearned && fileSeenFrom(scenario, file) === model;
  });
  return found?.[0] ?? null;
}

function freeKey(isTaken: (name: string) => boolean, base: string): string {
  if (!isTaken(base)) return base;
  for (let number = 2; ; number += 1) {
    if (!isTaken(`${base}-${number}`)) return `${base}-${number}`;
  }
}
