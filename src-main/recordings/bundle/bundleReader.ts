// Opens a bundle of anybody's making. Guarantees: nothing is returned before the table of contents was checked: names,
// kinds, sizes, compression ratios; no bytes of an entry are returned or stay on the disk before their hash was checked.
import { createHash } from 'node:crypto';
import { fromRandomAccessReaderPromise, type Entry, type ZipFile } from 'yauzl';
import {
  entryNamesProblem,
  isSharedEntry,
  manifestSchema,
  type BundleManifest,
} from '#contract/documents/bundle.ts';
import { parseWith } from '#contract/documents/problems.ts';
import { bundleFormat } from '#contract/documents/versions.ts';
import { throwIfCancelled, UnderstoryError } from '#contract/errors.ts';
import type { BundleOptions, BundleReader } from '#services/ports/bundles.ts';
import { anySize, openRegularFile, type RegularFile } from '#files/regularFile.ts';
import { BlockReader } from './blockReader.ts';
import { isBomb, isEntryName, manifestName, maxEntries, maxReadBytes } from './layout.ts';
import { writeAside } from './writeAside.ts';

/** Opens and checks a bundle (services/ports/bundles.ts). */
export async function openBundle(file: string, options: BundleOptions): Promise<BundleReader> {
  const opened = await openRegularFile(file, { maxBytes: anySize, signal: options.signal });
  try {
    return await checkedBundle(file, opened, options);
  } catch (error) {
    await opened.close();
    throw error;
  }
}

async function checkedBundle(
  file: string,
  opened: RegularFile,
  { signal, onBytes }: BundleOptions,
): Promise<BundleReader> {
  const zip = await intact(file, () =>
    fromRandomAccessReaderPromise(new BlockReader(opened), opened.stats.size, {
      autoClose: false,
      strictFileNames: true,
    }),
  );
  const table = await intact(file, () => tableOf(file, zip));
  let done = 0;

  async function* bytesOf(name: string): AsyncGenerator<Uint8Array> {
    const entry = table.get(name);
    if (entry === undefined) throw damaged(file, `the entry ${name} is missing`);
    const stream = await zip.openReadStreamPromise(entry);
    try {
      for await (const piece of stream) {
        if (signal !== undefined) throwIfCancelled(signal);
        yield piece as Uint8Array;
      }
    } finally {
      stream.destroy();
    }
  }

  /** The same, ended by an error where they are not those of the manifest. */
  async function* checkedBytesOf(name: string): AsyncGenerator<Uint8Array> {
    const sum = createHash('sha256');
    for await (const piece of bytesOf(name)) {
      sum.update(piece);
      yield piece;
    }
    if (sum.digest('hex') !== known.get(name)?.sha256)
      throw damaged(file, `${name} has been changed`);
    checked.add(name);
  }

  const read = async (
    name: string,
    bytes: (name: string) => AsyncIterable<Uint8Array>,
  ): Promise<Uint8Array> =>
    intact(file, async () => {
      const pieces: Uint8Array[] = [];
      if ((table.get(name)?.uncompressedSize ?? 0) > maxReadBytes) {
        throw damaged(file, `the entry ${name} is larger than ${maxReadBytes} bytes`);
      }
      for await (const piece of bytes(name)) pieces.push(piece);
      return Buffer.concat(pieces);
    });

  const manifest = manifestOf(file, await read(manifestName, bytesOf));
  const checked = new Set<string>();
  const known = new Map(manifest.entries.map((entry) => [entry.name, entry]));
  const other = [...table.keys()].find((name) => name !== manifestName && !known.has(name));
  if (other !== undefined || known.size !== manifest.entries.length) {
    throw damaged(file, `the manifest does not list ${other ?? 'each entry once'}`);
  }
  for (const { name, bytes } of manifest.entries) {
    const size = table.get(name)?.uncompressedSize ?? null;
    if (size !== bytes) {
      throw damaged(file, `${name} has ${size ?? 'no'} bytes, the manifest says ${bytes}`);
    }
  }
  const named = entryNamesProblem(manifest);
  if (named !== null) throw damaged(file, named);
  return {
    entries: known,
    runs: manifest.runs,
    read: (name) => read(name, checkedBytesOf),
    extract: (name, target) => writeAside(target, intactPieces(file, checkedBytesOf(name))),
    async checkAll(used) {
      for (const { name } of manifest.entries) {
        if (isSharedEntry(name) && !used.has(name)) {
          throw damaged(file, `its entry ${name} belongs to no run`);
        }
      }
      await intact(file, async () => {
        for (const { name } of manifest.entries) {
          if (checked.has(name)) continue;
          for await (const piece of checkedBytesOf(name)) onBytes?.((done += piece.length));
        }
      });
    },
    close: () => opened.close(),
  };
}

