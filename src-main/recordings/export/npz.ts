// Archives of arrays for NumPy (`numpy.load`): a ZIP file of one NPY for each array. Arrays grow side by side,
// each in a file of its own until the end, so that memory does not grow with them; then they are packed.
import type { Readable } from 'node:stream';
import { ZipFile } from 'yazl';
import type { ColumnArray, ColumnType } from '#contract/columns.ts';
import { UnderstoryError } from '#contract/errors.ts';
import { naming } from '#files/appendFile.ts';
import { encodeNpyTexts, openNpy, type NpyWriter } from './npy.ts';
import { beginPartFile, openPartFile, type PartFile } from './partFile.ts';

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
}

/** Why a time: otherwise the hour would be in the file. Local, since a ZIP file has no time zone. */
const entryOptions = {
  mtime: new Date(1980, 0, 1),
  mode: 0o100644,
  forceDosTimestamp: true,
  compress: true,
  compressionLevel: 1,
};

/** Starts FILE with its first arrays. @throws UnderstoryError 'disk-full' | 'io' | 'not-found' (the folder), here and in every method */
export async function openNpz(
  file: string,
  first: readonly (readonly [name: string, array: NpzArray])[] = [],
): Promise<NpzWriter> {
  return beginPartFile(file, async (archive) => {
    const arrays = openNpzArrays(archive);
    try {
      for (const [name, array] of first) await arrays.add(name, array);
    } catch (error) {
      await arrays.abort();
      throw error;
    }
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
  });
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
      members.set(name, { part, npy: null });
      members.set(name, { part, npy: await openNpy(part, type, rowShape) });
    },
    async addTexts(name, texts) {
      const part = await openMember(name);
      members.set(name, { part, npy: null });
      await part.append(encodeNpyTexts(texts));
    },
    async append(name, values) {
      const member = members.get(name);
      if (member?.npy === undefined || member.npy === null) {
        throw new UnderstoryError('internal', `no array '${name}'`);
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

/**
 * Deflated at the lowest level: of waveforms most is zeros, of measured numbers most is noise. ZIP64 where an array or
 * the archive reaches 4 GB.
 */
async function pack(archive: PartFile, members: ReadonlyMap<string, Member>): Promise<void> {
  const zip = new ZipFile();
  const output = zip.outputStream as Readable;
  zip.on('error', (error: Error) => output.destroy(error));
  for (const [name, { part, npy }] of members) {
    await npy?.finish();
    zip.addFile(part.partName, `${name}.npy`, entryOptions);
  }
  zip.end();
  await naming(archive.partName, async () => {
    for await (const bytes of output) await archive.append(bytes as Buffer);
  });
}
