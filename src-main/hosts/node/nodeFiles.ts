// The Files port on a real disk: documents that users write, and the samples that come with Understory.
import { createHash } from 'node:crypto';
import { access, chmod, mkdir, readdir, realpath, stat } from 'node:fs/promises';
import { dirname, isAbsolute, join, relative, resolve } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { UnderstoryError } from '#contract/errors.ts';
import { naming } from '#files/appendFile.ts';
import { isForbidden } from '#files/failureReason.ts';
import { textOf } from '#files/lines.ts';
import {
  anySize,
  maxDocumentBytes,
  openRegularFile,
  reading,
  readWhole,
  withRegularFile,
} from '#files/regularFile.ts';
import { checkForbidden } from '#recordings/export/target.ts';
import { beginPartFile } from '#recordings/export/partFile.ts';
import type { Files } from '#services/ports/files.ts';
import type { Log } from '#services/ports/system.ts';
import { runYielding } from '#services/yielding.ts';
import { createBackups } from './backups.ts';
import { createEpsgTable } from './epsgTable.ts';
import { createFileHashes, freshHash, largeFiles } from './fileHashes.ts';
import { createNodeTimer } from './nodeTimer.ts';
import { readGreyPng, readGreyPngHead } from './pngFile.ts';
import { createTextJobs } from './textThread.ts';

export interface NodeFilesOptions {
  /** Absolute; holds sensors/, scenarios/, plants/ and campaigns/. */
  assetsFolder: string;
  /** Absolute; documents are not saved in it. Left out: there is none. */
  dataFolder?: string;
  /** Is told of files whose readers were ended. */
  log?: Pick<Log, 'warn'>;
}

/** The adapter for the port `Files`. */
export function createNodeFiles({ assetsFolder, dataFolder, log }: NodeFilesOptions): Files {
  return {
    texts: createTextJobs(log),
    readText: async (path, signal) => {
      const bytes = await readWhole(path, { maxBytes: maxDocumentBytes, signal });
      return decoded(path, bytes);
    },
    readBytes: (path, maxBytes, signal) =>
      readWhole(path, { maxBytes, seconds: largeFiles.seconds, signal }),
    size: (path, signal) =>
      withRegularFile(path, { ...largeFiles, signal }, ({ stats }) => Promise.resolve(stats.size)),
    hash: createFileHashes(),
    freshHash,
    hashOf: hashOfPieces,
    generated: (steps, signal = new AbortController().signal) =>
      runYielding(createNodeTimer(), steps, signal),
    pieces: (path, take, signal, maxBytes = anySize) =>
      withRegularFile(path, { ...largeFiles, maxBytes, signal }, (file) =>
        each(file.pieces({ signal }), take),
      ),
    ranges: async (path, use, signal) => {
      const file = await openRegularFile(path, { maxBytes: anySize, signal });
      try {
        return await use({
          bytes: file.stats.size,
          read: (offset, length) => file.read(offset, length),
        });
      } finally {
        await file.close();
      }
    },
    textPieces: (path, take, signal) =>
      withRegularFile(path, { ...largeFiles, signal }, (file) =>
        each(textOf(file, { signal }), take),
      ),
    greyPicture: readGreyPngHead,
    readGreyPicture: readGreyPng,
    exists: (path) =>
      stat(path).then(
        () => true,
        // Why true where a folder is closed to this account: the read that follows reports it.
        isForbidden,
      ),
    resolveFrom: (from, path) => (isAbsolute(path) ? resolve(path) : resolve(dirname(from), path)),
    isAbsolute: (path) => isAbsolute(path),
    pathFrom: (from, target) => relative(dirname(from), target),
    writeText: (path, text) => writeFile(path, new TextEncoder().encode(text), dataFolder),
    writeBytes: (path, bytes) => writeFile(path, bytes, dataFolder),
    writeChecked: async (written, check) => {
      const encoder = new TextEncoder();
      const earlier = createBackups();
      const result = await writeAll().catch(async (error: unknown) => {
        await earlier.restore();
        throw error;
      });
      await earlier.remove();
      return result;

      async function writeAll(): ReturnType<typeof check> {
        for (const { path, content } of written) {
          const bytes = typeof content === 'string' ? encoder.encode(content) : content;
          await earlier.save(path);
          await writeFile(path, bytes, dataFolder);
        }
        return check();
      }
    },
    coordinateSystem: createEpsgTable(assetsFolder),
    listAssets: async (folder) => {
      const path = join(assetsFolder, folder);
      const names = await reading(path, () => readdir(path));
      return names
        .filter((name) => /\.(ya?ml|json|md)$/.test(name))
        .sort()
        .map((name) => join(path, name));
    },
    listFolder: async (path) => {
      const entries = await reading(path, () => readdir(path, { withFileTypes: true }));
      const shown = entries.filter(({ name }) => !name.startsWith('.'));
      const namesOf = (all: typeof shown): string[] => all.map(({ name }) => name).sort();
      return {
        folders: namesOf(shown.filter((entry) => entry.isDirectory())),
        files: namesOf(shown.filter((entry) => entry.isFile())),
      };
    },
  };
}

async function each<T>(pieces: AsyncIterable<T>, take: (piece: T) => unknown): Promise<void> {
  for await (const piece of pieces) if ((await take(piece)) === false) return;
}

/** Some 100 kB, which take a millisecond or two to be made and hashed. */
const lettersAtOnce = 100_000;

async function hashOfPieces(pieces: Iterable<string>): Promise<string> {
  const hash = createHash('sha256');
  let letters = 0;
  for (const piece of pieces) {
    hash.update(piece, 'utf8');
    letters += piece.length;
    if (letters < lettersAtOnce) continue;
    letters = 0;
    await setImmediate();
  }
  return hash.digest('hex');
}

/** @throws UnderstoryError 'corrupt': bytes of another encoding would come out as other letters, unnoticed */
function decoded(path: string, bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { ignoreBOM: true, fatal: true }).decode(bytes);
  } catch {
    throw new UnderstoryError('corrupt', `'${path}' is no text in UTF-8: save it as UTF-8`, {
      path,
    });
  }
}

async function writeFile(path: string, bytes: Uint8Array, dataFolder?: string): Promise<void> {
  checkForbidden(path, {
    dataFolder: dataFolder ?? null,
    // Why: the page proposes these folders for copies of samples.
    userFolders:
      dataFolder === undefined
        ? []
        : ['scenarios', 'sensors', 'campaigns'].map((folder) => join(dataFolder, folder)),
  });
  await naming(path, async () => {
    await makeFolder(dirname(path));
    // Why the real one: a link stays a link, to the new contents.
    const file = await realpath(path).catch(() => path);
    const mode = await stat(file).then(
      (known) => known.mode,
      () => null,
    );
    await beginPartFile(file, async (part) => {
      await part.append(bytes);
      if (mode !== null) await chmod(part.partName, mode);
      await part.finish();
    });
  });
}

/** One level only: more are missing where a path is mistyped. */
async function makeFolder(folder: string): Promise<void> {
  const isThere = await access(folder).then(
    () => true,
    () => false,
  );
  if (isThere) return;
  try {
    await mkdir(folder);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST') return;
    if (code === 'ENOENT') {
      throw new UnderstoryError('not-found', `there is no folder '${dirname(folder)}'`);
    }
    throw error;
  }
}
