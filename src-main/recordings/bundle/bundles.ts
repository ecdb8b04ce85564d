// The adapter for the port `Bundles`: bundles as ZIP files on disk.
import { createReadStream } from 'node:fs';
import { appendFile, mkdir, open, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { throwIfCancelled, UnderstoryError } from '#contract/errors.ts';
import type { Bundles, Unpackable } from '#services/ports/bundles.ts';
import { naming } from '../appendFile.ts';
import { checkTarget } from '../export/target.ts';
import { openBundle } from './bundleReader.ts';
import { createBundle } from './bundleWriter.ts';
import { writeAside } from './writeAside.ts';

/** First bytes of files that can be unpacked. */
const beginnings: Record<string, Unpackable> = { '504b0304': 'bundle', '894d4341': 'recording' };

/** @param options.dataFolder bundles are written in its folders `exports` and `scratch` only */
export function createBundles({ dataFolder }: { dataFolder: string }): Bundles {
  const userFolders = [join(dataFolder, 'exports'), join(dataFolder, 'scratch')];
  return {
    async create(file, isReplacing, options) {
      if (userFolders.includes(dirname(file))) {
        await naming(file, () => mkdir(dirname(file), { recursive: true }));
      }
      const rules = { isReplacing, dataFolder, userFolders };
      return createBundle(file, () => checkTarget(file, rules), options);
    },
    open: openBundle,
    kindOf: async (path) => {
      const known = await naming(path, () => stat(path));
      if (known.isDirectory()) return 'data-folder';
      const kind = known.isFile() ? beginnings[await firstBytes(path)] : undefined;
      if (kind !== undefined) return kind;
      const message = `'${path}' is no bundle, recording or data folder of Understory`;
      throw new UnderstoryError('bad-input', message, { path });
    },
    sizeOf: async (path) => (await naming(path, () => stat(path))).size,
    append: (file, bytes) => naming(file, () => appendFile(file, bytes)),
    copy: (from, to, { signal, onBytes }) =>
      naming(from, () => writeAside(to, pieces(from, signal, onBytes))),
  };
}

async function firstBytes(path: string): Promise<string> {
  return naming(path, async () => {
    const handle = await open(path, 'r');
    try {
      const { buffer, bytesRead } = await handle.read(Buffer.alloc(4), 0, 4, 0);
      return buffer.subarray(0, bytesRead).toString('hex');
    } finally {
      await handle.close();
    }
  });
}

async function* pieces(
  file: string,
  signal: AbortSignal | undefined,
  onBytes: ((bytes: number) => void) | undefined,
): AsyncGenerator<Uint8Array> {
  let done = 0;
  for await (const piece of createReadStream(file)) {
    if (signal !== undefined) throwIfCancelled(signal);
    onBytes?.((done += (piece as Uint8Array).length));
    yield piece as Uint8Array;
  }
}
