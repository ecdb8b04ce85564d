// Archives of NumPy whose arrays say where each pulse began, as those of our own scans: the arrays are read side by
// side, some rows at a time, so that memory does not grow with them.
import { fromFdPromise, type Entry, type ZipFile } from 'yauzl';
import { type Columns, neededBeamColumns } from '#contract/columns.ts';
import { throwIfCancelled, UnderstoryError } from '#contract/errors.ts';
import type { BeamSource } from '#services/ports/logSources.ts';
import { anySize, openRegularFile, type RegularFile, withRegularFile } from '#files/regularFile.ts';
import { type NpyHead, npyHeadOf, npyTexts, npyValues } from '../npyHead.ts';
import { damaged } from './points/pointLayout.ts';

/** Rows that are read at once. */
const pieceRows = 1 << 16;
/** Longest array of names. */
const maxTextBytes = 1 << 26;
const maxTexts = 1 << 16;

const readColumns: readonly string[] = [
  ...neededBeamColumns,
  ...['pulse', 'ring', 'azimuth_rad', 'return_no', 'range_m', 'intensity', 'x_m', 'y_m', 'z_m'],
  ...['class_id', 'object_id', 'true_range_m'],
];
const sizes = { u8: 1, u16: 2, u32: 4, i32: 4, u64: 8, i64: 8, f32: 4, f64: 8 } as const;

/** Null: it does not say where pulses began. @throws UnderstoryError 'corrupt' | 'not-found' | 'io' */
export async function openNpzBeams(file: string): Promise<BeamSource | null> {
  return withArchive(file, async (zip, entries) => {
    const names = readColumns.filter((name) => entries.has(name));
    if (!neededBeamColumns.every((name) => names.includes(name))) return null;
    let rows: number | null = null;
    for (const name of names) {
      const array = await openArray(zip, entries, name, file);
      array.end();
      rows ??= array.head.rows;
      if (array.head.rows !== rows || array.head.rowShape.length > 0) {
        throw damaged(file, `its array '${name}' has another length than the others`);
      }
    }
    return {
      kind: 'beams' as const,
      originM: [0, 0, 0] as const,
      crs: null,
      classes: await textsOf(zip, entries, 'classes', file),
      names,
      rows: rows ?? 0,
      tables: (signal) => tables(file, names, rows ?? 0, signal),
      close: () => Promise.resolve(),
    };
  });
}

async function* tables(
  file: string,
  names: readonly string[],
  rows: number,
  signal: AbortSignal,
): AsyncGenerator<{ columns: Columns; rows: number }> {
  const opened = await openRegularFile(file, { maxBytes: anySize, signal });
  const arrays: OpenArray[] = [];
  try {
    const { zip, entries } = await archiveOf(file, opened);
    for (const name of names) arrays.push(await openArray(zip, entries, name, file));
    for (let from = 0; from < rows; from += pieceRows) {
      throwIfCancelled(signal);
      const count = Math.min(pieceRows, rows - from);
      const columns: Columns = {};
      for (const [index, name] of names.entries()) {
        const array = arrays[index];
        if (array !== undefined) columns[name] = await array.next(count);
      }
      yield { columns, rows: count };
    }
  } finally {
    for (const array of arrays) array.end();
    await opened.close();
  }
}

interface OpenArray {
  head: NpyHead;
  /** So many values. */
  next(count: number): Promise<Columns[string]>;
  end(): void;
}

async function openArray(
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

/** None where there is no such array. */
async function textsOf(
  zip: ZipFile,
  entries: ReadonlyMap<string, Entry>,
  name: string,
  file: string,
): Promise<string[]> {
  const entry = entries.get(name);
  if (entry === undefined || entry.uncompressedSize > maxTextBytes) return [];
  const stream = await reading(file, () => zip.openReadStreamPromise(entry));
  const bytes = await reading(file, async () => {
    const parts: Buffer[] = [];
    for await (const part of stream as AsyncIterable<Buffer>) parts.push(part);
    return Buffer.concat(parts);
  });
  const found = npyHeadOf(bytes, (reason) => damaged(file, reason));
  if (found?.head.type !== null) return [];
  expectWhole(file, name, entry, found);
  if (found.head.rows > maxTexts) {
    throw damaged(file, `its array '${name}' has more than ${maxTexts} texts`);
  }
  return npyTexts(bytes.subarray(found.bytes), found.head);
}

/** Before memory is taken for what the header says. The archive's reader holds entries to their size. */
function expectWhole(
  file: string,
  name: string,
  { uncompressedSize }: Entry,
  { head, bytes }: { head: NpyHead; bytes: number },
): void {
  if (bytes + head.contentBytes === uncompressedSize) return;
  const found = `${uncompressedSize - bytes} bytes of values, not ${head.contentBytes}`;
  throw damaged(file, `its array '${name}' has ${found}`);
}

async function withArchive<T>(
  file: string,
  work: (zip: ZipFile, entries: ReadonlyMap<string, Entry>) => Promise<T>,
): Promise<T> {
  return withRegularFile(file, { maxBytes: anySize }, async (opened) => {
    const { zip, entries } = await archiveOf(file, opened);
    return work(zip, entries);
  });
}

async function archiveOf(
  file: string,
  { fd }: RegularFile,
): Promise<{ zip: ZipFile; entries: Map<string, Entry> }> {
  return reading(file, async () => {
    const zip = await fromFdPromise(fd, { autoClose: false });
    const entries = new Map<string, Entry>();
    for await (const entry of zip.eachEntry()) {
      entries.set(entry.fileName.replace(/\.npy$/, ''), entry);
    }
    return { zip, entries };
  });
}

/** @throws UnderstoryError 'corrupt' for what the archive's reader refuses */
async function reading<T>(file: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof UnderstoryError) throw error;
    throw damaged(file, (error as Error).message);
  }
}
