// The Files port on a real disk: documents that users write, and the samples that come with Understory.
import { access, readdir, readFile } from 'node:fs/promises';
import { dirname, isAbsolute, join, resolve } from 'node:path';
import { UnderstoryError } from '#contract/errors.ts';
import type { Files } from '#services/ports/files.ts';

/** @param assetsFolder absolute folder that holds sensors/, scenarios/ and plants/ */
export function createNodeFiles({ assetsFolder }: { assetsFolder: string }): Files {
  return {
    readText: (path) => asFailure(path, () => readFile(path, 'utf8')),
    readBytes: (path) => asFailure(path, () => readFile(path)),
    exists: (path) =>
      access(path).then(
        () => true,
        () => false,
      ),
    resolveFrom: (from, path) => (isAbsolute(path) ? path : resolve(dirname(from), path)),
    listAssets: async (folder) => {
      const path = join(assetsFolder, folder);
      const names = await asFailure(path, () => readdir(path));
      return names
        .filter((name) => /\.(ya?ml|json)$/.test(name))
        .sort()
        .map((name) => join(path, name));
    },
  };
}

async function asFailure<T>(path: string, read: () => Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') {
      throw new UnderstoryError('not-found', `there is no file '${path}'`, { path });
    }
    throw new UnderstoryError('io', `'${path}' cannot be read: ${(error as Error).message}`, {
      path,
    });
  }
}
