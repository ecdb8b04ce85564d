// Arrays for NumPy: NPY 1.0 (numpy.org/doc/stable/reference/generated/numpy.lib.format.html), one array of
// known element type whose rows are appended as they come. Guarantees: little-endian, C order, a header
// whose length does not depend on the number of rows, so that it can be written again at the end.
import type { ColumnArray, ColumnType } from '#contract/columns.ts';
import { UnderstoryError } from '#contract/errors.ts';
import type { PartFile } from './partFile.ts';

/** NumPy's names of the element types. */
const dtypes: Record<ColumnType, string> = {
  u8: '|u1',
  u16: '<u2',
  u32: '<u4',
  i32: '<i4',
  u64: '<u8',
  i64: '<i8',
  f32: '<f4',
  f64: '<f8',
};

/** The element type of NumPy's name for it; null: another. */
export function npyTypeOf(dtype: string): ColumnType | null {
  const found = Object.entries(dtypes).find(([, name]) => name === dtype);
  return found === undefined ? null : (found[0] as ColumnType);
}

/** Room for any header: a multiple of 64, as NumPy aligns them. */
const headerBytes = 192;

/** The header of an array with this shape; always `headerBytes` long. @throws RangeError above 5 axes or so */
export function npyHeader(type: ColumnType, shape: readonly number[]): Uint8Array {
  return headerOf(dtypes[type], shape);
}

function headerOf(dtype: string, shape: readonly number[]): Uint8Array {
  const axes = shape.length === 1 ? `${shape[0]},` : shape.join(', ');
  const text = `{'descr': '${dtype}', 'fortran_order': False, 'shape': (${axes}), }`;
  const length = headerBytes - 10;
  if (text.length >= length) throw new RangeError(`no header holds the shape (${axes})`);
  const bytes = new Uint8Array(headerBytes);
  bytes.set([0x93, 0x4e, 0x55, 0x4d, 0x50, 0x59, 1, 0, length & 0xff, length >> 8]); // \x93NUMPY 1.0
  bytes.set(new TextEncoder().encode(`${text.padEnd(length - 1)}\n`), 10);
  return bytes;
}

/** Texts as a file: an array of as many code points each as the longest has. */
export function encodeNpyTexts(texts: readonly string[]): Uint8Array {
  const points = texts.map((text) => Array.from(text, (letter) => letter.codePointAt(0) ?? 0));
  const longest = Math.max(1, ...points.map(({ length }) => length));
  const file = new Uint8Array(headerBytes + 4 * longest * texts.length);
  file.set(headerOf(`<U${longest}`, [texts.length]));
  const view = new DataView(file.buffer, headerBytes);
  for (const [row, letters] of points.entries()) {
    for (const [at, point] of letters.entries())
      view.setUint32(4 * (longest * row + at), point, true);
  }
  return file;
}

/** A whole array as a file. @throws RangeError where the values are not as many as the shape says */
export function encodeNpy(
  type: ColumnType,
  shape: readonly number[],
  values: ColumnArray,
): Uint8Array {
  const expected = shape.reduce((product, axis) => product * axis, 1);
  if (values.length !== expected) {
    throw new RangeError(`expected ${expected} values, found ${values.length}`);
  }
  const file = new Uint8Array(headerBytes + values.byteLength);
  file.set(npyHeader(type, shape));
  file.set(bytesOf(values), headerBytes);
  return file;
}

/** An array that grows by rows. */
export interface NpyWriter {
  /** Whole rows. */
  append(values: ColumnArray): Promise<void>;
  /** Writes the number of rows into the header; the file is the caller's to finish. */
  finish(): Promise<void>;
}

/** Starts an array of shape (rows, ...rowShape) in an empty file. */
export async function openNpy(
  file: PartFile,
  type: ColumnType,
  rowShape: readonly number[] = [],
): Promise<NpyWriter> {
  const perRow = rowShape.reduce((product, axis) => product * axis, 1);
  let values = 0;
  await file.append(npyHeader(type, [0, ...rowShape]));
  return {
    async append(more) {
      values += more.length;
      await file.append(bytesOf(more));
    },
    async finish() {
      if (values % perRow !== 0) {
        throw new UnderstoryError('internal', `${values} values are no rows of ${perRow}`);
      }
      await file.patchHead(npyHeader(type, [values / perRow, ...rowShape]));
    },
  };
}

function bytesOf({ buffer, byteOffset, byteLength }: ColumnArray): Uint8Array {
  return new Uint8Array(buffer, byteOffset, byteLength);
}
