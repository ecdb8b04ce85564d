// A file that is written aside (partName.ts) and takes its name only when it is whole and on the disk.
import { rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { naming, openAppendFile, syncPath } from '#files/appendFile.ts';
import { partNameOf, removeLeftovers } from './partName.ts';
import { checkFolder } from './target.ts';

/** Every method throws UnderstoryError 'disk-full' | 'io' | 'not-found' (the folder). */
export interface PartFile {
  /** Where the bytes are until the end. */
  readonly partName: string;
  append(bytes: Uint8Array): Promise<void>;
  /** Overwrites bytes from the start of the file. */
  patchHead(bytes: Uint8Array): Promise<void>;
  /** Changes the bytes from `from` to the end, in pieces of `pieceBytes`. */
  transform(from: number, pieceBytes: number, change: (piece: Uint8Array) => void): Promise<void>;
  /** Syncs, closes and renames. */
  finish(): Promise<void>;
  /** Closes and removes what was written; `file` itself is as it was. */
  abort(): Promise<void>;
}

/** Starts a file aside, empty. @throws as the methods do, and 'not-found' with the folder that is missing */
export async function openPartFile(file: string): Promise<PartFile> {
  await checkFolder(file);
  removeLeftovers(file);
  const part = partNameOf(file);
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
    transform: (from, pieceBytes, change) => append.transform(from, pieceBytes, change),
    async finish() {
      await append.sync();
      await close();
      await takeName(part, file);
    },
    async abort() {
      await close();
      await naming(part, () => rm(part, { force: true }));
    },
  };
}

/** Renames a whole, synced file so that it lasts. */
export async function takeName(part: string, file: string): Promise<void> {
  await naming(file, () => rename(part, file));
  await syncPath(dirname(file));
}
