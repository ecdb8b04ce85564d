// The DataFolder port on a real disk. Guarantees: no file is opened. Why: a process that closes a file loses its
// locks on it, and this one holds locks and the catalogue of the data folder.
import { chmod, lstat, mkdir, readdir, rename, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { UnderstoryError } from '#contract/errors.ts';
import { isAlive } from '#recordings/export/partName.ts';
import type { DataEntry, DataFolder } from '#services/ports/dataFolder.ts';

/** The adapter. */
export function createNodeDataFolder({ dataFolder }: { dataFolder: string }): DataFolder {
  return {
    entries: async (folder) => {
      const names = await orNone(folder, readdir(join(dataFolder, folder)), []);
      const found = await Promise.all(
        names.sort().map((name) => entryOf(dataFolder, folder === '' ? name : `${folder}/${name}`)),
      );
      return found.filter((entry) => entry !== null);
    },
    isAlive,
    remove: (path) => naming(path, rm(join(dataFolder, path), { recursive: true, force: true })),
    async setAside(path) {
      const taken = new Set(await orNone('set-aside', readdir(join(dataFolder, 'set-aside')), []));
      let name = basename(path);
      for (let n = 2; taken.has(name); n += 1) name = `${n}-${basename(path)}`;
      const to = `set-aside/${name}`;
      await naming(path, mkdir(dirname(join(dataFolder, to)), { recursive: true }));
      await naming(path, rename(join(dataFolder, path), join(dataFolder, to)));
      return to;
    },
    restrict: (path) => naming(path, chmod(join(dataFolder, path), 0o600)),
  };
}

/** Null where it is gone meanwhile. */
async function entryOf(dataFolder: string, path: string): Promise<DataEntry | null> {
  const stats = await orNone(path, lstat(join(dataFolder, path)), null);
  if (stats === null) return null;
  return {
    name: basename(path),
    path,
    kind: stats.isFile() ? 'file' : stats.isDirectory() ? 'folder' : 'other',
    bytes: stats.size,
    modifiedMs: stats.mtimeMs,
    mode: stats.mode & 0o777,
  };
}

/** @throws UnderstoryError 'io' for any failure but that there is no such file */
async function orNone<T, N>(path: string, work: Promise<T>, none: N): Promise<T | N> {
  return naming(
    path,
    work.catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return none;
      throw error;
    }),
  );
}

async function naming<T>(path: string, work: Promise<T>): Promise<T> {
  return work.catch((error: unknown) => {
    throw new UnderstoryError('io', `'${path}' in the data folder: ${(error as Error).message}`, {
      path,
    });
  });
}
