// Names of files in documents, and which of them may come from elsewhere: none that leads to a place of this machine.
import { isAbsoluteName } from './absoluteName.ts';
import type { Scenario } from './scenario.ts';
import { isTreeStand, type Stand } from './stand.ts';
import { standsOf } from './tiledParts.ts';
import { entries } from './unknownData.ts';

/** A replacer of JSON.stringify: a file that was given by its absolute name is named without folders. */
export function withoutFolders(key: string, value: unknown): unknown {
  if (key === 'species') {
    return Object.fromEntries(
      entries(value).map(([name, of]) => [name, withoutFolders('file', of)]),
    );
  }
  const isFile = ['file', 'sensor', 'plant'].includes(key) && typeof value === 'string';
  return isFile && isAbsoluteName(value) ? value.replace(/^.*[/\\]/, '') : value;
}

/** A file of a list, and species, which may be ids of samples. */
function standFiles(stand: Stand, at: PropertyKey[]): { path: PropertyKey[]; name: string }[] {
  if (!isTreeStand(stand)) return [];
  return [
    ...(stand.kind === 'list' ? [{ path: [...at, 'file'], name: stand.file }] : []),
    ...Object.entries(stand.species).map(([key, name]) => ({
      path: [...at, 'species', key],
      name,
    })),
  ];
}

/** Every name of a file that a scenario holds, with its path. Sensors and plants may be ids of samples. */
export function fileNamesOf(scenario: Scenario): { path: PropertyKey[]; name: string }[] {
  const { scene, sensors, survey } = scenario;
  const { ground } = scene;
  return [
    ...Object.entries(scene.models).flatMap(([model, source]) =>
      ['file', 'plant'].flatMap((key) => {
        const name: unknown = Reflect.get(source, key);
        return typeof name === 'string' ? [{ path: ['scene', 'models', model, key], name }] : [];
      }),
    ),
    ...standsOf(scene).flatMap(({ at, part }) => standFiles(part, at)),
    ...(ground.kind === 'height-field'
      ? [{ path: ['scene', 'ground', 'file'], name: ground.file }]
      : []),
    ...Object.entries(scene.motions ?? {}).flatMap(([motion, law]) =>
      law.kind === 'trajectory'
        ? [{ path: ['scene', 'motions', motion, 'file'], name: law.file }]
        : [],
    ),
    ...(scene.physics ? [{ path: ['scene', 'physics', 'file'], name: scene.physics.file }] : []),
    ...sensors.map(({ sensor: name }, index) => ({ path: ['sensors', index, 'sensor'], name })),
    ...(survey?.kind === 'trajectory' ? [{ path: ['survey', 'file'], name: survey.file }] : []),
  ];
}
