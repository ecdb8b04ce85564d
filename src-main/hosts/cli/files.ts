// Files that a command writes: aside first, then renamed, so that no reader sees half of one.
import {
  accessSync,
  constants,
  existsSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { UnderstoryError } from '#contract/errors.ts';
import { failureReason } from '#files/failureReason.ts';
import { dataFolderOf } from '#hosts/dataFolder.ts';
import { makeFolders } from '#hosts/node/makeFolders.ts';
import { partNameOf, removeLeftovers } from '#recordings/export/partName.ts';
import { checkForbidden, ownFoldersOf } from '#recordings/export/target.ts';
import type { SharedOptions, Surroundings } from './session.ts';

/** Rules for the file of an option. */
export interface FileRules extends SharedOptions {
  /** Value of --force, of a command that has it; the others pass true. */
  force?: boolean | undefined;
  /** Files that the command reads, as they were named. */
  inputs?: readonly string[];
  /** Folders of the data folder that the command may write in, besides those of logs, models and exports. */
  userFolders?: readonly string[];
}

/**
 * The absolute name of a file that a command is to write, looked at before the work that it is to hold. Makes the
 * folders above it.
 * @throws UnderstoryError 'io' | 'disk-full'; 'bad-input' for a file that is there and not to be replaced, for one
 *   in the data folder that is in none of the user's own folders, and for one that the command reads
 */
export function prepareFile(
  surroundings: Surroundings,
  name: string,
  { data, force = false, inputs = [], userFolders: others = [] }: FileRules,
): string {
  const fileOf = (path: string): string => resolve(surroundings.workingFolder, path);
  const file = fileOf(name);
  orFailure(file, () => {
    makeFolders(dirname(file));
    accessSync(dirname(file), constants.W_OK);
    if (statSync(file, { throwIfNoEntry: false })?.isDirectory() === true) {
      throw new Error('it is a folder');
    }
  });
  const dataFolder = dataFolderOf({ ...surroundings, option: data });
  const userFolders = [
    ...ownFoldersOf(dataFolder),
    ...others.map((name) => join(dataFolder, name)),
  ];
  checkForbidden(file, { dataFolder, userFolders, inputs: inputs.map(fileOf) });
  if (!force && existsSync(file)) {
    throw new UnderstoryError('bad-input', `there is '${file}' already: --force replaces it`);
  }
  return file;
}

/** Makes the folders above too; leaves nothing where it fails. @throws UnderstoryError 'io' | 'disk-full' */
export function writeWhole(file: string, content: string | Uint8Array): void {
  orFailure(file, () => {
    makeFolders(dirname(file));
    removeLeftovers(file);
    const aside = partNameOf(file);
    try {
      writeFileSync(aside, content, { flush: true, flag: 'wx' });
      renameSync(aside, file);
    } catch (error) {
      rmSync(aside, { force: true });
      throw error;
    }
  });
}

function orFailure(file: string, write: () => void): void {
  try {
    write();
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new UnderstoryError(
      code === 'ENOSPC' ? 'disk-full' : 'io',
      `'${file}' cannot be written: ${failureReason(error)}`,
      { path: file },
    );
  }
}
