// The adapter for the port `Bundles`: bundles as ZIP files on disk.
import { appendFile, mkdir, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { UnderstoryError } from '#contract/errors.ts';
import type { Bundles, Unpackable } from '#services/ports/bundles.ts';
import { naming } from '#files/appendFile.ts';
import { anySize, piecesOf, withRegularFile } from '#files/regularFile.ts';
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
      const kind = beginnings[await firstBytes(path)];
      if (kind !== undefined) return kind;
      const message = `'${path}' is no bundle, recording or data folder of Understory`;
      throw new UnderstoryError('bad-input', message, { path });
    },
    sizeOf: async (path) => (await naming(path, () => stat(path))).size,
    append: (file, bytes) => naming(file, () => appendFile(file, bytes)),
    copy: (from, to, { signal, onBytes }) =>
      writeAside(to, counted(piecesOf(from, { signal }), onBytes)),
  };
}

function firstBytes(path: string): Promise<string> {
  return withRegularFile(path, { maxBytes: anySize }, async (file) =>
    Buffer.from(await file.read(0, 4)).toString('hex'),
  );
}

async function* counted(
  pieces: AsyncIterable<Uint8Array>,
  onBytes: ((bytes: number) => void) | undefined,
): AsyncGenerator<Uint8Array> {
  let done = 0;
  for await (const piece of pieces) {
    onBytes?.((done += piece.length));
    yield piece;
  }
}
