// The header of an array in an archive of NumPy (NPY 1.0), and the values behind it.
import { columnTypes, type ColumnArray, type ColumnType } from '#contract/columns.ts';
import { npyTypeOf } from './export/npy.ts';

/** NPY 1.0: magic, version, length of the header in two bytes. */
const preambleBytes = 10;

export interface NpyHead {
  /** Null: texts. */
  type: ColumnType | null;
  /** Header text without the number of rows. */
  meaning: string;
  rowShape: number[];
  rows: number;
  /** Bytes of the values behind the header. */
  contentBytes: number;
}

/** The header at the start of `bytes`; null: more are needed. @throws what `unfit` makes of a reason */
export function npyHeadOf(
  bytes: Buffer,
  unfit: (reason: string) => Error,
): { head: NpyHead; bytes: number } | null {
  if (bytes.length < preambleBytes) return null;
  const end = preambleBytes + bytes.readUInt16LE(8);
  if (bytes.length < end) return null;
  const text = bytes.toString('latin1', preambleBytes, end).trim();
  const match = /'descr': '([^']+)', 'fortran_order': False, 'shape': \(([^)]*)\)/.exec(text);
  if (match === null) throw unfit('it holds an array of another kind');
  const [, dtype = '', shape = ''] = match;
  const [rows = 0, ...rowShape] = shape.split(',').flatMap((axis) => {
    return axis.trim() === '' ? [] : [Number(axis)];
  });
  const type = npyTypeOf(dtype);
  const valueBytes = type === null ? 4 * lettersOf(dtype) : columnTypes[type].BYTES_PER_ELEMENT;
  if (valueBytes === 0) throw unfit(`it holds an array of type ${dtype}`);
  const contentBytes = [rows, ...rowShape].reduce((product, axis) => product * axis, valueBytes);
  const areCounts = [rows, ...rowShape, contentBytes].every(Number.isSafeInteger);
  if (!areCounts || contentBytes < 0) throw unfit(`it holds an array of shape (${shape})`);
  const meaning = `${dtype} ${rowShape.join(',')}`;
  return { head: { type, meaning, rowShape, rows, contentBytes }, bytes: end };
}

/** A copy: `bytes` need not be aligned. */
export function npyValues(type: ColumnType, bytes: Uint8Array): ColumnArray {
  const copy = new Uint8Array(bytes);
  return new columnTypes[type](copy.buffer);
}

/** Letters of each text; 0: the type is not one of texts. */
function lettersOf(dtype: string): number {
  return Number(/^<U(\d+)/.exec(dtype)?.[1] ?? 0);
}

/** The texts of an array of them. @param bytes `contentBytes` of them */
export function npyTexts(bytes: Buffer, { meaning, rows }: NpyHead): string[] {
  const letters = lettersOf(meaning);
  return Array.from({ length: rows }, (_, row) => {
    let text = '';
    for (let letter = 0; letter < letters; letter += 1) {
      const point = bytes.readUInt32LE(4 * (row * letters + letter));
      // U+FFFD represents what is no letter.
      if (point !== 0) text += String.fromCodePoint(point <= 0x10ffff ? point : 0xfffd);
    }
    return text;
  });
}
