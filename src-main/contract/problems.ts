// Bad input: every problem of a document at once, each with its path and what was expected.
import { z } from 'zod';

// Why: the compiled parsers of zod need eval, which the renderer's content policy forbids.
z.config({ jitless: true });

/** One thing wrong with a document. `path` is written as in `sensors[0].mount.positionM`. */
export interface Problem {
  path: string;
  code: string;
  message: string;
}

/** A parse never throws: either the value is there and `problems` is empty, or it is null. */
export type Parsed<T> = { value: T; problems: [] } | { value: null; problems: Problem[] };

/** Runs a schema over unknown data and names every problem, unknown keys included. */
export function parseWith<S extends z.ZodType>(schema: S, data: unknown): Parsed<z.output<S>> {
  const result = schema.safeParse(data);
  if (result.success) return { value: result.data, problems: [] };
  return { value: null, problems: result.error.issues.flatMap(problemsOfIssue) };
}

/** Writes a path as a person would: `scatters[2].scale`. The document itself is `(document)`. */
export function formatPath(path: readonly PropertyKey[]): string {
  const text = path
    .map((key) => (typeof key === 'number' ? `[${key}]` : `.${String(key)}`))
    .join('');
  return text === '' ? '(document)' : text.replace(/^\./, '');
}

function problemsOfIssue(issue: z.core.$ZodIssue): Problem[] {
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((key) => ({
      path: formatPath([...issue.path, key]),
      code: 'unknown-key',
      message: `unknown key '${key}'`,
    }));
  }
  return [{ path: formatPath(issue.path), code: issue.code, message: issue.message }];
}
