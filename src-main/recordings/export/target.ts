// Whether a file may be written where somebody wants it, found out before the work that it is to hold: a missing
// folder is named, a file that is there is not replaced unasked.
import { stat } from 'node:fs/promises';
import { dirname, isAbsolute } from 'node:path';
import { UnderstoryError } from '#contract/errors.ts';
import type { ExistingFile, ExportRefusal } from '#contract/host/runMethods.ts';

/** @throws UnderstoryError 'not-found' that names the uppermost folder of those that are missing */
export async function checkFolder(file: string): Promise<void> {
  let missing: string | null = null;
  for (let folder = dirname(file); !(await isThere(folder)); folder = dirname(folder)) {
    missing = folder;
    if (folder === dirname(folder)) break;
  }
  if (missing === null) return;
  throw refusal('no-folder', file, `there is no folder '${missing}': make it, or choose another`);
}

/** @throws UnderstoryError 'bad-input' | 'not-found', details.reason being an ExportRefusal */
export async function checkTarget(file: string, isReplacing: boolean): Promise<void> {
  if (!isAbsolute(file)) {
    throw refusal('relative', file, `expected a whole path, such as '/home/me/${file}'`);
  }
  await checkFolder(file);
  const known = await stat(file).catch(() => null);
  if (known?.isDirectory() === true) {
    throw refusal('is-folder', file, `'${file}' is a folder: add the name of a file`);
  }
  if (known === null || isReplacing) return;
  const existing: ExistingFile = { bytes: known.size, modifiedMs: Math.round(known.mtimeMs) };
  throw refusal('exists', file, `there is '${file}' already`, { existing });
}

/** Somebody is writing to that name now. */
export function underWay(file: string): UnderstoryError {
  return refusal('under-way', file, `another export to '${file}' is not at its end yet`);
}

function refusal(
  reason: ExportRefusal,
  file: string,
  message: string,
  details: Record<string, unknown> = {},
): UnderstoryError {
  const code = reason === 'no-folder' ? 'not-found' : 'bad-input';
  return new UnderstoryError(code, message, { reason, file, ...details });
}

async function isThere(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    ({ code }: NodeJS.ErrnoException) => code !== 'ENOENT',
  );
}
