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
  /** Syncs, closes and renames; what was written is removed where that fails. */
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
    if (isClosed) return;
    isClosed = true;
    await append.close();
  };
  const abort = async (): Promise<void> => {
    // Why swallowed: what is removed need not be whole.
    await close().catch(() => undefined);
    await naming(part, () => rm(part, { force: true }));
  };
  return {
    partName: part,
    append: (bytes) => append.append(bytes),
    patchHead: (bytes) => append.patchHead(bytes),
    transform: (from, pieceBytes, change) => append.transform(from, pieceBytes, change),
    async finish() {
      try {
        await append.sync();
        await close();
        await takeName(part, file);
      } catch (error) {
        await abort();
        throw error;
      }
    },
    abort,
  };
}

/** Starts a file aside and what is written into it. @throws as openPartFile and `begin`; nothing is left then */
export async function beginPartFile<T>(
  file: string,
  begin: (part: PartFile) => Promise<T>,
): Promise<T> {
  const part = await openPartFile(file);
  try {
    return await begin(part);
  } catch (error) {
    await part.abort();
    throw error;
  }
}

/** Renames a whole, synced file so that it lasts. */
export async function takeName(part: string, file: string): Promise<void> {
  await naming(file, () => rename(part, file));
  await syncPath(dirname(file));
}
