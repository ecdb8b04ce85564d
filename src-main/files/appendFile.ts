// A file that only grows, with failures named: what the disk refuses becomes 'disk-full' or 'io'.
import { constants } from 'node:fs';
import { open, rename, type FileHandle } from 'node:fs/promises';
import { UnderstoryError } from '#contract/errors.ts';
import type { FileEnd } from '#contract/worker/rowTemplate.ts';
import { failureReason } from './failureReason.ts';
import { anySize, expectReadable } from './regularFile.ts';

const { O_RDWR, O_CREAT, O_TRUNC, O_NONBLOCK } = constants;

/** Appending to a file. Every method throws UnderstoryError 'disk-full' | 'io'. */
export interface AppendFile {
  /** Bytes in the file. */
  readonly size: number;
  /** Pieces that follow each other are written at once. */
  append(...pieces: Uint8Array[]): Promise<void>;
  /** Has another process append `bytes` bytes; null from it: the end is where it was. */
  appendElsewhere<T>(bytes: number, write: (end: FileEnd) => Promise<T | null>): Promise<T | null>;
  /** Gives the file another name. */
  rename(to: string): Promise<void>;
  /** Overwrites bytes from the start of the file, which holds at least as many. */
  patchHead(bytes: Uint8Array): Promise<void>;
  /** Changes the bytes from `from` to the end, in pieces of `pieceBytes`. */
  transform(from: number, pieceBytes: number, change: (piece: Uint8Array) => void): Promise<void>;
  /** Cuts the file back to `size` bytes. */
  truncate(size: number): Promise<void>;
  /** @throws 'io' too where the file has been deleted */
  sync(): Promise<void>;
  close(): Promise<void>;
}

/**
 * Opens a regular file for appending: 'create' empties it, 'continue' appends at its end.
 * @param name what failures call it
 */
export async function openAppendFile(
  file: string,
  mode: 'create' | 'continue',
  name = file,
): Promise<AppendFile> {
  const handle = await naming(name, () =>
    open(file, O_RDWR | O_NONBLOCK | (mode === 'create' ? O_CREAT | O_TRUNC : 0)),
  );
  const { identity, ...status } = await statusOf(handle, name);
  let { size } = status;
  let path = file;
  return {
    get size() {
      return size;
    },
    async append(...pieces) {
      await naming(name, async () => {
        size += await writePieces(handle, pieces, size);
      });
    },
    async appendElsewhere(bytes, write) {
      const written = await write({ file: path, ...identity, offset: size });
      if (written !== null) size += bytes;
      return written;
    },
    async rename(to) {
      await naming(to, () => rename(path, to));
      if (name === path) name = to;
      path = to;
    },
    async patchHead(bytes) {
      await naming(name, () => writeAll(handle, bytes, 0));
    },
    async transform(from, pieceBytes, change) {
      const buffer = new Uint8Array(pieceBytes);
      for (let at = from; at < size; at += pieceBytes) {
        const piece = buffer.subarray(0, Math.min(pieceBytes, size - at));
        await naming(name, async () => {
          await readAll(handle, piece, at);
          change(piece);
          await writeAll(handle, piece, at);
        });
      }
    },
    async truncate(toSize) {
      await naming(name, () => handle.truncate(toSize));
      size = toSize;
    },
    sync: async () => {
      await naming(name, () => handle.datasync());
      const { nlink } = await naming(name, () => handle.stat());
      if (nlink > 0) return;
      throw new UnderstoryError('io', `${name} was deleted while it was written`, { file: name });
    },
    close: () => naming(name, () => handle.close()),
  };
}

/** Syncs a file or folder, so that its contents or names last through a power cut. */
export async function syncPath(path: string): Promise<void> {
  await naming(path, async () => {
    const handle = await open(path, O_NONBLOCK);
    try {
      await handle.sync();
    } finally {
      await handle.close();
    }
  });
}

/** Runs a file operation; its failure names the file. */
export async function naming<T>(file: string, operation: () => Promise<T>): Promise<T> {
  try {
    return await operation();
  } catch (error) {
    throw fileFailure(error, file);
  }
}

/** Turns an error of node:fs into UnderstoryError 'disk-full' | 'not-found' | 'io' with the file's name. */
function fileFailure(error: unknown, file: string): Error {
  // Why first: a failure of another file, met while this one is read, has its code and its name.
  if (error instanceof UnderstoryError) return error;
  if (!(error instanceof Error) || !('code' in error)) return error as Error;
  const details = { file, cause: String(error.code) };
  switch (error.code) {
    case 'ENOSPC':
    case 'EDQUOT':
    case 'EFBIG':
      return new UnderstoryError('disk-full', `there is no room left to write ${file}`, details);
    case 'ENOENT':
      return new UnderstoryError('not-found', `there is no file or folder ${file}`, details);
    default:
      return new UnderstoryError('io', `${file}: ${failureReason(error)}`, details);
  }
}

/** Closes what is no regular file. */
async function statusOf(
  handle: FileHandle,
  name: string,
): Promise<{ size: number; identity: Pick<FileEnd, 'device' | 'inode'> }> {
  try {
    const stats = await naming(name, () => handle.stat());
    expectReadable(name, stats, anySize);
    const { dev, ino } = await naming(name, () => handle.stat({ bigint: true }));
    return { size: stats.size, identity: { device: `${dev}`, inode: `${ino}` } };
  } catch (error) {
    await handle.close();
    throw error;
  }
}

async function writeAll(handle: FileHandle, bytes: Uint8Array, position: number): Promise<number> {
  let done = 0;
  while (done < bytes.length) {
    const { bytesWritten } = await handle.write(bytes, done, bytes.length - done, position + done);
    done += bytesWritten;
  }
  return done;
}

/** Writes all of them with one call, and with further ones what it leaves. */
async function writePieces(
  handle: FileHandle,
  pieces: Uint8Array[],
  position: number,
): Promise<number> {
  const { bytesWritten } = await handle.writev(pieces, position);
  let done = 0;
  for (const piece of pieces) {
    const written = Math.min(piece.length, Math.max(0, bytesWritten - done));
    await writeAll(handle, piece.subarray(written), position + done + written);
    done += piece.length;
  }
  return done;
}

async function readAll(handle: FileHandle, bytes: Uint8Array, position: number): Promise<void> {
  let done = 0;
  while (done < bytes.length) {
    const { bytesRead } = await handle.read(bytes, done, bytes.length - done, position + done);
    if (bytesRead === 0) throw new UnderstoryError('io', 'the file is shorter than it was');
    done += bytesRead;
  }
}
