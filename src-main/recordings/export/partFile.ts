// A file that is written aside (`.part`) and takes its name only when it is whole and on the disk.
import { open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { naming, openAppendFile } from '../appendFile.ts';
import { checkFolder } from './target.ts';

/** Every method throws UnderstoryError 'disk-full' | 'io' | 'not-found' (the folder). */
export interface PartFile {
  /** Where the bytes are until the end. */
  readonly partName: string;
  append(bytes: Uint8Array): Promise<void>;
  /** Overwrites bytes from the start of the file. */
  patchHead(bytes: Uint8Array): Promise<void>;
  /** Syncs, closes and renames. */
  finish(): Promise<void>;
  /** Closes and removes what was written; `file` itself is as it was. */
  abort(): Promise<void>;
}

/** Starts FILE.part, empty. @throws as the methods do, and 'not-found' with the folder that is missing */
export async function openPartFile(file: string): Promise<PartFile> {
  await checkFolder(file);
  const part = `${file}.part`;
  const append = await openAppendFile(part, 'create', file);
  let isClosed = false;
  const close = async (): Promise<void> => {
    if (!isClosed) await append.close();
    isClosed = true;
  };
  return {
    partName: part,
    append: (bytes) => append.append(bytes),
    patchHead: (bytes) => append.patchHead(bytes),
    async finish() {
      await append.sync();
      await close();
      await naming(file, () => rename(part, file));
      await syncFolder(dirname(file));
    },
    async abort() {
      await close();
      await naming(part, () => rm(part, { force: true }));
    },
  };
}

/** Makes a rename last through a power cut. */
async function syncFolder(folder: string): Promise<void> {
  await naming(folder, async () => {
    const handle = await open(folder, 'r');
    try {
      await handle.sync();
    } finally {
      await handle.close();
    }
  });
}
