// Problems of a field, with the names of its parts where a problem is about one of them.
import { isPathWithin } from '#contract/documents/problems.ts';
import {
  fieldProblems,
  namedLines,
  namedParts,
  plainKeys,
  type FieldProblems,
  type PartName,
} from './fieldProblems.ts';
import type { FieldControl } from './fieldControl.ts';

/** Those of a document's problems that belong to one field, each with the name of its part. */
export function problemsOfField(
  problems: readonly { path: string; message: string }[],
  field: FieldControl,
  key: string,
): FieldProblems {
  const own = problems.filter(({ path }) => isPathWithin(path, key));
  return fieldProblems(own, key, partNameOf(field));
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
