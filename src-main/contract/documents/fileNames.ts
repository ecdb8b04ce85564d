// Names of files in documents, and which of them may come from elsewhere: none that leads to a place of this machine.
import type { Scenario } from './scenario.ts';

/** Whether a name says where a file is on one machine, by the rules of any operating system. */
export function isAbsoluteName(name: string): boolean {
  return /^([/\\]|[A-Za-z]:[/\\])/.test(name);
}

/** A replacer of JSON.stringify: a file that was given by its absolute name is named without folders. */
export function withoutFolders(key: string, value: unknown): unknown {
  const isFile = ['file', 'sensor', 'plant'].includes(key) && typeof value === 'string';
  return isFile && isAbsoluteName(value) ? value.replace(/^.*[/\\]/, '') : value;
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
    ...(ground.kind === 'height-field'
      ? [{ path: ['scene', 'ground', 'file'], name: ground.file }]
      : []),
    ...sensors.map(({ sensor: name }, index) => ({ path: ['sensors', index, 'sensor'], name })),
    ...(survey?.kind === 'trajectory' ? [{ path: ['survey', 'file'], name: survey.file }] : []),
  ];
}
