// Fields of a point of LAS, by its format (ASPRS LAS specification 1.4 R15, tables 7 to 17), and those of Extra Bytes.
// Near infrared and waveforms have no use here.
import { type LasRecord, nameOf } from './lasRecords.ts';
import { colourNames, type Get, getterOf, type Letter, type PointFile } from './pointLayout.ts';

/** Bytes of a point without Extra Bytes, by its format. */
const plainBytes = [20, 28, 26, 34, 57, 63, 30, 36, 38, 59, 67];

/** Offset of the time of a point, by its format; points of 0 and 2 have none. */
const timeAt = [null, 20, null, 20, 20, 20, 22, 22, 22, 22, 22];

/** Offset of red, green and blue of a point, 16 bit each, by its format. */
const coloursAt = [null, null, 20, 28, null, 28, null, 30, 30, null, 30];

/** Types of Extra Bytes 1 to 10; those up to 30 are two or three values of one of these. */
const extraTypes = ['U1', 'I1', 'U2', 'I2', 'U4', 'I4', 'U8', 'I8', 'F4', 'F8'] as const;

export interface LasPoints {
  format: number;
  rowBytes: number;
  scaleM: readonly [number, number, number];
}

/** Bytes of a point without Extra Bytes. @param format 0 to 10 */
export function rowBytesOf(format: number): number {
  return plainBytes[format] ?? Infinity;
}

/** By names in lower case. Extra Bytes with the name of another field of points are left out. */
export function lasFields(
  { format, rowBytes, scaleM }: LasPoints,
  records: readonly LasRecord[],
): Pick<PointFile, 'fields' | 'repeated'> {
  const fields = new Map<string, Get>();
  for (const [axis, name] of ['x', 'y', 'z'].entries()) {
    const scale = scaleM[axis] ?? 1;
    fields.set(name, (row, from) => row.getInt32(from + 4 * axis, true) * scale);
  }
  fields.set('intensity', (row, from) => row.getUint16(from + 12, true));
  const isLong = format >= 6;
  fields.set('return_no', (row, from) => row.getUint8(from + 14) & (isLong ? 15 : 7));
  fields.set('classification', (row, from) =>
    isLong ? row.getUint8(from + 16) : row.getUint8(from + 15) & 31,
  );
  // 1: the point is not to be used.
  fields.set('withheld', (row, from) => (row.getUint8(from + 15) >> (isLong ? 2 : 7)) & 1);
  const at = timeAt[format] ?? null;
  if (at !== null) fields.set('gps_time', (row, from) => row.getFloat64(from + at, true));
  const coloured = coloursAt[format] ?? null;
  if (coloured !== null) {
    for (const [channel, name] of colourNames.entries()) {
      fields.set(name, (row, from) => row.getUint16(from + coloured + 2 * channel, true));
    }
  }
  const extra = { fields: new Map<string, Get>(), repeated: new Set<string>() };
  addExtraBytes(records, { from: rowBytesOf(format), end: rowBytes }, extra);
  for (const name of fields.keys()) extra.repeated.delete(name);
  return { fields: new Map([...extra.fields, ...fields]), repeated: extra.repeated };
}

/** The record LASF_Spec 4: 192 bytes a field (table 24). */
function addExtraBytes(
  records: readonly LasRecord[],
  { from, end }: { from: number; end: number },
  { fields, repeated }: { fields: Map<string, Get>; repeated: Set<string> },
): void {
  let offset = from;
  for (const { user, id, content } of records) {
    if (user !== 'LASF_Spec' || id !== 4) continue;
    for (let at = 0; at + 192 <= content.length; at += 192) {
      const field = new DataView(content.buffer, content.byteOffset + at, 192);
      const { bytes, get } = extraField(field, offset);
      offset += bytes;
      if (offset > end) return;
      const name = nameOf(content.subarray(at + 4, at + 36)).toLowerCase();
      if (get === null) continue;
      if (fields.has(name)) repeated.add(name);
      fields.set(name, get);
    }
  }
}

/** Null: bytes without a type, or several values. */
function extraField(field: DataView, offset: number): { bytes: number; get: Get | null } {
  const [code, options] = [field.getUint8(2), field.getUint8(3)];
  // Without a type, the options are a number of bytes.
  if (code === 0) return { bytes: options, get: null };
  const type = extraTypes[(code - 1) % 10] ?? 'U1';
  const size = Number(type.slice(1));
  const values = Math.ceil(code / 10);
  const raw = values === 1 ? getterOf(type[0] as Letter, size, offset) : null;
  const scale = (options & 8) === 0 ? 1 : field.getFloat64(112, true);
  const shift = (options & 16) === 0 ? 0 : field.getFloat64(136, true);
  const isRaw = raw === null || (scale === 1 && shift === 0);
  const get: Get | null = isRaw ? raw : (row, from) => raw(row, from) * scale + shift;
  return { bytes: size * values, get };
}
