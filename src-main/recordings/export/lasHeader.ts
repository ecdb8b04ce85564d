// The head of a LAS 1.4 file: the public header block and the records that say what the points' numbers mean (names
// of classes and sensors, extra bytes, the frame, the scale of the intensity). Its length does not depend on the
// points, so that it can be written again when they are known.
import type { RowSource } from './format.ts';
import { returnColumns } from '#contract/columns.ts';
import type { OriginM } from '#contract/worldOrigin.ts';
import { joinBytes } from '#domain/shared/joinBytes.ts';
import type { LasExtra, LasLayout } from './lasColumns.ts';

/** The public header block alone. */
export const lasHeaderBytes = 375;

/** Number, bounds and times of the points. */
export interface LasExtent {
  points: number;
  /** Points that are the first, second … return of their pulse. */
  byReturn: number[];
  /** Metres, each axis. */
  min: number[];
  max: number[];
}

interface LasHead {
  layout: LasLayout;
  stepM: number;
  /** World position that the steps count from. */
  originM: OriginM;
  /** Coordinate reference system of the world; null: none is known. */
  wkt: string | null;
  /** The relative intensity that becomes 65535; null: there is none. */
  intensityRange: number | null;
  /** Point source i + 1 is sensor or leg i; null: there is none. */
  source: RowSource | null;
  /** Times are adjusted standard GPS times, not those of the simulation. */
  hasGpsTime: boolean;
  /** Meaning of the points' times; null: they have none. */
  timesText: string | null;
  extent: LasExtent;
}

const recordHeaderBytes = 54;
/** Without and with colours. */
const pointFormats = { plain: 6, coloured: 7 } as const;
/** Global encoding, bit 0: times are adjusted standard GPS times. */
const hasStandardTime = 1;
/** Global encoding, bit 4: the frame is given as well-known text, as this point format demands. */
const hasWkt = 1 << 4;
const frame =
  'LOCAL_CS["Scene: x forward or east, y left or north, z up",LOCAL_DATUM["Scene",0],UNIT["metre",1],' +
  'AXIS["x",EAST],AXIS["y",NORTH]]';
/** Codes of the types of extra bytes. */
const typeCodes = { u8: 1, u16: 3, u32: 5, i32: 6, u64: 7, i64: 8, f32: 9, f64: 10 } as const;

/** The header block and its records; the first point follows. */
export function lasHeader(head: LasHead): Uint8Array {
  const { stepM, originM, extent } = head;
  const { hasColours, stride } = head.layout;
  const records = recordsOf(head);
  const dataAt = records.reduce((sum, { byteLength }) => sum + byteLength, lasHeaderBytes);
  const bytes = new Uint8Array(dataAt);
  const view = new DataView(bytes.buffer);
  setText(bytes, 0, 'LASF', 4);
  view.setUint16(6, hasWkt | (head.hasGpsTime ? hasStandardTime : 0), true);
  bytes.set([1, 4], 24);
  setText(bytes, 26, 'Understory', 32);
  setText(bytes, 58, 'Understory', 32);
  view.setUint16(94, lasHeaderBytes, true);
  view.setUint32(96, dataAt, true);
  view.setUint32(100, records.length, true);
  view.setUint8(104, hasColours ? pointFormats.coloured : pointFormats.plain);
  view.setUint16(105, stride, true);
  for (let axis = 0; axis < 3; axis++) {
    view.setFloat64(131 + 8 * axis, stepM, true);
    view.setFloat64(155 + 8 * axis, originM[axis] ?? 0, true);
    const isEmpty = extent.points === 0;
    view.setFloat64(179 + 16 * axis, isEmpty ? 0 : (extent.max[axis] ?? 0), true);
    view.setFloat64(187 + 16 * axis, isEmpty ? 0 : (extent.min[axis] ?? 0), true);
  }
  view.setBigUint64(247, BigInt(extent.points), true);
  for (const [index, points] of extent.byReturn.entries()) {
    view.setBigUint64(255 + 8 * index, BigInt(points), true);
  }
  let at = lasHeaderBytes;
  for (const record of records) {
    bytes.set(record, at);
    at += record.byteLength;
  }
  return bytes;
}

function recordsOf({ layout, wkt, source, intensityRange, timesText }: LasHead): Uint8Array[] {
  const { extras, classNames } = layout;
  const records = [record('LASF_Projection', 2112, 'frame', encoded(`${wkt ?? frame}\0`))];
  if (classNames.size > 0) {
    records.push(record('LASF_Spec', 0, 'names of classes', classLookup(classNames)));
  }
  if (extras.length > 0) {
    records.push(record('LASF_Spec', 4, 'extra bytes', joinBytes(extras.map(extraBytes))));
  }
  if (source !== null && source.names.length > 0) {
    const lines = source.names.map((name, index) => `point source ${index + 1}: ${name}\n`);
    // A record has 65,535 bytes at most.
    const text = lines.join('').slice(0, 65_534);
    records.push(record('LASF_Spec', 3, `${source.name}s`, encoded(`${text}\0`)));
  }
  if (intensityRange !== null) {
    records.push(record('Understory', 1, 'scale of the intensity', intensityText(intensityRange)));
  }
  if (timesText !== null) {
    records.push(record('Understory', 2, 'times and lasers of pulses', encoded(`${timesText}\0`)));
  }
  return records;
}

/** The text that scales intensities; its length is the same for every range. */
function intensityText(range: number): Uint8Array {
  const text = `intensity = round(factor * relative_intensity)\nfactor = ${65535 / range}\n`;
  const bytes = new Uint8Array(128);
  bytes.set(encoded(text));
  return bytes;
}

function record(user: string, id: number, description: string, content: Uint8Array): Uint8Array {
  const head = new Uint8Array(recordHeaderBytes);
  setText(head, 2, user, 16);
  const view = new DataView(head.buffer);
  view.setUint16(18, id, true);
  view.setUint16(20, content.byteLength, true);
  setText(head, 22, description, 32);
  return joinBytes([head, content]);
}

/** 256 entries of a code and 15 letters. */
function classLookup(classNames: ReadonlyMap<number, string>): Uint8Array {
  const bytes = new Uint8Array(256 * 16);
  for (let code = 0; code < 256; code++) {
    bytes[16 * code] = code;
    setText(bytes, 16 * code + 1, classNames.get(code) ?? '', 15);
  }
  return bytes;
}

function extraBytes({ column, name, type }: LasExtra): Uint8Array {
  const bytes = new Uint8Array(192);
  const { meaning, unit } = returnColumns[column];
  bytes[2] = typeCodes[type];
  setText(bytes, 4, name, 32);
  setText(bytes, 160, unit === '1' ? meaning : `${unit}: ${meaning}`, 32);
  return bytes;
}

/** Characters beyond ASCII, and those that do not fit, are dropped. */
function setText(bytes: Uint8Array, at: number, text: string, room: number): void {
  bytes.set(encoded(text.replace(/[^\x20-\x7e]/g, '?').slice(0, room)), at);
}

function encoded(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}
