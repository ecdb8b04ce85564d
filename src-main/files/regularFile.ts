// Opens files for reading, from any source. Guarantees: only regular files are read, none larger than its limit and none
// for longer than its time; a cancelled read ends at once, even on a file system that does not answer.
import { constants, type Stats } from 'node:fs';
import { copyFile, open, stat, type FileHandle } from 'node:fs/promises';
import { orAborted, throwIfCancelled, UnderstoryError } from '#contract/errors.ts';
import { bytesText } from '#domain/shared/formats.ts';
import { failureReason } from './failureReason.ts';

export interface ReadLimits {
  /** `anySize` for what is read by range or in pieces, never as a whole. */
  maxBytes: number;
  /** Default: half a minute. */
  seconds?: number;
  signal?: AbortSignal | undefined;
}

/** For recordings, logs and clouds. */
export const anySize = Infinity;

/** A document of tens of thousands of objects. */
export const maxDocumentBytes = 16_000_000;

/** Longest piece that is read at a time: a millisecond or two of work. */
const pieceBytes = 2 ** 20;

export interface Range {
  from?: number | undefined;
  to?: number | undefined;
  signal?: AbortSignal | undefined;
}

/** An open file; its failures are UnderstoryErrors 'io' that name it. */
export interface RegularFile {
  readonly path: string;
  /** As it was when it was opened. */
  readonly stats: Stats;
  /** For libraries that read by themselves. */
  readonly fd: number;
  statsNow(): Promise<Stats>;
  /** So many bytes from `offset` on; fewer where the file ends before. */
  read(offset: number, length: number): Promise<Uint8Array<ArrayBuffer>>;
  /**
   * The bytes from `from` up to `to` (not included), at most to the end that the file had when it was opened, so that one
   * that grows as fast as it is read has an end, too. @throws UnderstoryError 'cancelled'
   */
  pieces(range?: Range): AsyncGenerator<Uint8Array<ArrayBuffer>>;
  close(): Promise<void>;
}

/**
 * Opens a file that its caller closes; `seconds` and `signal` are those of opening.
 * @throws UnderstoryError 'not-found', 'io', 'bad-input' for what is no regular file or too large, 'cancelled'
 */
export async function openRegularFile(path: string, limits: ReadLimits): Promise<RegularFile> {
  const opening = opened(path, limits.maxBytes);
  return inTime(path, limits, () => opening).catch((error: unknown) => {
    opening.then(
      (file) => file.close(),
      () => undefined,
    );
    throw error;
  });
}

/** Opens a file for `read` and closes it afterwards. @throws UnderstoryError as openRegularFile */
export async function withRegularFile<T>(
  path: string,
  limits: ReadLimits,
  read: (file: RegularFile) => Promise<T>,
): Promise<T> {
  return inTime(path, limits, async () => {
    const file = await opened(path, limits.maxBytes);
    try {
      return await read(file);
    } finally {
      await file.close();
    }
  });
}

/** A file as bytes. @throws UnderstoryError as openRegularFile */
export async function readWhole(
  path: string,
  limits: ReadLimits,
): Promise<Uint8Array<ArrayBuffer>> {
  return withRegularFile(path, limits, async (file) => {
    const pieces: Uint8Array[] = [];
    let size = 0;
    for await (const piece of file.pieces(limits)) {
      size += piece.length;
      pieces.push(piece);
    }
    // Why not Buffer.concat: its short ones are parts of a buffer of others, and their slice() is no copy.
    const whole = new Uint8Array(size);
    let at = 0;
    for (const piece of pieces) {
      whole.set(piece, at);
      at += piece.length;
    }
    return whole;
  });
}

/** The bytes of a file as RegularFile.pieces, however long it takes. @throws UnderstoryError as openRegularFile */
export async function* piecesOf(
  path: string,
  range: Range = {},
): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  const file = await openRegularFile(path, { maxBytes: anySize, signal: range.signal });
  try {
    yield* file.pieces(range);
  } finally {
    await file.close();
  }
}

/** As copyFile of node:fs, of a regular file. @throws UnderstoryError as openRegularFile; failures of writing as they are */
export async function copyRegularFile(from: string, to: string, mode?: number): Promise<void> {
  await expectRegularFile(from);
  await copyFile(from, to, mode);
}

/** Refuses what no library is to open by its name. @throws UnderstoryError as openRegularFile */
async function expectRegularFile(path: string): Promise<void> {
  await withRegularFile(path, { maxBytes: anySize }, () => Promise.resolve());
}

/** The stats of a regular file, which is not opened. @throws UnderstoryError as openRegularFile */
export async function regularFileStats(path: string, maxBytes = anySize): Promise<Stats> {
  return reading(path, async () => {
    const stats = await stat(path);
    expectReadable(path, stats, maxBytes);
    return stats;
  });
}

async function opened(path: string, maxBytes: number): Promise<RegularFile> {
  // Why first: opening a device may already do something.
  await regularFileStats(path, maxBytes);
  return reading(path, async () => {
    // Why non-blocking: another file may have taken the name since, and a pipe would hold up a thread endlessly.
    const handle = await open(path, constants.O_RDONLY | constants.O_NONBLOCK);
    try {
      const stats = await handle.stat();
      expectReadable(path, stats, maxBytes);
      return regularFile(path, handle, stats);
    } catch (error) {
      await handle.close();
      throw error;
    }
  });
}

function regularFile(path: string, handle: FileHandle, stats: Stats): RegularFile {
  const file: RegularFile = {
    path,
    stats,
    fd: handle.fd,
    statsNow: () => reading(path, () => handle.stat()),
    read: (offset, length) =>
      reading(path, async () => {
        const bytes = new Uint8Array(length);
        let done = 0;
        while (done < length) {
          const { bytesRead } = await handle.read(bytes, done, length - done, offset + done);
          if (bytesRead === 0) break;
          done += bytesRead;
        }
        return bytes.subarray(0, done);
      }),
    async *pieces({ from = 0, to = stats.size, signal } = {}) {
      const end = Math.min(to, stats.size);
      for (let at = from; at < end;) {
        if (signal !== undefined) throwIfCancelled(signal);
        const piece = await file.read(at, Math.min(pieceBytes, end - at));
        if (piece.length === 0) {
          const message = `'${path}' cannot be read: it became shorter meanwhile`;
          throw new UnderstoryError('io', message, { path });
        }
        yield piece;
        at += piece.length;
      }
    },
    close: () => reading(path, () => handle.close()),
  };
  return file;
}

export function expectReadable(path: string, stats: Stats, maxBytes: number): void {
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

/** Failures of the work as those of a read of the file. @throws UnderstoryError 'not-found' | 'io' */
export async function reading<T>(path: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw readFailure(path, error);
  }
}

export function readFailure(path: string, error: unknown): unknown {
  if (error instanceof UnderstoryError) return error;
  const { code } = error as NodeJS.ErrnoException;
  if (code === 'ENOENT' || code === 'ENOTDIR') {
    return new UnderstoryError('not-found', `there is no file '${path}'`, { path });
  }
  return new UnderstoryError('io', `'${path}' cannot be read: ${failureReason(error)}`, {
    path,
  });
}

/** The work, or a failure as soon as its time is over or its caller cancels. */
async function inTime<T>(
  path: string,
  { seconds = 30, signal }: ReadLimits,
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
