// The public header block of LAS 1.0 to 1.4 (ASPRS LAS specification 1.4 R15, table 3).
import { UnderstoryError } from '#contract/errors.ts';
import { damaged } from './pointLayout.ts';

export interface LasHead {
  /** 0 to 10. */
  format: number;
  /** LAZ. */
  isCompressed: boolean;
  points: number;
  /** Where points begin, and what a point takes without compression. */
  start: number;
  rowBytes: number;
  scaleM: readonly [number, number, number];
  originM: [number, number, number];
  /** Variable length records: where they begin, and how many there are. */
  records: { start: number; count: number };
  /** Extended variable length records. */
  extended: { start: number; count: number };
}

const lastFormat = 10;
/** Bits of the point format. */
const lazBits = { now: 0x80, before: 0x40 };

/** @throws UnderstoryError 'corrupt', 'unsupported' for points of an unknown format */
export function lasHead(file: string, head: Uint8Array): LasHead {
  const view = new DataView(head.buffer, head.byteOffset, head.byteLength);
  const isLong = (head[25] ?? 0) >= 4;
  const isHead = new TextDecoder().decode(head.subarray(0, 4)) === 'LASF';
  if (!isHead || head.length < (isLong ? 375 : 227)) throw damaged(file, 'it has no header of LAS');
  const u32 = (at: number): number => view.getUint32(at, true);
  const u64 = (at: number): number => Number(view.getBigUint64(at, true));
  const axes = (from: number): [number, number, number] => [
    view.getFloat64(from, true),
    view.getFloat64(from + 8, true),
    view.getFloat64(from + 16, true),
  ];
  const code = view.getUint8(104);
  const format = code & ~(lazBits.now | lazBits.before);
  if (format > lastFormat || (code & lazBits.before) !== 0) {
    const message = `${file}: point format ${code} is not read (0 to ${lastFormat} are)`;
    throw new UnderstoryError('unsupported', message, { file, byte: 104 });
  }
  const records = { start: view.getUint16(94, true), count: u32(100) };
  const start = u32(96);
  if (records.start < 227 || start < records.start) {
    throw damaged(file, `its points begin at byte ${start}, in the header`, 96);
  }
  // The count of 32 bits is 0 where it cannot hold the number, or for formats 6 on; that of 64 bits, in some files.
  const points = isLong ? u64(247) || u32(107) : u32(107);
  if (!Number.isSafeInteger(points)) throw damaged(file, `it has ${points} points`, 247);
  return {
    format,
    isCompressed: (code & lazBits.now) !== 0,
    points,
    start,
    rowBytes: view.getUint16(105, true),
    scaleM: axes(131),
    originM: axes(155),
    records,
    extended: isLong ? { start: u64(235), count: u32(243) } : { start: 0, count: 0 },
  };
}
