// The fields of a scenario as a whole: name, seed, world coordinates, recording, classes.
import { classNamesOf } from '#contract/documents/scenarioReferences.ts';
import { field } from '#contract/documents/unknownData.ts';
import { number, place, type SceneField } from './sceneField.ts';

/** Fields of the scenario as a whole. */
export function scenarioFields(data: unknown): SceneField[] {
  return [
    { path: ['name'], label: 'Name', kind: 'text', isWide: true },
    {
      path: ['description'],
      label: 'Description',
      kind: 'text',
      isLong: true,
      isWide: true,
      fallback: '',
    },
    number(['seed'], 'Seed', { fallback: 1, isInteger: true }),
    {
      ...place(['scene', 'origin'], 'World origin', ['x', 'y', 'z'], { fallback: [0, 0, 0] }),
      hint: 'near the scene: UTM values go here',
      isOptional: true,
    },
    {
      path: ['scene', 'crs'],
      label: 'Coordinate system',
      kind: 'text',
      hint: 'EPSG:25832, or WKT',
      isOptional: true,
      isWide: true,
    },
    number(['scene', 'mirrorDepth'], 'Max mirror bounces', { fallback: 4, isInteger: true }),
    {
      path: ['recording', 'epoch'],
      label: 'Recording epoch',
      kind: 'text',
      isOptional: true,
      fallback: '',
      hint: 'such as 2026-11-22T12:00:00Z',
    },
    {
      path: ['recording', 'truth'],
      label: 'Record ground truth',
      kind: 'switch',
      fallback: true,
      isOptional: true,
    },
    {
      path: ['recording', 'organised'],
      label: 'Organised clouds',
      kind: 'switch',
      fallback: false,
      isOptional: true,
      hint: 'a row for each ring',
    },
    {
      path: ['recording', 'misses'],
      label: 'Record pulses without an echo',
      kind: 'switch',
      fallback: false,
      isOptional: true,
      hint: 'for logs',
    },
    ...classNamesOf(field(data, 'scene')).map((name) =>
      number(['scene', 'classes', name, 'lasCode'], `LAS code of ${name}`, {
        isInteger: true,
        isOptional: true,
      }),
    ),
  ];
}
