// SHA-256 of files of any size, in pieces; a file that is as it was is not read again.
import { createHash } from 'node:crypto';
import type { Stats } from 'node:fs';
import { anySize, type RegularFile, withRegularFile } from '#files/regularFile.ts';
import type { Files } from '#services/ports/files.ts';

/** Parts of scans and the like: as large as the disk has them, an hour at most. */
export const largeFiles = { maxBytes: anySize, seconds: 3600 };

/** Files whose hash is remembered. */
const maxKnown = 4096;

/** The method `freshHash` of the port Files. */
export const freshHash: Files['freshHash'] = (path, onBytes, signal) =>
  withRegularFile(path, { ...largeFiles, signal }, (file) => hashOf(file, signal, onBytes));

async function hashOf(
  file: RegularFile,
  signal: AbortSignal | undefined,
  onBytes?: (bytes: number) => void,
): Promise<string> {
  const sum = createHash('sha256');
  for await (const piece of file.pieces({ signal })) {
    sum.update(piece);
    onBytes?.(piece.length);
  }
  return sum.digest('hex');
}

/** The method `hash` of the port Files. */
export function createFileHashes(): Files['hash'] {
  const known = new Map<string, { signature: string; hash: string }>();
  return (path, signal, maxBytes = anySize) =>
    withRegularFile(path, { ...largeFiles, maxBytes, signal }, async (file) => {
      const signature = signatureOf(file.stats);
      const found = known.get(path);
      if (found?.signature === signature) return found.hash;
      const hash = await hashOf(file, signal);
      // Why again: a file that was written meanwhile is not what its stats say.
      if (signatureOf(await file.statsNow()) === signature) {
        known.delete(path);
        known.set(path, { signature, hash });
        for (const oldest of known.keys()) if (known.size > maxKnown) known.delete(oldest);
      }
      return hash;
    });
}

function signatureOf({ dev, ino, size, mtimeMs, ctimeMs }: Stats): string {
  return [dev, ino, size, mtimeMs, ctimeMs].join();
}
