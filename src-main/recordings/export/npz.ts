// Archives of arrays for NumPy (`numpy.load`): a ZIP file of one NPY for each array. Arrays grow side by side,
// each in a file of its own until the end, so that memory does not grow with them; then they are packed.
import { createReadStream } from 'node:fs';
import { pipeline, Readable } from 'node:stream';
import { crc32, createDeflateRaw } from 'node:zlib';
import { Zip, type AsyncFlateStreamHandler, type ZipInputFile } from 'fflate';
import type { ColumnArray, ColumnType } from '#contract/columns.ts';
import { UnderstoryError } from '#contract/errors.ts';
import { naming } from '../appendFile.ts';
import { encodeNpyTexts, openNpy, type NpyWriter } from './npy.ts';
import { openPartFile, type PartFile } from './partFile.ts';

export interface NpzArray {
  type: ColumnType;
  /** Shape of a row; left out: a number. */
  rowShape?: readonly number[];
}

/** Arrays that are to be in an archive. */
export interface NpzArrays {
  /** Adds an array. */
  add(name: string, array: NpzArray): Promise<void>;
  /** Adds an array of texts, whole. */
  addTexts(name: string, texts: readonly string[]): Promise<void>;
  /** Whole rows to an array that was added. */
  append(name: string, values: ColumnArray): Promise<void>;
  /** Packs everything into the archive, whose own end is the caller's. */
  finish(): Promise<void>;
  /** Removes what was written aside. */
  abort(): Promise<void>;
}

/** An archive with its arrays. */
export interface NpzWriter extends Pick<NpzArrays, 'add' | 'append' | 'abort'> {
  /** Packs everything and gives the archive its name. */
  close(): Promise<void>;
}

interface Member {
  part: PartFile;
  /** Null: whole as it is. */
  npy: NpyWriter | null;
  /** Size of the array alone. */
  bytes: number;
}

/** Most bytes of an array: ZIP without extensions counts in 32 bits. */
const maxBytes = 2 ** 32 - 2 ** 16;

/** Starts FILE. @throws UnderstoryError 'disk-full' | 'io' | 'not-found' (the folder), here and in every method */
export async function openNpz(file: string): Promise<NpzWriter> {
  const archive = await openPartFile(file);
  const arrays = openNpzArrays(archive);
  return {
    ...arrays,
    async close() {
      await arrays.finish();
      await archive.finish();
    },
    async abort() {
      await arrays.abort();
      await archive.abort();
    },
  };
}

/** The arrays of an archive that the caller opens and closes. */
export function openNpzArrays(archive: PartFile): NpzArrays {
  const members = new Map<string, Member>();
  const removeMembers = async (): Promise<void> => {
    for (const { part } of members.values()) await part.abort();
  };
  const openMember = (name: string): Promise<PartFile> => {
    return openPartFile(`${archive.partName}.${name}.npy`);
  };
  return {
    async add(name, { type, rowShape }) {
      const part = await openMember(name);
      members.set(name, { part, npy: null, bytes: 0 });
      members.set(name, { part, npy: await openNpy(part, type, rowShape), bytes: 0 });
    },
    async addTexts(name, texts) {
      const part = await openMember(name);
      members.set(name, { part, npy: null, bytes: 0 });
      await part.append(encodeNpyTexts(texts));
    },
    async append(name, values) {
      const member = members.get(name);
      if (member?.npy === undefined || member.npy === null) {
        throw new UnderstoryError('internal', `no array '${name}'`);
      }
      member.bytes += values.byteLength;
      if (member.bytes > maxBytes) {
        const message = `the array '${name}' is larger than the 4 GB that an NPZ archive can hold: take less time`;
        throw new UnderstoryError('bad-input', message);
      }
      await member.npy.append(values);
    },
    async finish() {
      try {
        await pack(archive, members);
      } finally {
        await removeMembers();
      }
    },
    abort: removeMembers,
  };
}

/** Deflated at the lowest level: of waveforms most is zeros, of measured numbers most is noise. */
async function pack(archive: PartFile, members: ReadonlyMap<string, Member>): Promise<void> {
  const packed: Uint8Array[] = [];
  const zip = new Zip((error, bytes) => {
    if (error) throw new UnderstoryError('internal', `the archive failed: ${error.message}`);
    packed.push(bytes);
  });
  const flush = async (): Promise<void> => {
    for (const bytes of packed.splice(0)) await archive.append(bytes);
  };
  for (const [name, { part, npy }] of members) {
    await npy?.finish();
    const entry = new DeflatedEntry(`${name}.npy`);
    zip.add(entry);
    await naming(part.partName, () => entry.compress(part.partName, flush));
  }
  zip.end();
  await flush();
}

/**
 * A file of the archive. Why not fflate's own: it deflates in JavaScript, zlib does it 15 times as fast (86 MB of
 * waveforms: 0.19 s instead of 2.9).
 */
class DeflatedEntry implements ZipInputFile {
  readonly compression = 8;
  // Why: otherwise the hour would be in the file.
  readonly mtime = new Date(1980, 0, 1);
  size = 0;
  crc = 0;
  /** Set by fflate, which takes what is compressed. */
  ondata?: AsyncFlateStreamHandler;
  readonly filename: string;

  constructor(filename: string) {
    this.filename = filename;
  }

  /** Passes a file on in pieces; `taken` after each. */
  async compress(file: string, taken: () => Promise<void>): Promise<void> {
    const deflate = createDeflateRaw({ level: 1 });
    // Why no care of its end here: a source that fails destroys `deflate`, and the loop throws.
    pipeline(Readable.from(this.counted(file)), deflate, () => undefined);
    for await (const bytes of deflate as AsyncIterable<Uint8Array<ArrayBuffer>>) {
      this.ondata?.(null, bytes, false);
      await taken();
    }
    this.ondata?.(null, new Uint8Array(0), true);
  }

  private async *counted(file: string): AsyncIterable<Uint8Array> {
    const pieces = createReadStream(file, { highWaterMark: 1 << 20 });
    for await (const piece of pieces as AsyncIterable<Uint8Array>) {
      this.crc = crc32(piece, this.crc);
      this.size += piece.length;
      yield piece;
    }
  }
}
