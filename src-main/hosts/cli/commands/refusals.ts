// Refusals of files that a command would write, as sentences.
import { UnderstoryError } from '#contract/errors.ts';
import type { ExistingFile } from '#contract/host/runMethods.ts';
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