/** The entries by name. @throws UnderstoryError 'corrupt' */
async function tableOf(file: string, zip: ZipFile): Promise<Map<string, Entry>> {
  if (zip.entryCount > maxEntries) throw damaged(file, `it has ${zip.entryCount} entries`);
  const table = new Map<string, Entry>();
  for await (const entry of zip.eachEntry()) {
    const { fileName: name, uncompressedSize, compressedSize } = entry;
    if (!isEntryName(name)) throw damaged(file, `it has an entry '${name.slice(0, 200)}'`);
    if (table.has(name)) throw damaged(file, `it has two entries ${name}`);
    if (isLink(entry)) throw damaged(file, `its entry ${name} is no regular file`);
    if (entry.isEncrypted()) throw damaged(file, `its entry ${name} is encrypted`);
    if (isBomb(uncompressedSize, compressedSize)) {
      throw damaged(file, `its entry ${name} would grow more than 200 times`);
    }
    table.set(name, entry);
  }
  return table;
}

/** Anything but a regular file, where the file says it: the upper half of the attributes is a mode of Unix. */
function isLink({ externalFileAttributes }: Entry): boolean {
  const kind = (externalFileAttributes >>> 28) & 0xf;
  return kind !== 0 && kind !== 8;
}

/** @throws UnderstoryError 'unsupported' for a newer version, 'corrupt' */
function manifestOf(file: string, bytes: Uint8Array): BundleManifest {
  let data: unknown;
  try {
    data = JSON.parse(new TextDecoder().decode(bytes));
  } catch {
    throw damaged(file, 'its manifest cannot be read');
  }
  const version: unknown =
    typeof data === 'object' && data !== null ? Reflect.get(data, bundleFormat.key) : undefined;
  if (typeof version === 'number' && version > bundleFormat.version) {
    const message =
      `'${file}' was written by a newer Understory: it has version ${version} of the format, ` +
      `this one reads up to ${bundleFormat.version}`;
    throw new UnderstoryError('unsupported', message, { file });
  }
  const { value, problems } = parseWith(manifestSchema, data);
  if (value !== null) return value;
  throw damaged(file, `manifest: ${problems[0]?.path ?? ''}: ${problems[0]?.message ?? ''}`);
}

async function* intactPieces(
  file: string,
  pieces: AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  try {
    yield* pieces;
  } catch (error) {
    throw asDamage(file, error);
  }
}

/** Bytes that the ZIP library refuses are damaged. */
async function intact<T>(file: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw asDamage(file, error);
  }
}

function asDamage(file: string, error: unknown): unknown {
  if (error instanceof UnderstoryError) return error;
  const { message, code } = error as NodeJS.ErrnoException;
  if (code === 'EIO') return new UnderstoryError('io', `'${file}' cannot be read: ${message}`);
  const reason = /end of central directory/i.test(message)
    ? 'its end is missing'
    : message.replace(/^\w/, (letter) => letter.toLowerCase());
  return damaged(file, reason);
}

function damaged(file: string, reason: string): UnderstoryError {
  return new UnderstoryError('corrupt', `'${file}' is damaged: ${reason}`, { file });
}
