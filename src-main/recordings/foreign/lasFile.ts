// The header of LAS 1.0 to 1.4: points are world coordinates, with times since a start of their own, classes, and Extra
// Bytes by their names.
import { badInput } from '#contract/errors.ts';
import { damaged, type Get, getterOf, type PointFile } from './pointLayout.ts';

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
  const minor = head[25] ?? 0;
  if (
    head.length < (minor >= 4 ? 375 : 227) ||
    new TextDecoder().decode(head.subarray(0, 4)) !== 'LASF'
  ) {
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
  const records = recordsOf(head, view);
  addExtraBytes(records, plainBytes[format] ?? 0, fields);
  const originM = [155, 163, 171].map((offset) => view.getFloat64(offset, true));
  const [x = 0, y = 0, z = 0] = originM;
  return {
    points,
    start,
    rowBytes,
    fields,
    isWorld: true,
    originM: [x, y, z],
    frameM: [0, 0, 0],
    classes: classesOf(records),
    crs: crsOf(records),
  };
}

/** A variable length record. */
interface LasRecord {
  user: string;
  id: number;
  content: Uint8Array;
}

/** Records that lie in the bytes that were read. */
function recordsOf(head: Uint8Array, view: DataView): LasRecord[] {
  const records: LasRecord[] = [];
  const count = view.getUint32(100, true);
  let at = view.getUint16(94, true);
  while (records.length < count && at + 54 <= head.length) {
    const end = at + 54 + view.getUint16(at + 20, true);
    if (end > head.length) break;
    const user = textOf(head.subarray(at + 2, at + 18));
    records.push({
      user,
      id: view.getUint16(at + 18, true),
      content: head.subarray(at + 54, end),
    });
    at = end;
  }
  return records;
}

/** Names by code, of the record LASF_Spec 0: 256 codes with 15 letters each. */
function classesOf(records: readonly LasRecord[]): string[] {
  const content = records.find(({ user, id }) => user === 'LASF_Spec' && id === 0)?.content;
  if (content === undefined) return [];
  const names: string[] = [];
  for (let at = 0; at + 16 <= content.length; at += 16) {
    const name = textOf(content.subarray(at + 1, at + 16));
    if (name !== '') names[content[at] ?? 0] = name;
  }
  return Array.from(names, (name) => name ?? '');
}

/** Well-known text of a coordinate system on the earth, of the record LASF_Projection 2112. */
function crsOf(records: readonly LasRecord[]): string | null {
  const record = records.find(({ user, id }) => user === 'LASF_Projection' && id === 2112);
  const text = record === undefined ? '' : textOf(record.content);
  return /^(PROJ|GEO|COMPD|COMPOUND)/.test(text) ? text : null;
}

/** 1: the point is not to be used. */
function withheldOf(row: DataView, from: number, isLong: boolean): number {
  return isLong ? (row.getUint8(from + 15) >> 2) & 1 : (row.getUint8(from + 15) >> 7) & 1;
}

/** The record LASF_Spec 4: 192 bytes a field. */
function addExtraBytes(
  records: readonly LasRecord[],
  from: number,
  fields: Map<string, Get>,
): void {
  let offset = from;
  for (const { user, id, content } of records) {
    if (user !== 'LASF_Spec' || id !== 4) continue;
    for (let field = 0; field + 192 <= content.length; field += 192) {
      const type = extraTypes[(content[field + 2] ?? 0) - 1];
      if (type === undefined) return;
      const size = Number(type.slice(1));
      const get = getterOf(type[0] as 'I' | 'U' | 'F', size, offset);
      const name = textOf(content.subarray(field + 4, field + 36)).toLowerCase();
      if (get !== null) fields.set(name, get);
      offset += size;
    }
  }
}

function textOf(bytes: Uint8Array): string {
  const end = bytes.indexOf(0);
  return new TextDecoder('latin1').decode(end < 0 ? bytes : bytes.subarray(0, end)).trim();
}
