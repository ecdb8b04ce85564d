// Archives of NumPy: their arrays are read side by side, some rows at a time, so that memory does not grow with them.
import { fromFdPromise, type Entry, type ZipFile } from 'yauzl';
import type { Columns } from '#contract/columns.ts';
import { UnderstoryError } from '#contract/errors.ts';
import { anySize, type RegularFile, withRegularFile } from '#files/regularFile.ts';
import { damaged } from './points/pointLayout.ts';
import { type NpyHead, npyHeadOf, npyValues } from '../npyHead.ts';

const sizes = { u8: 1, u16: 2, u32: 4, i32: 4, u64: 8, i64: 8, f32: 4, f64: 8 } as const;

export interface OpenArray {
  head: NpyHead;
  /** So many values. */
  next(count: number): Promise<Columns[string]>;
  end(): void;
}

export async function openArray(
  zip: ZipFile,
  entries: ReadonlyMap<string, Entry>,
  name: string,
  file: string,
): Promise<OpenArray> {
  const entry = entries.get(name);
  if (entry === undefined) throw damaged(file, `it has no array '${name}'`);
  const stream = await reading(file, () => zip.openReadStreamPromise(entry));
  const pieces = (stream as AsyncIterable<Buffer, undefined>)[Symbol.asyncIterator]();
  let parts: Buffer[] = [];
  let length = 0;
  /** Until there are so many bytes. */
  const gather = async (bytes: number): Promise<Buffer> => {
    while (length < bytes) {
      const { value, done } = await reading<IteratorResult<Buffer, undefined>>(file, () =>
        pieces.next(),
      );
      if (done === true) throw damaged(file, `its array '${name}' is shorter than it says`);
      parts.push(value);
      length += value.length;
    }
    const [only] = parts;
    const all = parts.length === 1 && only !== undefined ? only : Buffer.concat(parts);
    parts = [all.subarray(bytes)];
    length = all.length - bytes;
    return all.subarray(0, bytes);
  };
  const unfit = (reason: string): Error => damaged(file, reason);
  const preamble = await gather(10);
  const headBytes = preamble.length < 10 ? 0 : preamble.readUInt16LE(8);
  const found = npyHeadOf(Buffer.concat([preamble, await gather(headBytes)]), unfit);
  if (found === null) throw damaged(file, `its array '${name}' has no header`);
  const { head } = found;
  expectWhole(file, name, entry, found);
  return {
    head,
    async next(count) {
      if (head.type === null) throw damaged(file, `its array '${name}' holds texts`);
      return npyValues(head.type, await gather(count * sizes[head.type]));
    },
    end: () => void stream.destroy(),
  };
}

/** Before memory is taken for what the header says. The archive's reader holds entries to their size. */
export function expectWhole(
  file: string,
  name: string,
  { uncompressedSize }: Entry,
  { head, bytes }: { head: NpyHead; bytes: number },
): void {
  if (bytes + head.contentBytes === uncompressedSize) return;
  const found = `${uncompressedSize - bytes} bytes of values, not ${head.contentBytes}`;
  throw damaged(file, `its array '${name}' has ${found}`);
}

export async function withArchive<T>(
  file: string,
  work: (zip: ZipFile, entries: ReadonlyMap<string, Entry>) => Promise<T>,
): Promise<T> {
  return withRegularFile(file, { maxBytes: anySize }, async (opened) => {
    const { zip, entries } = await archiveOf(file, opened);
    return work(zip, entries);
  });
}

export async function archiveOf(
  file: string,
  { fd }: RegularFile,
): Promise<{ zip: ZipFile; entries: Map<string, Entry> }> {
  return reading(file, async () => {
    const zip = await fromFdPromise(fd, { autoClose: false });
    const entries = new Map<string, Entry>();
    for await (const entry of zip.eachEntry()) {
      const name = entry.fileName.replace(/\.npy$/, '');
      if (entries.has(name)) throw damaged(file, `it has several arrays '${name}'`);
      entries.set(name, entry);
    }
    return { zip, entries };
  });
}

/** @throws UnderstoryError 'corrupt' for what the archive's reader refuses */
export async function reading<T>(file: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof UnderstoryError) throw error;
    throw damaged(file, (error as Error).message);
  }
}
