// The header of LAS 1.0 to 1.4: points are world coordinates, with times since a start of their own, classes, and Extra
// Bytes by their names.
import { badInput } from '#contract/errors.ts';
import { damaged, type Get, getterOf, type PointFile } from './pointFile.ts';

/** Offset of the time of a point, by its format; formats without one are missing. */
const timeAt: Record<number, number> = {
  1: 20,
  3: 20,
  4: 20,
  5: 20,
  6: 22,
  7: 22,
  8: 22,
  9: 22,
  10: 22,
};
/** Bytes of a point without Extra Bytes, by its format. */
const plainBytes = [20, 28, 26, 34, 57, 63, 30, 36, 38, 59, 67];

/** Types of Extra Bytes 1 to 10. */
const extraTypes = ['U1', 'I1', 'U2', 'I2', 'U4', 'I4', 'U8', 'I8', 'F4', 'F8'] as const;

/** @throws UnderstoryError 'corrupt', 'bad-input' for LAZ and points without times */
export function lasPoints(file: string, head: Uint8Array): PointFile {
  const view = new DataView(head.buffer, head.byteOffset, head.byteLength);
  if (head.length < 227 || new TextDecoder().decode(head.subarray(0, 4)) !== 'LASF') {
    throw damaged(file, 'it has no header of LAS');
  }
  const format = view.getUint8(104);
  if (format >= 128) {
    throw badInput('source', `${file}: expected LAS, found LAZ ('pdal translate IN.laz OUT.las')`);
  }
  const at = timeAt[format];
  if (at === undefined) {
    throw badInput('source', `${file}: expected points with times, found point format ${format}`);
  }
  const minor = view.getUint8(25);
  const points = minor >= 4 ? Number(view.getBigUint64(247, true)) : view.getUint32(107, true);
  const rowBytes = view.getUint16(105, true);
  const start = view.getUint32(96, true);
  if (rowBytes < (plainBytes[format] ?? Infinity)) throw damaged(file, 'its points are too short');
  const axis = (index: number): Get => {
    const scale = view.getFloat64(131 + 8 * index, true);
    return (row, from) => row.getInt32(from + 4 * index, true) * scale;
  };
  const isLong = format >= 6;
  const fields = new Map<string, Get>([
    ['x', axis(0)],
    ['y', axis(1)],
    ['z', axis(2)],
    ['intensity', (row, from) => row.getUint16(from + 12, true)],
    ['gps_time', (row, from) => row.getFloat64(from + at, true)],
    [
      'classification',
      (row, from) => row.getUint8(from + (isLong ? 16 : 15)) & (isLong ? 255 : 31),
    ],
    ['return_no', (row, from) => row.getUint8(from + 14) & (isLong ? 15 : 7)],
    ['withheld', (row, from) => withheldOf(row, from, isLong)],
  ]);
  addExtraBytes(head, view, plainBytes[format] ?? 0, fields);
  const originM = [155, 163, 171].map((offset) => view.getFloat64(offset, true));
  const [x = 0, y = 0, z = 0] = originM;
  return { points, start, rowBytes, fields, originM: [x, y, z], isWorld: true };
}

/** 1: the point is not to be used. */
function withheldOf(row: DataView, from: number, isLong: boolean): number {
  return isLong ? (row.getUint8(from + 15) >> 2) & 1 : (row.getUint8(from + 15) >> 7) & 1;
}

/** The record LASF_Spec 4: 192 bytes a field. */
function addExtraBytes(
  head: Uint8Array,
  view: DataView,
  from: number,
  fields: Map<string, Get>,
): void {
  const records = view.getUint32(100, true);
  let at = view.getUint16(94, true);
  let offset = from;
  for (let record = 0; record < records && at + 54 <= head.length; record++) {
    const length = view.getUint16(at + 20, true);
    const id = view.getUint16(at + 18, true);
    const user = textOf(head.subarray(at + 2, at + 18));
    for (let field = at + 54; id === 4 && user === 'LASF_Spec'; field += 192) {
      if (field + 192 > Math.min(at + 54 + length, head.length)) break;
      const type = extraTypes[view.getUint8(field + 2) - 1];
      if (type === undefined) return;
      const size = Number(type.slice(1));
      const get = getterOf(type[0] as 'I' | 'U' | 'F', size, offset);
      if (get !== null) fields.set(textOf(head.subarray(field + 4, field + 36)).toLowerCase(), get);
      offset += size;
    }
    at += 54 + length;
  }
}

function textOf(bytes: Uint8Array): string {
  const end = bytes.indexOf(0);
  return new TextDecoder('latin1').decode(end < 0 ? bytes : bytes.subarray(0, end)).trim();
}
