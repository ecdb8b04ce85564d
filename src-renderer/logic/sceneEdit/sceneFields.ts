// The fields of a part of a scenario, as forms show them: those of the published schema, with the words that it has for
// forms. Here is what depends on the scene: the names that a field can refer to, and fields that follow from others.
import type { FormWords } from '#contract/documents/formWords.ts';
import { formSchema } from '#contract/documents/publishedSchemas.ts';
import { classNamesOf } from '#contract/documents/scenarioReferences.ts';
import { field } from '#contract/documents/unknownData.ts';
import { boundsOf } from '#renderer/logic/forms/numberEntry.ts';
import { schemaAt, type DocumentPath, type JsonSchema } from '#renderer/logic/forms/jsonSchema.ts';
import { formOf, withControls, type FormField } from '#renderer/logic/forms/schemaForm.ts';
import type { FieldControl } from '#renderer/logic/forms/fieldControl.ts';
import { valueAt } from './sceneOutline.ts';
import { partKinds, partOf, type PartKind } from './sceneParts.ts';

/** The available choices. */
export interface SceneChoices {
  models: readonly string[];
  materials: readonly string[];
  motions: readonly string[];
  sensors: readonly string[];
  plants: readonly string[];
  /** Names of materials in the file of the selected mesh. */
  inMesh: readonly string[];
}

/** Longer lists are edited as text. */
const maxItems = 100;

const scenario: JsonSchema = formSchema('scenario');

/** Where a part of a kind is in a scenario; any name and index. */
function placeOf(kind: PartKind): DocumentPath {
  const { place, entries } = partOf(kind);
  if (entries === undefined) return place;
  return [...place, entries === 'list' ? 0 : 'name'];
}

/** The fields of a part; some depend on what it is (`data`: the part). */
export function sceneFields(kind: PartKind, data: unknown, choices: SceneChoices): FormField[] {
  const schema = schemaAt(scenario, undefined, placeOf(kind));
  if (schema === null) throw new TypeError(`the schema of scenarios has no ${kind}`);
  const own = formOf(startingWith(schema, choices), data)
    .flatMap((one) => flatOf(one, data))
    .filter(({ path }) => {
      const name = path.join('.');
      if (kind === 'scenario') return !isOfPart(path);
      // Named above the form, and renamed there with whatever refers to it.
      if (name === 'name') return partOf(kind).entries !== 'list';
      if (name === 'minSpacingM') return field(data, 'pattern') === 'poisson-disk';
      if (kind === 'motion') return name !== 'keyframes';
      // The kind of a model is chosen when it is added.
      return kind !== 'model' || name !== 'kind';
    });
  const fields = withControls(own, (one) =>
    one.kind === 'fixed' ? null : withWords(withChoices(one, choices), kind, data),
  );
  return kind === 'scenario' ? [...fields, ...lasCodes(data)] : fields;
}

/** The fields of a keyframe of a motion, by the path from it. */
export function keyframeFields(data: unknown): FieldControl[] {
  const motion = { kind: 'keyframes' };
  const keyframes = schemaAt(scenario, { scene: { motions: { name: motion } } }, [
    ...placeOf('motion'),
    'keyframes',
    0,
  ]);
  if (keyframes === null) throw new TypeError('the schema of motions has no keyframes');
  return formOf(keyframes, data).flatMap((one) => (one.kind === 'value' ? [one.control] : []));
}

/** The schema with names of the scene in new entries. */
function startingWith(schema: JsonSchema, choices: SceneChoices): JsonSchema {
  return JSON.parse(JSON.stringify(schema), (key, value: unknown) => {
    const to = key === 'form' ? (value as FormWords).refersTo : undefined;
    const start = to === undefined ? undefined : choices[to][0];
    return start === undefined ? value : { ...(value as FormWords), start };
  }) as JsonSchema;
}

/** Without headings but of what can be added and removed. A variant's kind is a field of its own. */
function flatOf(one: FormField, data: unknown): FormField[] {
  switch (one.kind) {
    case 'value':
      return [one];
    case 'group': {
      const fields = one.fields.flatMap((part) => flatOf(part, data));
      return one.isOptional && !one.hasDefault && fields.length > 0 ? [{ ...one, fields }] : fields;
    }
    case 'variant': {
      const { label, options, fallback, body } = one;
      const kinds = options.map(({ template }) => String(field(template, 'kind')));
      const path = [...one.path, 'kind'];
      const choice: FieldControl = { path, label, kind: 'choice', options: kinds };
      const control = fallback === undefined ? choice : { ...choice, fallback };
      const value = valueAt(data, path);
      return [
        { ...one, kind: 'value', path, control, value },
        ...(body === null ? [] : flatOf(body, data)),
      ];
    }
    case 'list':
      return one.items.length > maxItems ? [] : [one];
  }
}

/** Whether it belongs to a part of the scenario, or to a list of parts. */
function isOfPart(path: DocumentPath): boolean {
  return partKinds
    .map(placeOf)
    .some(
      (place) =>
        place.length > 0 && place.slice(0, path.length).every((key, index) => path[index] === key),
    );
}

function withChoices(one: FieldControl, choices: SceneChoices): FieldControl {
  if (one.kind === 'mapping') {
    const names = choices.inMesh;
    const hint = names.length === 0 ? 'OBJ with MTL' : 'MTL name → scene material';
    return { ...one, options: choices.materials, names, hint };
  }
  if (one.kind !== 'choice') return one;
  const { refersTo: to, options } = one;
  // Words of the format as they are written.
  if (to === undefined) return { ...one, texts: options };
  return { ...one, options: choices[to], isOpen: to === 'sensors' || to === 'plants' };
}

/** Hints and defaults that follow from other fields of the part. */
function withWords(one: FieldControl, kind: PartKind, data: unknown): FieldControl {
  switch (`${kind}.${one.path.join('.')}`) {
    case 'instance.positionM': {
      const isMoving = field(data, 'motion') !== undefined;
      if (isMoving) return { ...one, hint: 'in the frame of its motion' };
      return field(data, 'onGround') === false ? { ...one, hint: 'z above world origin' } : one;
    }
    case 'instance.class':
    case 'scatter.class': {
      const model = field(data, 'model');
      const fallback = typeof model === 'string' ? model : '';
      return one.kind === 'text' ? { ...one, hint: 'class of its points', fallback } : one;
    }
    case 'model.solid':
      return one.kind === 'switch' ? { ...one, fallback: field(data, 'kind') !== 'plant' } : one;
    case 'material.reflectance': {
      const hint = reflectanceHints[String(field(field(data, 'surface'), 'kind'))];
      return hint === undefined ? one : { ...one, hint };
    }
    default:
      return one;
  }
}

const reflectanceHints: Record<string, string> = {
  mirror: 'without effect',
  glass: 'of dirt on it',
  water: 'of foam or cloudy water',
};

/** The LAS code of each class of the scenario. */
function lasCodes(data: unknown): FormField[] {
  return classNamesOf(data).map((name) => {
    const path = ['scene', 'classes', name, 'lasCode'];
    const value = valueAt(data, path);
    const words = { path, label: `LAS code of ${name}`, unit: '', help: '', isOptional: true };
    const bounds = boundsOf(schemaAt(scenario, {}, path));
    const control: FieldControl = { ...words, kind: 'number', bounds };
    return {
      ...words,
      kind: 'value',
      hasDefault: false,
      isPresent: value !== undefined,
      control,
      value,
    };
  });
}
