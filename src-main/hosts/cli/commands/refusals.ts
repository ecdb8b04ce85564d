// Refusals as sentences: of files that a command would write, and of documents that have problems.
import { UnderstoryError } from '#contract/errors.ts';
import type { Problem } from '#contract/documents/problems.ts';
import type { ExistingFile } from '#contract/host/exportFormats.ts';
import { bytesText } from '#domain/shared/formats.ts';
import { timeText } from '../runLines.ts';

/** A refused target has one problem, which becomes the message; an existing file adds the option that replaces it. */
export function inOneSentence(error: unknown): unknown {
  if (!(error instanceof UnderstoryError) || !('reason' in error.details)) return error;
  const existing = error.details['existing'] as ExistingFile | undefined;
  const { code, message } = error;
  if (existing === undefined) return new UnderstoryError(code, message);
  const state = `${bytesText(existing.bytes)}, ${timeText(existing.modifiedMs)} UTC`;
  return new UnderstoryError(code, `${message} (${state}): --force replaces it`);
}

/** @throws UnderstoryError 'bad-input' where there are problems */
export function refuseProblems(name: string, problems: readonly Problem[]): void {
  if (problems.length === 0) return;
  throw new UnderstoryError('bad-input', `${name} has problems`, { problems });
}
