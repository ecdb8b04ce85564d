// A failure for a person: one sentence, and where the host named fields, one for each field.
import type { Problem } from '#contract/documents/problems.ts';
import { toWire } from '#contract/errors.ts';

/** The sentence of any failure; of refused input without named fields, its problems too. */
export function sentenceOf(error: unknown): string {
  const { message } = toWire(error);
  const problems = problemsOf(error);
  if (problems.length === 0) return message;
  return `${message}: ${problems.map(({ path, message: what }) => `${path}: ${what}`).join('; ')}`;
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
  const others: string[] = [];
  for (const { path, message } of problems) {
    const field = fields.find((name) => name === path);
    if (field === undefined) others.push(`${path}: ${message}`);
    else byField[field] = message;
  }
  const rest = others.length === 0 ? null : `${toWire(error).message}: ${others.join('; ')}`;
  return { byField, rest };
}

function isProblem(value: unknown): value is Problem {
  return typeof value === 'object' && value !== null && 'path' in value && 'message' in value;
}
