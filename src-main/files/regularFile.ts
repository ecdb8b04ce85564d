// Opening files for reading: anybody's, of any kind. Guarantees: only regular files are read, none larger than
// its limit and none for longer than its time; a cancelled read ends at once, even on a file system that hangs.
import { constants } from 'node:fs';
import { open, stat, type FileHandle } from 'node:fs/promises';
import type { Stats } from 'node:fs';
import { orAborted, throwIfCancelled, UnderstoryError } from '#contract/errors.ts';
import { bytesText } from '#domain/shared/formats.ts';

export interface ReadLimits {
  maxBytes: number;
  /** Default: half a minute. */
  seconds?: number;
  signal?: AbortSignal | undefined;
}

/** Longest piece that is worked on at a time: a millisecond or two. */
export const pieceBytes = 2 ** 20;

/**
 * Opens a file for `read` and closes it afterwards.
 * @throws UnderstoryError 'not-found', 'io', 'bad-input' for what is no regular file or too large, 'cancelled'
 */
export async function withRegularFile<T>(
  path: string,
  { maxBytes, seconds = 30, signal }: ReadLimits,
  read: (handle: FileHandle, stats: Stats) => Promise<T>,
): Promise<T> {
  return inTime(path, seconds, signal, async () => {
    try {
      expectReadable(path, await stat(path), maxBytes);
      // Why non-blocking: another file may have taken the name since, and a pipe would hold up a thread endlessly.
      const handle = await open(path, constants.O_RDONLY | constants.O_NONBLOCK);
      try {
        const stats = await handle.stat();
        expectReadable(path, stats, maxBytes);
        return await read(handle, stats);
      } finally {
        await handle.close();
      }
    } catch (error) {
      throw readFailure(path, error);
    }
  });
}

/** The bytes of an open file in pieces that are reused. @throws UnderstoryError 'cancelled' */
export async function* piecesOf(
  handle: FileHandle,
  signal?: AbortSignal,
): AsyncGenerator<Uint8Array> {
  const buffer = new Uint8Array(pieceBytes);
  for (;;) {
    if (signal !== undefined) throwIfCancelled(signal);
    const { bytesRead } = await handle.read(buffer, 0, buffer.length, null);
    if (bytesRead === 0) return;
    yield buffer.subarray(0, bytesRead);
  }
}

/** A file as bytes; one that grows meanwhile is read up to the limit. */
export async function readWhole(path: string, limits: ReadLimits): Promise<Uint8Array> {
  return withRegularFile(path, limits, async (handle) => {
    const pieces: Uint8Array[] = [];
    let size = 0;
    for await (const piece of piecesOf(handle, limits.signal)) {
      size += piece.length;
      if (size > limits.maxBytes) throw tooLarge(path, size, limits.maxBytes);
      pieces.push(piece.slice());
    }
    return Buffer.concat(pieces);
  });
}

function expectReadable(path: string, stats: Stats, maxBytes: number): void {
  if (!stats.isFile()) {
    const message = `'${path}' cannot be read: expected a regular file, found ${kindOf(stats)}`;
    throw new UnderstoryError('bad-input', message, { path });
  }
  if (stats.size > maxBytes) throw tooLarge(path, stats.size, maxBytes);
}

function tooLarge(path: string, size: number, maxBytes: number): UnderstoryError {
  const found = `expected at most ${bytesText(maxBytes)}, found ${bytesText(size)}`;
  return new UnderstoryError('bad-input', `'${path}' cannot be read: ${found}`, { path });
}

function kindOf(stats: Stats): string {
  if (stats.isDirectory()) return 'a folder';
  if (stats.isFIFO()) return 'a named pipe';
  return stats.isSocket() ? 'a socket' : 'a device';
}

function readFailure(path: string, error: unknown): unknown {
  if (error instanceof UnderstoryError) return error;
  const { code, message } = error as NodeJS.ErrnoException;
  if (code === 'ENOENT' || code === 'ENOTDIR') {
    return new UnderstoryError('not-found', `there is no file '${path}'`, { path });
  }
  return new UnderstoryError('io', `'${path}' cannot be read: ${message}`, { path });
}

/** The work, or a failure as soon as its time is over or its caller cancels. */
async function inTime<T>(
  path: string,
  seconds: number,
  signal: AbortSignal | undefined,
  work: () => Promise<T>,
): Promise<T> {
  if (signal !== undefined) throwIfCancelled(signal);
  const late = new AbortController();
  const timer = setTimeout(() => {
    const message = `'${path}' cannot be read: its file system did not answer for ${seconds} s`;
    late.abort(new UnderstoryError('io', message, { path }));
  }, seconds * 1000);
  const given = signal === undefined ? late.signal : AbortSignal.any([signal, late.signal]);
  try {
    return await orAborted(work(), given, `reading '${path}' was cancelled`);
  } finally {
    clearTimeout(timer);
  }
}
