// Problems of a form: those of a field, with the names of its parts, and those of no field.
import { formatPath, isPathWithin, type Problem } from '#contract/documents/problems.ts';
import {
  fieldProblems,
  namedLines,
  namedParts,
  plainKeys,
  type FieldProblems,
  type PartName,
} from './fieldProblems.ts';
import type { FieldControl } from './fieldControl.ts';
import { allFields, type FormField } from './schemaForm.ts';

/** Those of a document's problems that belong to one field, each with the name of its part. */
export function problemsOfField(
  problems: readonly { path: string; message: string }[],
  field: FieldControl,
  key: string,
): FieldProblems {
  const own = problems.filter(({ path }) => isPathWithin(path, key));
  return fieldProblems(own, key, partNameOf(field));
}

/** Problems that no field shows: a key that is not known, the part as a whole. */
export function problemsOfNoField(
  problems: readonly Problem[],
  fields: readonly FormField[],
): Problem[] {
  const shown = allFields(fields).map((one) => ({ key: formatPath(one.path), one }));
  return problems.filter(
    ({ path }) =>
      !shown.some(
        ({ key, one }) => path === key || (one.kind === 'value' && isPathWithin(path, key)),
      ),
  );
}

function partNameOf(field: FieldControl): PartName {
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
