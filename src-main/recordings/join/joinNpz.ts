// NPZ: arrays of numbers one after another, arrays of texts as they are in every part.
import { open } from 'node:fs/promises';
import { fromFdPromise, type Entry, type ZipFile } from 'yauzl';
import { columnTypes, type ColumnArray, type ColumnType } from '#contract/columns.ts';
import { UnderstoryError } from '#contract/errors.ts';
import { naming } from '../appendFile.ts';
import { npyTypeOf } from '../export/npy.ts';
import { openNpzArrays, type NpzArrays } from '../export/npz.ts';
import type { PartFile } from '../export/partFile.ts';
import { unfit } from './readPart.ts';

/** NPY 1.0: magic, version, length of the header in two bytes. */
const preambleBytes = 10;

interface NpyHead {
  /** null: texts. */
  type: ColumnType | null;
  /** Header text without the number of rows. */
  meaning: string;
  rowShape: number[];
  rows: number;
}

/** Copies the arrays of all parts into one archive. */
export async function joinNpz(
  file: PartFile,
  parts: readonly string[],
  check: () => void,
): Promise<void> {
  const arrays = openNpzArrays(file);
  /** By array: what the first part says of it. */
  const known = new Map<string, string>();
  try {
    for (const [index, part] of parts.entries()) {
      const names = await eachArray(part, async (name, pieces) => {
        const meaning = await copyArray(arrays, name, pieces, index === 0, part, check);
        if (index === 0) known.set(name, meaning);
        else if (known.get(name) !== meaning) {
          throw unfit(part, `its array '${name}' differs from that of the first part`);
        }
      });
      if (names !== known.size) throw unfit(part, 'it has other arrays than the first part');
    }
    await arrays.finish();
  } catch (error) {
    await arrays.abort();
    throw error;
  }
}

/** Opens the arrays of an archive in their order; returns how many there are. */
async function eachArray(
  file: string,
  take: (name: string, pieces: AsyncIterable<Buffer>) => Promise<void>,
): Promise<number> {
  const handle = await naming(file, () => open(file, 'r'));
  try {
    const zip = await archiveOf(file, handle.fd);
    const entries: Entry[] = [];
    for await (const entry of zip.eachEntry()) entries.push(entry);
    for (const entry of entries) {
      const name = entry.fileName.replace(/\.npy$/, '');
      const stream = await zip.openReadStreamPromise(entry);
      try {
        await take(name, stream as AsyncIterable<Buffer>);
      } finally {
        stream.destroy();
      }
    }
    return entries.length;
  } finally {
    await handle.close();
  }
}

async function archiveOf(file: string, descriptor: number): Promise<ZipFile> {
  try {
    return await fromFdPromise(descriptor, { autoClose: false });
  } catch (error) {
    if (error instanceof UnderstoryError) throw error;
    throw unfit(file, `it is no archive (${String(error)})`);
  }
}

/** Returns what must be equal in all parts. Texts count whole; of numbers only their kind does. */
async function copyArray(
  arrays: NpzArrays,
  name: string,
  pieces: AsyncIterable<Buffer>,
  isFirst: boolean,
  file: string,
  check: () => void,
): Promise<string> {
  let head: NpyHead | null = null;
  let rest: Buffer = Buffer.alloc(0);
  for await (const piece of pieces) {
    check();
    rest = rest.length === 0 ? piece : Buffer.concat([rest, piece]);
    if (head === null) {
      const found = headOf(rest, file);
      if (found === null) continue;
      head = found.head;
      rest = rest.subarray(found.bytes);
      if (isFirst && head.type !== null) {
        await arrays.add(name, { type: head.type, rowShape: head.rowShape });
      }
    }
    // Why a megabyte: what was asked for arrives in pieces of 64 kB, each a write.
    if (head.type === null || rest.length < 1 << 20) continue;
    const whole = rest.length - (rest.length % (8 * head.rowShape.reduce((a, b) => a * b, 1)));
    await arrays.append(name, valuesOf(head.type, rest.subarray(0, whole)));
    rest = rest.subarray(whole);
  }
  if (head === null) throw unfit(file, `its array '${name}' has no header`);
  if (head.type === null) {
    if (isFirst) await arrays.addTexts(name, textsOf(rest, head));
    return `${head.meaning} ${head.rows} ${rest.toString('base64')}`;
  }
  if (rest.length > 0) await arrays.append(name, valuesOf(head.type, rest));
  return head.meaning;
}

/** The header at the start of `bytes`; null: more are needed. */
function headOf(bytes: Buffer, file: string): { head: NpyHead; bytes: number } | null {
  if (bytes.length < preambleBytes) return null;
  const end = preambleBytes + bytes.readUInt16LE(8);
  if (bytes.length < end) return null;
  const text = bytes.toString('latin1', preambleBytes, end).trim();
  const match = /'descr': '([^']+)', 'fortran_order': False, 'shape': \(([^)]*)\)/.exec(text);
  if (match === null) throw unfit(file, 'it holds an array of another kind');
  const [, dtype = '', shape = ''] = match;
  const [rows = 0, ...rowShape] = shape.split(',').flatMap((axis) => {
    return axis.trim() === '' ? [] : [Number(axis)];
  });
  const type = npyTypeOf(dtype);
  if (type === null && !dtype.startsWith('<U')) {
    throw unfit(file, `it holds an array of type ${dtype}`);
  }
  const meaning = `${dtype} ${rowShape.join(',')}`;
  return { head: { type, meaning, rowShape, rows }, bytes: end };
}

/** A copy: `bytes` need not be aligned. */
function valuesOf(type: ColumnType, bytes: Buffer): ColumnArray {
  const copy = new Uint8Array(bytes);
  return new columnTypes[type](copy.buffer);
}

function textsOf(bytes: Buffer, { meaning, rows }: NpyHead): string[] {
  const letters = Number(/^<U(\d+)/.exec(meaning)?.[1] ?? 1);
  return Array.from({ length: rows }, (_, row) => {
    let text = '';
    for (let letter = 0; letter < letters; letter += 1) {
      const point = bytes.readUInt32LE(4 * (row * letters + letter));
      if (point !== 0) text += String.fromCodePoint(point);
    }
    return text;
  });
}
