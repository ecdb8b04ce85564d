// The port DataFiles on a real disk.
import { mkdir, readdir, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { UnderstoryError } from '#contract/errors.ts';
import { anySize, withRegularFile } from '#files/regularFile.ts';
import { checkForbidden, ownFoldersOf } from '#recordings/export/target.ts';
import type { DataFile, DataFiles } from '#services/ports/dataFiles.ts';

const maxListed = 200;

/** The adapter. Nothing is made before it is needed. */
export function createNodeDataFiles({ dataFolder }: { dataFolder: string }): DataFiles {
  const own = ownFoldersOf(dataFolder);
  return {
    folder: (name) => join(dataFolder, name),
    async list(name, ending) {
      const folder = join(dataFolder, name);
      const names = await readdir(folder).catch(() => []);
      const wanted = names.filter((one) => one.toLowerCase().endsWith(ending));
      const found = await Promise.all(
        wanted.map((one) => find(join(folder, one)).catch(() => null)),
      );
      return found
        .filter((one) => one !== null)
        .sort((a, b) => b.modifiedMs - a.modifiedMs || (a.file < b.file ? -1 : 1))
        .slice(0, maxListed);
    },
    find,
    readStart: (file, maxBytes) =>
      withRegularFile(file, { maxBytes: anySize }, (opened) => opened.read(0, maxBytes)),
    async prepareTarget(file) {
      checkForbidden(file, { dataFolder, userFolders: own });
      const folder = own.find((one) => dirname(file) === one);
      if (folder === undefined) return;
      await mkdir(folder, { recursive: true }).catch((error: unknown) => {
        throw new UnderstoryError('io', `'${folder}' cannot be made: ${(error as Error).message}`);
      });
    },
  };
}

async function find(file: string): Promise<DataFile> {
  const known = await stat(file).catch((error: unknown) => {
    throw failure(file, error);
  });
  if (!known.isFile()) throw new UnderstoryError('not-found', `'${file}' is no file`);
  return { file, bytes: known.size, modifiedMs: Math.round(known.mtimeMs) };
}

function failure(file: string, error: unknown): UnderstoryError {
  const { code, message } = error as NodeJS.ErrnoException;
  if (code === 'ENOENT' || code === 'ENOTDIR') {
    return new UnderstoryError('not-found', `there is no file '${file}'`, { path: file });
  }
  return new UnderstoryError('io', `'${file}' cannot be read: ${message}`, { path: file });
}
