// Problems at the very part that is wrong, and bounds of every number that a form of a scenario shows.
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { parseWith, formatPath } from '#contract/documents/problems.ts';
import { scenarioSchema } from '#contract/documents/scenario.ts';
import { allFields, withEdit, type FormField } from '#renderer/logic/forms/schemaForm.ts';
import type { FieldControl } from '#renderer/logic/forms/fieldControl.ts';
import { problemsOfField } from '#renderer/logic/forms/problemsOfField.ts';
import { sceneFields } from '#renderer/logic/sceneEdit/sceneFields.ts';
import type { DocumentPath } from '#renderer/logic/forms/jsonSchema.ts';
import { namesIn } from '#renderer/logic/sceneEdit/sceneChanges.ts';
import { outlineOf, valueAt } from '#renderer/logic/sceneEdit/sceneOutline.ts';
import { partAt } from '#renderer/logic/sceneEdit/sceneParts.ts';

const sample: unknown = parse(
  readFileSync(
    new URL('../../../../assets/scenarios/courtyard.understory.yaml', import.meta.url),
    'utf8',
  ),
);
const choices = { models: [], materials: [], motions: [], sensors: [], plants: [], inMesh: [] };

function fieldsAt(data: unknown, path: DocumentPath) {
  const kind = partAt(path)?.kind;
  if (kind === undefined) throw new Error(`no part at ${formatPath(path)}`);
  return valuesOf(sceneFields(kind, valueAt(data, path), choices));
}

/** The controls of a form. */
function valuesOf(fields: readonly FormField[]): FieldControl[] {
  return allFields(fields).flatMap((one) => (one.kind === 'value' ? [one.control] : []));
}

/** The problem of a field once the document has this value below the part. */
function said(part: DocumentPath, own: DocumentPath, label: string, value: unknown) {
  const data = withEdit(sample, { path: [...part, ...own], op: 'set', value });
  const field = fieldsAt(data, part).find((one) => one.label === label);
  if (field === undefined) throw new Error(`no field ${label}`);
  const { problems } = parseWith(scenarioSchema, data);
  return problemsOfField(problems, field, formatPath([...part, ...field.path]));
}

describe('problems of a field', () => {
  const instance = ['scene', 'instances', 0];
  const scatter = ['scene', 'scatters', 0];

  it('are those of the coordinate that is wrong, by its name', () => {
    expect(said(instance, ['positionM'], 'Position', [1, 'two', 3])).toEqual({
      text: "y: expected a number, found 'two'",
      parts: new Set([1]),
    });
    expect(said(instance, ['positionM'], 'Position', [1, null, 1e10])).toEqual({
      text: 'y: expected a number, found an empty value; z: expected at most 1000000000, found 10000000000',
      parts: new Set([1, 2]),
    });
  });

  it('are those of the whole where no part alone is wrong', () => {
    expect(said(scatter, ['scale'], 'Scale', [2, 1])).toEqual({
      text: 'expected [from, to] with from no larger than to',
      parts: null,
    });
    expect(said(instance, ['positionM'], 'Position', 7).parts).toBeNull();
    expect(said(instance, ['positionM'], 'Position', [1, 2, 3]).text).toBeUndefined();
  });

  it('name the line and the number of rows, circles and spectra', () => {
    const area = [
      [0, 0],
      [1, 'x'],
      [2, 2],
    ];
    expect(said(scatter, ['areaM'], 'Area', area).text).toBe(
      "line 2, y: expected a number, found 'x'",
    );
    const circles = [
      { centreM: [0, 0], radiusM: 1 },
      { centreM: ['x', 0], radiusM: -1 },
    ];
    expect(said(scatter, ['keepClear'], 'Exclusion zones', circles).text).toBe(
      "line 2, x: expected a number, found 'x'; line 2, radius: expected more than 0, found -1",
    );
    const [material = ''] = Object.keys(valueAt(sample, ['scene', 'materials']) as object);
    const spectrum = [[905, 1.2]];
    const at = ['scene', 'materials', material];
    expect(said(at, ['reflectance'], 'Reflectance', spectrum).text).toBe(
      'line 1, share: expected at most 1, found 1.2',
    );
  });
});

type Addable = Extract<FormField, { kind: 'group' | 'list' }>;

