// Writes a bundle: a ZIP file (ZIP64 where it is needed) that is equal for equal contents. Entries have a fixed time
// and mode, and come in the order of their names; the manifest, which holds their hashes, is the last.
import { createHash } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { ZipFile } from 'yazl';
import type { BundleManifest } from '#contract/documents/bundle.ts';
import { bundleFormat } from '#contract/documents/versions.ts';
import { throwIfCancelled, UnderstoryError } from '#contract/errors.ts';
import type { BundleEntry, BundleOptions, BundleWriter } from '#services/ports/bundles.ts';
import { piecesOf } from '#files/regularFile.ts';
import { openPartFile } from '../export/partFile.ts';
import { manifestName, mayBeCompressed } from './layout.ts';

/** Bytes that are hashed and compressed at a time. */
const pieceBytes = 2 ** 16;

/** The first moment that a ZIP file can state. Why local: it has no time zone. */
const fixedTime = new Date(1980, 0, 1);

/** Starts a bundle; `checkTarget` refuses, at the beginning and again before the file takes its name. */
export async function createBundle(
  file: string,
  checkTarget: () => Promise<void>,
  { signal, onBytes }: BundleOptions,
): Promise<BundleWriter> {
  await checkTarget();
  const part = await openPartFile(file);
  const zip = new ZipFile();
  const entries: BundleEntry[] = [];
  const scratch: string[] = [];
  let done = 0;
  let size = 0;
  const failed = Promise.withResolvers<never>();
  zip.on('error', (error: Error) => failed.reject(error));
  const output = writeAll();
  output.catch((error: unknown) => failed.reject(error));
  // Why: a failure between two entries is reported by the next one.
  failed.promise.catch(() => undefined);

  async function writeAll(): Promise<void> {
    for await (const bytes of zip.outputStream) {
      await part.append(bytes as Buffer);
      size += bytes.length;
    }
  }

  async function add(
    name: string,
    source: AsyncIterable<Uint8Array>,
    isCompressed: boolean,
  ): Promise<void> {
    const last = entries.at(-1)?.name ?? '';
    if (name !== manifestName && name <= last) throw new TypeError(`${name} comes after ${last}`);
    const sum = createHash('sha256');
    let bytes = 0;
    const ended = Promise.withResolvers<void>();
    async function* pieces(): AsyncGenerator<Uint8Array> {
      try {
        for await (const piece of source) {
          if (signal !== undefined) throwIfCancelled(signal);
          sum.update(piece);
          bytes += piece.length;
          onBytes?.((done += piece.length));
          yield piece;
        }
        ended.resolve();
      } catch (error) {
        ended.reject(error);
        throw error;
      }
    }
    const options = { mtime: fixedTime, mode: 0o100644, forceDosTimestamp: true };
    zip.addReadStreamLazy(name, { ...options, compress: isCompressed }, (callback) => {
      const stream = Readable.from(pieces(), { objectMode: false });
      // Why: `ended` has the failure, and one that is not listened to ends the process.
      stream.on('error', () => undefined);
      callback(null, stream);
    });
    await Promise.race([ended.promise, failed.promise]);
    if (name !== manifestName) entries.push({ name, bytes, sha256: sum.digest('hex') });
  }

  const removeScratch = async (): Promise<void> => {
    for (const path of scratch) await rm(path, { force: true });
  };
  return {
    scratchName(ending) {
      const path = `${part.partName}-${scratch.length}${ending}`;
      scratch.push(path);
      return path;
    },
    add: (name, bytes) => add(name, slices(bytes), mayBeCompressed(bytes.length)),
    addFile: (name, path, isCompressed) => add(name, piecesOf(path, { signal }), isCompressed),
    async finish(runs) {
      const manifest: BundleManifest = {
        [bundleFormat.key]: bundleFormat.version,
        entries,
        runs: [...runs],
      };
      await add(manifestName, slices(new TextEncoder().encode(JSON.stringify(manifest))), true);
      zip.end();
      await Promise.race([output, failed.promise]);
      await removeScratch();
      await checkTarget();
      await part.finish();
      return size;
    },
    async abort() {
      failed.reject(new UnderstoryError('cancelled', 'cancelled'));
      (zip.outputStream as Readable).destroy();
      await output.catch(() => undefined);
      await removeScratch();
      await part.abort();
    },
  };
}

async function* slices(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += pieceBytes) {
    yield await Promise.resolve(bytes.subarray(at, at + pieceBytes));
  }
}
