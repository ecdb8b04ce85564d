// Every field of the scenario format is in the scene form, or is listed here as one that is edited as text or, keyframes,
// on the timeline.
import { describe, expect, it } from 'vitest';
import { formSchema } from '#contract/documents/publishedSchemas.ts';
import { allFields } from '#renderer/logic/forms/schemaForm.ts';
import { sceneFields } from '#renderer/logic/sceneEdit/sceneFields.ts';
import type { PartKind } from '#renderer/logic/sceneEdit/sceneParts.ts';

interface Schema {
  const?: unknown;
  properties?: Record<string, Schema>;
  oneOf?: Schema[];
  anyOf?: Schema[];
  items?: Schema;
  additionalProperties?: Schema;
}

const root = formSchema('scenario') as Schema;
const choices = { models: [], materials: [], motions: [], sensors: [], plants: [], inMesh: [] };
const scene = at(root, 'scene');

/** For each kind of part: its schema, and its fields that are edited as text. */
const parts: { kind: PartKind; schema: Schema; asText?: readonly string[] }[] = [
  { kind: 'instance', schema: at(scene, 'instances').items ?? {} },
  { kind: 'scatter', schema: at(scene, 'scatters').items ?? {} },
  {
    kind: 'stand',
    schema: at(scene, 'stands').items ?? {},
    asText: ['species', 'mixture'],
  },
  {
    kind: 'landscape',
    schema: at(scene, 'landscapes').items ?? {},
    asText: ['stands', 'scatters'],
  },
  { kind: 'wall', schema: at(scene, 'walls').items ?? {} },
  { kind: 'model', schema: at(scene, 'models').additionalProperties ?? {} },
  { kind: 'material', schema: at(scene, 'materials').additionalProperties ?? {} },
  {
    kind: 'motion',
    schema: at(scene, 'motions').additionalProperties ?? {},
    asText: ['keyframes'],
  },
  { kind: 'ground', schema: at(scene, 'ground') },
  { kind: 'atmosphere', schema: at(scene, 'atmosphere') },
  { kind: 'weather', schema: at(scene, 'weather') },
  { kind: 'wind', schema: at(scene, 'wind') },
  { kind: 'sensor', schema: at(root, 'sensors').items ?? {} },
  { kind: 'mission', schema: at(root, 'mission') },
  { kind: 'survey', schema: at(root, 'survey') },
  { kind: 'vehicle', schema: at(root, 'vehicle') },
  { kind: 'navigation', schema: at(root, 'navigation') },
  { kind: 'estimate', schema: at(root, 'estimate') },
];
/** Named above the form, and renamed there with whatever refers to them. */
const named: readonly PartKind[] = ['instance', 'scatter', 'stand', 'landscape', 'wall', 'sensor'];
/** Chosen when a model is added; another kind is another model. */
const chosenWhenAdded: readonly PartKind[] = ['model'];

function at(schema: Schema, name: string): Schema {
  const found = schema.properties?.[name];
  if (found === undefined) throw new Error(`the schema has no ${name}`);
  return found;
}

/** The paths of the fields of each variant, with the data by which the form knows it. */
function variantsOf(schema: Schema): { data: Record<string, unknown>; paths: string[] }[] {
  const objects = (schema.oneOf ?? schema.anyOf ?? [schema]).filter(isObject);
  return objects.flatMap(({ properties = {} }) => {
    let variants = [{ data: {} as Record<string, unknown>, paths: [] as string[] }];
    for (const [name, field] of Object.entries(properties)) {
      const own = field.const === undefined ? {} : { [name]: field.const };
      const inner = hasVariants(field)
        ? variantsOf(field).map(({ data, paths }) => ({
            data: { [name]: data },
            paths: paths.map((path) => `${name}.${path}`),
          }))
        : [{ data: own, paths: [name] }];
      variants = variants.flatMap((one) =>
        inner.map((two) => ({
          data: { ...one.data, ...two.data },
          paths: [...one.paths, ...two.paths],
        })),
      );
    }
    return variants;
  });
}

function isObject({ properties }: Schema): boolean {
  return properties !== undefined;
}

/** An object, or one of several; what can also be a number or a text is one field. */
function hasVariants(schema: Schema): boolean {
  const kinds = schema.oneOf ?? schema.anyOf ?? [schema];
  return kinds.every(isObject);
}

describe('the scene form has every field', () => {
  for (const { kind, schema, asText = [] } of parts) {
    const elsewhere = [
      ...asText,
      ...(named.includes(kind) ? ['name'] : []),
      ...(chosenWhenAdded.includes(kind) ? ['kind'] : []),
    ];
    for (const { data, paths } of variantsOf(schema)) {
      it(`${kind} ${JSON.stringify(data)}`, () => {
        // As in a document that says it all: some fields depend on others.
        const shown = [data, { ...data, pattern: 'poisson-disk' }].flatMap((each) =>
          allFields(sceneFields(kind, each, choices)).map(({ path }) => path.join('.')),
        );
        expect(paths.length).toBeGreaterThan(0);
        const missing = paths.filter((path) => !elsewhere.includes(path) && !shown.includes(path));
        expect(missing).toEqual([]);
      });
    }
  }

  it('of the scenario itself, the parts apart', () => {
    const own = Object.keys(root.properties ?? {}).filter((name) => {
      const field = root.properties?.[name];
      return ![field?.properties, field?.items, field?.oneOf, field?.anyOf].some(Boolean);
    });
    const shown = sceneFields('scenario', {}, choices).map(({ path }) => path.join('.'));
    // The version of the format is not for people to change.
    expect(own.filter((name) => name !== 'understory' && !shown.includes(name))).toEqual([]);
    const lists = [
      'materials',
      'models',
      'ground',
      'walls',
      'instances',
      'scatters',
      'stands',
      'landscapes',
      'motions',
      'atmosphere',
      'weather',
      'wind',
    ];
    const ofScene = Object.keys(scene.properties ?? {}).filter((name) => !lists.includes(name));
    const hasField = (name: string): boolean =>
      shown.some((path) => path === `scene.${name}` || path.startsWith(`scene.${name}.`));
    expect(ofScene.filter((name) => !hasField(name))).toEqual([]);
  });
});