describe('optional groups and lists', () => {
  /** With every part that a scenario can have once. */
  const whole = [
    { path: ['scene', 'weather'], value: {} },
    { path: ['scene', 'wind'], value: { speedMPerS: 8 } },
    {
      path: ['survey'],
      value: { kind: 'positions', seconds: 1, positions: [{ positionM: [0, 0, 2] }] },
    },
  ].reduce<unknown>((data, { path, value }) => withEdit(data, { path, op: 'set', value }), sample);
  const named = {
    ...choices,
    models: namesIn(sample, 'models'),
    materials: namesIn(sample, 'materials'),
  };
  const paths = outlineOf(whole, [], null).flatMap(({ items }) => items.map(({ path }) => path));

  /** Those at a path of the scenario and within it, with the paths of their additions. */
  function tried(data: unknown, path: DocumentPath): string[] {
    const kind = partAt(path)?.kind;
    if (kind === undefined) throw new Error(`no part at ${formatPath(path)}`);
    const fields = addable(sceneFields(kind, valueAt(data, path), named));
    return fields.flatMap((one) => {
      const at = [...path, ...one.path];
      const value = one.kind === 'group' ? one.template : [one.template];
      const after = withEdit(data, { path: at, op: 'set', value });
      expect(parseWith(scenarioSchema, after).problems, formatPath(at)).toEqual([]);
      const now = allFields(sceneFields(kind, valueAt(after, path), named));
      expect(now.find((same) => same.path.join() === one.path.join())?.isPresent).toBe(true);
      expect(withEdit(after, { path: at, op: 'remove' })).toEqual(data);
      return [
        formatPath(at),
        ...tried(after, path).filter((name) => name.startsWith(formatPath(at))),
      ];
    });
  }

  /** Groups and lists that are not there, in parts that are. */
  function addable(fields: readonly FormField[]): Addable[] {
    return fields.flatMap((one) => {
      if (one.kind !== 'group' && one.kind !== 'list') return [];
      if (!one.isPresent) return [one];
      return addable(one.kind === 'group' ? one.fields : one.items);
    });
  }

  it('are added as the schema accepts them, and removed', () => {
    expect(parseWith(scenarioSchema, whole).problems).toEqual([]);
    const names = paths.flatMap((path) => tried(whole, path));
    expect(names).toEqual(
      expect.arrayContaining([
        ...['rain', 'snow', 'fog', 'smoke', 'dust'].map((name) => `scene.weather.${name}`),
        ...['scene.physics', 'recording', 'vehicle.body', 'survey.mount', 'survey.noise'],
        ...['survey.noise.position', 'survey.noise.attitude'],
      ]),
    );
  });

  it('start with names of the scene, and names of their own', () => {
    const vehicle = fieldsOf({}, named);
    if (vehicle?.kind !== 'list') throw new Error('no list');
    expect(vehicle).toMatchObject({ isPresent: false, least: 1, isOptional: true });
    const first = { kind: 'box', name: 'part', material: named.materials[0] };
    expect(vehicle.template).toMatchObject(first);
    const next = fieldsOf({ body: [first] }, named);
    expect(next).toMatchObject({ template: { name: 'part-2' } });
    if (next?.kind !== 'list' || next.items[0]?.kind !== 'variant') throw new Error('no variants');
    expect(next.items[0].options.map(({ label }) => label)).toEqual(['Box', 'Model']);
    expect(next.items[0].options[1]?.template).toMatchObject({
      kind: 'model',
      name: 'part',
      model: named.models[0],
    });
  });

  function fieldsOf(vehicle: unknown, of: typeof named): FormField | undefined {
    return sceneFields('vehicle', vehicle, of).find(({ label }) => label === 'Body');
  }
});

describe('bounds', () => {
  it('are known of every number of every part', () => {
    let numbers = 0;
    for (const { items } of outlineOf(sample, [], null)) {
      for (const { path } of items) {
        for (const field of fieldsAt(sample, path)) {
          const what = `${formatPath(path)}: ${field.label}`;
          if (field.kind === 'number' || field.kind === 'spectrum') {
            expect(field.bounds, what).toBeDefined();
            numbers += 1;
          }
          if (field.kind !== 'numbers') continue;
          expect(field.bounds, what).toHaveLength(field.parts.length);
          expect(field.bounds, what).not.toContain(undefined);
        }
      }
    }
    expect(numbers).toBeGreaterThan(50);
  });
});
