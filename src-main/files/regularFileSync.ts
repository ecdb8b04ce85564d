// As regularFile.ts, at once: for small files of a data folder and for libraries that open files by their names.
import {
  closeSync,
  constants,
  copyFileSync,
  fstatSync,
  openSync,
  readSync,
  statSync,
} from 'node:fs';
import { expectReadable, readFailure } from './regularFile.ts';

/** @throws UnderstoryError 'not-found', 'io', 'bad-input' for what is no regular file or larger than `maxBytes` */
export function readTextSync(path: string, maxBytes: number): string {
  return openedSync(path, maxBytes, (descriptor, size) => {
    const bytes = Buffer.alloc(size);
    return bytes.toString('utf8', 0, readSync(descriptor, bytes, 0, size, 0));
  });
}

/** The last bytes, `maxBytes` at most. @throws UnderstoryError as readTextSync */
export function readEndSync(path: string, maxBytes: number): Buffer {
  return openedSync(path, Infinity, (descriptor, size) => {
    const bytes = Buffer.alloc(Math.min(size, maxBytes));
    return bytes.subarray(0, readSync(descriptor, bytes, 0, bytes.length, size - bytes.length));
  });
}

/**
 * Looks without opening, where a file may be locked: by closing one a process loses all its locks on it, those of SQLite
 * as well.
 * @throws UnderstoryError as readTextSync
 */
export function expectRegularOrNoneSync(path: string): void {
  try {
    const stats = statSync(path, { throwIfNoEntry: false });
    if (stats !== undefined) expectReadable(path, stats, Infinity);
  } catch (error) {
    throw readFailure(path, error);
  }
}

/** @throws UnderstoryError as readTextSync */
export function copyRegularFileSync(from: string, to: string): void {
  openedSync(from, Infinity, () => undefined);
  copyFileSync(from, to);
}

function openedSync<T>(
  path: string,
  maxBytes: number,
  read: (descriptor: number, size: number) => T,
): T {
  try {
    expectReadable(path, statSync(path), maxBytes);
    const descriptor = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
    try {
      const stats = fstatSync(descriptor);
      expectReadable(path, stats, maxBytes);
      return read(descriptor, stats.size);
    } finally {
      closeSync(descriptor);
    }
  } catch (error) {
    throw readFailure(path, error);
  }
}
