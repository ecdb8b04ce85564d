// A failure for a person: one sentence, and where the host named fields, one for each field.
import type { Problem } from '#contract/documents/problems.ts';
import { toWire } from '#contract/errors.ts';

/** The sentence of any failure; of refused input without named fields, its problems too. */
export function sentenceOf(error: unknown): string {
  return sentenceWith(error, problemsOf(error));
}

/** The sentence of a refusal with these of its problems. Some hosts' sentences list them all, a line each. */
function sentenceWith(error: unknown, problems: readonly Problem[]): string {
  const { message } = toWire(error);
  if (problems.length === 0) return message;
  const listed = new Set(problemsOf(error).map(textOf));
  const title = message.split('\n').filter((line) => !listed.has(line.trim()));
  return `${title.join('\n').replace(/:$/, '')}: ${problems.map(textOf).join('; ')}`;
}

function textOf({ path, message }: Problem): string {
  return `${path}: ${message}`;
}

/** The problems that a host reported with a refusal (code 'bad-input'), or none. */
export function problemsOf(error: unknown): Problem[] {
  const { problems } = toWire(error).details ?? {};
  return Array.isArray(problems) ? problems.filter(isProblem) : [];
}

/** Splits a failure: messages for the named fields, and one sentence for whatever belongs to none. */
export function problemsByField<F extends string>(
  error: unknown,
  fields: readonly F[],
): { byField: Partial<Record<F, string>>; rest: string | null } {
  const problems = problemsOf(error);
  if (problems.length === 0) return { byField: {}, rest: sentenceOf(error) };
  const byField: Partial<Record<F, string>> = {};
  const others: Problem[] = [];
  for (const problem of problems) {
    const field = fields.find((name) => name === problem.path);
    if (field === undefined) others.push(problem);
    else byField[field] = problem.message;
  }
  return { byField, rest: others.length === 0 ? null : sentenceWith(error, others) };
}

function isProblem(value: unknown): value is Problem {
  return typeof value === 'object' && value !== null && 'path' in value && 'message' in value;
}
