// The files that a scenario's text refers to, as far as they can be read in spite of problems elsewhere in
// it, so that a person learns of everything at once.
import { formatPath } from '#contract/documents/problems.ts';
import { isFileModelKind, type FileModelKind } from '#contract/documents/scene.ts';
import { tiledParts } from '#contract/documents/tiledParts.ts';
import { parseYaml } from './parsedText.ts';
import { entries, field, items } from '#contract/documents/unknownData.ts';

export interface Referral {
  kind:
    | 'sensor'
    | 'plant'
    | 'species'
    | 'stand'
    | FileModelKind
    | 'height-field'
    | 'trajectory'
    | 'bake';
  /** Path of the field that names the file, as problems write it. */
  path: string;
  /** The same path, key by key. */
  keys: (string | number)[];
  /** A file, or the id of a sample. */
  name: string;
}

/** In the order of the text's kinds; none where it is no YAML. */
export function referralsOf(text: string): Referral[] {
  const scenario = parseYaml(text).data;
  const scene = field(scenario, 'scene');
  const found: Referral[] = [];
  const refer = (kind: Referral['kind'], keys: (string | number)[], name: unknown): void => {
    if (typeof name !== 'string' || name === '') return;
    found.push({ kind, path: formatPath(keys), keys, name });
  };
  for (const [name, model] of entries(field(scene, 'models'))) {
    const at = ['scene', 'models', name];
    const kind = field(model, 'kind');
    if (kind === 'plant') refer('plant', [...at, 'plant'], field(model, 'plant'));
    if (isFileModelKind(kind)) {
      refer(kind, [...at, 'file'], field(model, 'file'));
    }
  }
  for (const { at, part: stand } of tiledParts(scene, 'stands')) {
    if (field(stand, 'kind') === 'list') refer('stand', [...at, 'file'], field(stand, 'file'));
    for (const [name, species] of entries(field(stand, 'species'))) {
      refer('species', [...at, 'species', name], species);
    }
  }
  const ground = field(scene, 'ground');
  if (field(ground, 'kind') === 'height-field') {
    refer('height-field', ['scene', 'ground', 'file'], field(ground, 'file'));
  }
  for (const [name, motion] of entries(field(scene, 'motions'))) {
    if (field(motion, 'kind') !== 'trajectory') continue;
    refer('trajectory', ['scene', 'motions', name, 'file'], field(motion, 'file'));
  }
  if (entries(field(scene, 'motions')).some(([, motion]) => field(motion, 'kind') === 'baked')) {
    refer('bake', ['scene', 'physics', 'file'], field(field(scene, 'physics'), 'file'));
  }
  const survey = field(scenario, 'survey');
  if (field(survey, 'kind') === 'trajectory') {
    refer('trajectory', ['survey', 'file'], field(survey, 'file'));
  }
  for (const [index, mount] of items(field(scenario, 'sensors')).entries()) {
    refer('sensor', ['sensors', index, 'sensor'], field(mount, 'sensor'));
  }
  return found;
}
