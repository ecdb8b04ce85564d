// Whether a file may be written at a path, checked before the work that fills it. Guarantees:
// a missing folder is named; nothing in the data folder and nothing that the work reads is ever a target; a file that
// is there is replaced only where that was asked for.
import { realpathSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { basename, dirname, isAbsolute, join, sep } from 'node:path';
import { UnderstoryError } from '#contract/errors.ts';
import {
  exportFormats,
  formatOfName,
  type ExistingFile,
  type ExportFormat,
  type ExportRefusal,
} from '#contract/host/exportFormats.ts';

/** Rules for the target of a write. */
export interface TargetRules {
  isReplacing: boolean;
  /** Absolute; nothing is written in it. Null: there is none. */
  dataFolder: string | null;
  /** Folders in the data folder that hold the user's own files: these may be written. */
  userFolders?: readonly string[];
  /** Absolute names of files that the work reads; those that do not exist do not matter. */
  inputs?: readonly string[] | undefined;
}

/** Folders of a data folder that hold files of the user: exports, logs and learned models. */
export function ownFoldersOf(dataFolder: string): string[] {
  return ['exports', 'logs', 'models'].map((name) => join(dataFolder, name));
}

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
export async function checkTarget(file: string, rules: TargetRules): Promise<void> {
  if (!isAbsolute(file)) {
    throw refusal('relative', file, `expected a whole path, such as '/home/me/${file}'`);
  }
  await checkFolder(file);
  const known = await stat(file).catch(() => null);
  if (known?.isDirectory() === true) {
    throw refusal('is-folder', file, `'${file}' is a folder: add the name of a file`);
  }
  checkForbidden(file, rules);
  if (known === null || rules.isReplacing) return;
  const existing: ExistingFile = { bytes: known.size, modifiedMs: Math.round(known.mtimeMs) };
  throw refusal('exists', file, `there is '${file}' already`, { existing });
}

/**
 * Refusals that `replace` does not change. `file` is absolute and its folder exists.
 * @throws UnderstoryError 'bad-input' for a file in the data folder, and for one that the work reads
 */
export function checkForbidden(
  file: string,
  {
    dataFolder,
    userFolders = [],
    inputs = [],
  }: Pick<TargetRules, 'dataFolder' | 'userFolders' | 'inputs'>,
): void {
  const target = realName(file);
  const data = dataFolder === null ? null : realName(dataFolder);
  const isOwn = userFolders.some((folder) => target.startsWith(`${realName(folder)}${sep}`));
  if (!isOwn && data !== null && (target === data || target.startsWith(`${data}${sep}`))) {
    const message = `'${file}' is in the data folder, where Understory keeps its runs: choose another place`;
    throw refusal('data-folder', file, message);
  }
  if (inputs.some((input) => realName(input) === target)) {
    throw refusal('input', file, `'${file}' is read by this very work: choose another name`);
  }
}

/** @throws UnderstoryError 'bad-input' where the name says that the file holds another format */
export function checkEnding(file: string, format: ExportFormat): void {
  const other = formatOfName(file, exportFormats);
  if (other === null || other === format) return;
  throw refusal('other-format', file, `expected a file that ends in .${format}, found '${file}'`);
}

/** @throws UnderstoryError 'bad-input' for a name that programs for captures do not open */
export function checkCaptureEnding(file: string): void {
  if (/\.pcap$/i.test(file)) return;
  throw refusal('other-format', file, `expected a file that ends in .pcap, found '${file}'`);
}

/** The name without links; of a file that does not exist its folder's. */
function realName(file: string): string {
  try {
    return realpathSync(file);
  } catch {
    // Why swallowed: a file that is not there has no links of its own.
  }
  try {
    return join(realpathSync(dirname(file)), basename(file));
  } catch {
    return file;
  }
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
