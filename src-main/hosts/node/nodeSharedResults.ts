// Finished runs of campaigns in a folder: IDENTITY.run and IDENTITY.mcap, in 256 folders by the beginning of the identity.
import { randomUUID } from 'node:crypto';
import { constants } from 'node:fs';
import { copyFile, mkdir, open, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { UnderstoryError } from '#contract/errors.ts';
import type { SharedResults } from '#services/ports/sharedResults.ts';

/** `folder`: absolute. */
export function createNodeSharedResults(folder: string): SharedResults {
  const fileOf = (identity: string, ending: string): string =>
    join(folder, identity.slice(0, 2), `${identity}.${ending}`);
  return {
    read: (identity) => whereThere(readFile(fileOf(identity, 'run')), null),
    async write(identity, bytes, recordingFile) {
      if (recordingFile !== null) {
        await writeAside(fileOf(identity, 'mcap'), (aside) => copyFile(recordingFile, aside));
      }
      await writeAside(fileOf(identity, 'run'), (aside) => writeFile(aside, bytes));
    },
    async copyRecording(identity, file) {
      const copied = copyFile(fileOf(identity, 'mcap'), file, constants.COPYFILE_FICLONE);
      return whereThere(
        copied.then(() => true),
        false,
      );
    },
    remove: (identity) => rm(fileOf(identity, 'run'), { force: true }),
    async count() {
      const names = await whereThere(readdir(folder, { recursive: true }), []);
      return names.filter((name) => name.endsWith('.run')).length;
    },
  };
}

/** Replaces `file` in one step by a file that `write` writes beside it. */
async function writeAside(file: string, write: (aside: string) => Promise<void>): Promise<void> {
  const aside = `${file}.${randomUUID()}.part`;
  try {
    await mkdir(dirname(file), { recursive: true });
    await write(aside);
    await sync(aside);
    await rename(aside, file);
    await sync(dirname(file));
  } catch (error) {
    await rm(aside, { force: true });
    const { code, message } = error as NodeJS.ErrnoException;
    throw new UnderstoryError(
      code === 'ENOSPC' || code === 'EDQUOT' ? 'disk-full' : 'io',
      `a result cannot be written to '${dirname(file)}': ${message}`,
    );
  }
}

async function sync(path: string): Promise<void> {
  const handle = await open(path, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

async function whereThere<T>(work: Promise<T>, otherwise: T): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return otherwise;
    throw error;
  }
}
