// Files that a command writes: aside first, then renamed, so that no reader sees half of one.
import { accessSync, constants, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { UnderstoryError } from '#contract/errors.ts';
import { makeFolders } from '#hosts/node/makeFolders.ts';

/**
 * Looks whether a file can be written, before the work that it is to hold: makes the folders above it.
 * @throws UnderstoryError 'io' | 'disk-full'
 */
export function prepareFile(file: string): void {
  orFailure(file, () => {
    makeFolders(dirname(file));
    accessSync(dirname(file), constants.W_OK);
    if (statSync(file, { throwIfNoEntry: false })?.isDirectory() === true) {
      throw new Error('it is a folder');
    }
  });
}

/** Makes the folders above too; leaves nothing where it fails. @throws UnderstoryError 'io' | 'disk-full' */
export function writeWhole(file: string, content: string | Uint8Array): void {
  orFailure(file, () => {
    makeFolders(dirname(file));
    const aside = `${file}.part`;
    try {
      writeFileSync(aside, content, { flush: true });
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
    const { code, message } = error as NodeJS.ErrnoException;
    throw new UnderstoryError(
      code === 'ENOSPC' ? 'disk-full' : 'io',
      `'${file}' cannot be written: ${message}`,
      { path: file },
    );
  }
}
