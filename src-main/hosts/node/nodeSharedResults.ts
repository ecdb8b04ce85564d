// Finished runs of campaigns in a folder: IDENTITY.run and IDENTITY.mcap, in 256 folders by the beginning of the identity.
import { randomUUID } from 'node:crypto';
import { constants } from 'node:fs';
import { mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { toWire, UnderstoryError } from '#contract/errors.ts';
import { syncPath } from '#files/appendFile.ts';
import { copyRegularFile, readWhole } from '#files/regularFile.ts';
import type { SharedResults } from '#services/ports/sharedResults.ts';

/** The rows of one run, without its recording. */
const maxRunBytes = 2 ** 27;

/** `folder`: absolute. */
export function createNodeSharedResults(folder: string): SharedResults {
  const fileOf = (identity: string, ending: string): string =>
    join(folder, identity.slice(0, 2), `${identity}.${ending}`);
  return {
    read: (identity) =>
      whereThere(readWhole(fileOf(identity, 'run'), { maxBytes: maxRunBytes }), null),
    async write(identity, bytes, recordingFile) {
      if (recordingFile !== null) {
        await writeAside(fileOf(identity, 'mcap'), (aside) =>
          copyRegularFile(recordingFile, aside),
        );
      }
      await writeAside(fileOf(identity, 'run'), (aside) => writeFile(aside, bytes));
    },
    async copyRecording(identity, file) {
      const copied = copyRegularFile(fileOf(identity, 'mcap'), file, constants.COPYFILE_FICLONE);
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
    await syncPath(aside);
    await rename(aside, file);
    await syncPath(dirname(file));
  } catch (error) {
    await rm(aside, { force: true });
    const { code, message } = error as NodeJS.ErrnoException;
    throw new UnderstoryError(
      code === 'ENOSPC' || code === 'EDQUOT' ? 'disk-full' : 'io',
      `a result cannot be written to '${dirname(file)}': ${message}`,
    );
  }
}

async function whereThere<T>(work: Promise<T>, otherwise: T): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (toWire(error).code === 'not-found') return otherwise;
    throw error;
  }
}
