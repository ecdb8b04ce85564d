// Problems of a campaign at the parts of its form.
import type { Problem } from '#contract/documents/problems.ts';

/** Parts of the document that have fields of their own. */
const shownParts = [
  'name',
  'description',
  'scenarios',
  'sensors',
  'design',
  'vary',
  'replicates',
  'seeds',
  'measures',
  'limits',
  'save',
  'isa',
];

/** Problems at a path or within it. */
export function problemsWithin(problems: readonly Problem[], path: string): Problem[] {
  return problems.filter(
    (one) =>
      one.path === path || one.path.startsWith(`${path}.`) || one.path.startsWith(`${path}[`),
  );
}

/** The sentences of the problems at a path or within it; undefined: there are none. */
export function problemText(problems: readonly Problem[], path: string): string | undefined {
  const texts = problemsWithin(problems, path).map(({ message }) => message);
  return texts.length === 0 ? undefined : [...new Set(texts)].join('; ');
}

/** Problems of what has no field: a key that is not known, the document as a whole. */
export function otherProblems(problems: readonly Problem[]): Problem[] {
  return problems.filter(
    (problem) => !shownParts.some((part) => problemsWithin([problem], part).length > 0),
  );
}
