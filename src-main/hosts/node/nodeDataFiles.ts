// The port DataFiles on a real disk.
import { access, mkdir, readdir, rename } from 'node:fs/promises';
import { dirname, join, parse } from 'node:path';
import { UnderstoryError } from '#contract/errors.ts';
import { failureReason } from '#files/failureReason.ts';
import { naming, syncPath } from '#files/appendFile.ts';
import { anySize, regularFileStats, withRegularFile } from '#files/regularFile.ts';
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
        throw new UnderstoryError('io', `'${folder}' cannot be made: ${failureReason(error)}`);
      });
    },
    async take(file, name, wanted) {
      const folder = join(dataFolder, name);
      await naming(folder, () => mkdir(folder, { recursive: true }));
      const path = await freePath(folder, wanted);
      await naming(path, () => rename(file, path));
      await syncPath(folder);
      return path;
    },
  };
}

async function freePath(folder: string, wanted: string): Promise<string> {
  const { name, ext } = parse(wanted);
  for (let number = 1; ; number += 1) {
    const path = join(folder, number === 1 ? wanted : `${name}-${number}${ext}`);
    const isTaken = await access(path).then(
      () => true,
      () => false,
    );
    if (!isTaken) return path;
  }
}

async function find(file: string): Promise<DataFile> {
  const { size, mtimeMs } = await regularFileStats(file);
  return { file, bytes: size, modifiedMs: Math.round(mtimeMs) };
}
