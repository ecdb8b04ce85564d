// Copies of files that are about to be replaced, beside them as FILE.PID-RANDOM.earlier. Why not .part: what a process
// that was killed left under that name is removed later, and this may be the only copy.
import { randomBytes } from 'node:crypto';
import { constants, realpath, rename, rm } from 'node:fs/promises';
import { toWire } from '#contract/errors.ts';
import { naming } from '#files/appendFile.ts';
import { copyRegularFile } from '#files/regularFile.ts';

/** Every method throws UnderstoryError 'disk-full' | 'io'. */
export interface Backups {
  /** Copies the file, through links; notes where there is none. */
  save(path: string): Promise<void>;
  /** Gives every file its earlier contents, the latest first, and removes those that were not there. */
  restore(): Promise<void>;
  /** Removes the copies. */
  remove(): Promise<void>;
}

export function createBackups(): Backups {
  const saved: { file: string; copy: string | null }[] = [];
  return {
    async save(path) {
      const file = await realpath(path).catch(() => path);
      const copy = `${file}.${process.pid}-${randomBytes(4).toString('hex')}.earlier`;
      const isThere = await naming(path, () => copied(file, copy));
      saved.push({ file, copy: isThere ? copy : null });
    },
    async restore() {
      for (const { file, copy } of saved.splice(0).reverse()) {
        await naming(file, () => (copy === null ? rm(file, { force: true }) : rename(copy, file)));
      }
    },
    async remove() {
      for (const { copy } of saved.splice(0)) {
        if (copy !== null) await naming(copy, () => rm(copy, { force: true }));
      }
    },
  };
}

/** False: there is no such file. */
async function copied(file: string, copy: string): Promise<boolean> {
  try {
    await copyRegularFile(file, copy, constants.COPYFILE_EXCL);
    return true;
  } catch (error) {
    if (toWire(error).code !== 'not-found') throw error;
    return false;
  }
}
