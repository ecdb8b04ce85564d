// Checks of the fields of a part by the published schema of scenarios, and names of their parts where a
// problem is about one of them.
import {
  fieldProblems,
  namedLines,
  namedParts,
  plainKeys,
  type FieldProblems,
  type PartName,
} from '#renderer/logic/forms/fieldProblems.ts';
import { schemaAt, type JsonSchema } from '#renderer/logic/forms/jsonSchema.ts';
import { boundsOf, type NumberBounds } from '#renderer/logic/forms/numberEntry.ts';
import type { SceneField } from './sceneField.ts';
import { isWithin, type DocumentPath } from './sceneOutline.ts';

/** The fields of the part at `path`, numbers with the bounds that the schema of the whole document sets. */
export function withBounds(
  fields: readonly SceneField[],
  schema: JsonSchema,
  data: unknown,
  path: DocumentPath,
): SceneField[] {
  const at = (own: DocumentPath): NumberBounds | undefined =>
    boundsOf(schemaAt(schema, data, [...path, ...own]));
  return fields.map((field) => {
    if (field.kind === 'number' || field.kind === 'spectrum') {
      return { ...field, bounds: at(field.path) };
    }
    if (field.kind !== 'numbers') return field;
    return { ...field, bounds: field.parts.map((_, index) => at([...field.path, index])) };
  });
}

/** Those of a document's problems that belong to one field, each with the name of its part. */
export function problemsOfField(
  problems: readonly { path: string; message: string }[],
  field: SceneField,
  key: string,
): FieldProblems {
  const own = problems.filter(({ path }) => isWithin(path, key));
  return fieldProblems(own, key, partNameOf(field));
}

function partNameOf(field: SceneField): PartName {
  switch (field.kind) {
    case 'numbers':
    case 'list':
      return namedParts(field.parts);
    case 'rows':
      return namedLines(field.columns);
    case 'circles':
      return namedLines(['x', 'y'], { radiusM: 'radius', centreM: 'place' });
    case 'spectrum':
      return namedLines(['wavelength', field.numbers]);
    case 'mapping':
      // Why not as words: names in mesh files have dots of their own.
      return (keys) => keys.join('.');
    default:
      return plainKeys;
  }
}
