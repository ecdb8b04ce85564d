// LAS 1.4: the head of the first part with the numbers and bounds of all, then all points (ASPRS LAS 1.4 R15, table 3).
// Intensities of a part with another factor than that of the whole are computed again from the relative ones.
import { setIntensities } from '../export/lasPoints.ts';
import { lasHeaderBytes } from '../export/lasHeader.ts';
import type { PartFile } from '../export/partFile.ts';
import { beginningOf, copyRest, unfit } from './readPart.ts';

/** Offsets in the header. */
const at = {
  dataOffset: 96,
  records: 100,
  format: 104,
  stride: 105,
  bounds: 179,
  extended: 243,
  points: 247,
  byReturn: 255,
};
const returns = 15;
/** Bytes of a record's header, and of the description of an extra byte. */
const recordBytes = 54;
const extraBytes = 192;
const typeBytes = [0, 1, 1, 2, 2, 4, 4, 8, 8, 4, 8];
const full = 65535;
const maxHeadBytes = 1 << 24;

interface Head {
  bytes: Buffer;
  points: number;
  stride: number;
  /** Where the text of the intensity's factor is; null: there is none. */
  factorAt: number | null;
  /** The relative intensity that becomes 65535. */
  range: number;
  /** Offset of the relative intensity in a point. */
  relativeAt: number;
}

/** Copies the points of all parts below one head. */
export async function joinLas(
  file: PartFile,
  parts: readonly string[],
  check: () => void,
): Promise<void> {
  const heads: Head[] = [];
  for (const part of parts) heads.push(await headOf(part));
  const [first] = heads;
  if (first === undefined) return;
  for (const [index, head] of heads.entries()) {
    if (withoutPoints(head).equals(withoutPoints(first))) continue;
    throw unfit(parts[index] ?? '', 'its head differs from that of the first part');
  }
  const filled = heads.filter(({ points }) => points > 0);
  const widest = filled.reduce((most, head) => (head.range > most.range ? head : most), first);
  // The range is 1 where nothing was met, whatever the others have.
  const whole = first.points > 0 || filled.length === 0 ? widest : widestOf(filled);
  await file.append(joinedHead(first, heads, whole));
  for (const [index, part] of parts.entries()) {
    const head = heads[index] ?? first;
    const end = head.bytes.length + head.stride * head.points;
    const { stride, relativeAt, range } = head;
    let rest: Buffer = Buffer.alloc(0);
    await copyRest(
      part,
      head.bytes.length,
      async (bytes) => {
        check();
        const all = Buffer.concat([rest, bytes]);
        const points = Buffer.from(all.subarray(0, all.length - (all.length % stride)));
        rest = all.subarray(points.length);
        if (range !== whole.range) setIntensities(points, { stride, relativeAt }, whole.range);
        await file.append(points);
      },
      end,
    );
  }
}

function widestOf(heads: readonly Head[]): Head {
  const [first, ...others] = heads;
  if (first === undefined) throw new RangeError('there are no heads');
  return others.reduce((most, head) => (head.range > most.range ? head : most), first);
}

/** Header and records, up to the first point. */
async function headOf(file: string): Promise<Head> {
  const header = await beginningOf(file, lasHeaderBytes);
  if (header.length < lasHeaderBytes || header.toString('latin1', 0, 4) !== 'LASF') {
    throw unfit(file, 'it is no LAS 1.4 file');
  }
  if (header.readUInt32LE(at.extended) > 0) throw unfit(file, 'it has extended records');
  const headBytes = header.readUInt32LE(at.dataOffset);
  const bytes = headBytes > maxHeadBytes ? header : await beginningOf(file, headBytes);
  if (bytes.length !== headBytes) throw unfit(file, 'its records are cut off');
  const head: Head = {
    bytes,
    points: Number(bytes.readBigUInt64LE(at.points)),
    stride: bytes.readUInt16LE(at.stride),
    factorAt: null,
    range: 1,
    relativeAt: 0,
  };
  let offset = lasHeaderBytes;
  for (let record = 0; record < bytes.readUInt32LE(at.records); record += 1) {
    if (offset + recordBytes > headBytes) throw unfit(file, 'its records are cut off');
    const user = bytes.toString('latin1', offset + 2, offset + 18).replace(/\0.*$/s, '');
    const id = bytes.readUInt16LE(offset + 18);
    const length = bytes.readUInt16LE(offset + 20);
    const from = offset + recordBytes;
    if (user === 'Understory' && id === 1) {
      const factor = /factor = (\S+)/.exec(bytes.toString('latin1', from, from + length))?.[1];
      head.factorAt = from;
      head.range = full / Number(factor ?? full);
    }
    if (user === 'LASF_Spec' && id === 4) {
      head.relativeAt = relativeAtOf(bytes.subarray(from, from + length), bytes[at.format] ?? 6);
    }
    offset = from + length;
  }
  return head;
}

/** Where a point has its relative intensity, by the descriptions of its extra bytes. */
function relativeAtOf(descriptions: Buffer, format: number): number {
  let offset = format === 7 ? 36 : 30;
  for (let from = 0; from < descriptions.length; from += extraBytes) {
    const name = descriptions.toString('latin1', from + 4, from + 36).replace(/\0.*$/s, '');
    if (name === 'relative_intensity') return offset;
    offset += typeBytes[descriptions[from + 2] ?? 0] ?? 0;
  }
  return 0;
}

/** A copy without what depends on the points. */
function withoutPoints({ bytes, factorAt }: Head): Buffer {
  const copy = Buffer.from(bytes);
  copy.fill(0, at.bounds, at.bounds + 48);
  copy.fill(0, at.points, at.byReturn + 8 * returns);
  if (factorAt !== null) copy.fill(0, factorAt, factorAt + 128);
  return copy;
}

function joinedHead(first: Head, heads: readonly Head[], whole: Head): Buffer {
  const joined = Buffer.from(first.bytes);
  if (first.factorAt !== null && whole.factorAt !== null) {
    whole.bytes.copy(joined, first.factorAt, whole.factorAt, whole.factorAt + 128);
  }
  const filled = heads.filter(({ points }) => points > 0);
  for (let axis = 0; axis < 3 && filled.length > 0; axis += 1) {
    const offset = at.bounds + 16 * axis;
    joined.writeDoubleLE(
      Math.max(...filled.map(({ bytes }) => bytes.readDoubleLE(offset))),
      offset,
    );
    const least = Math.min(...filled.map(({ bytes }) => bytes.readDoubleLE(offset + 8)));
    joined.writeDoubleLE(least, offset + 8);
  }
  for (let word = 0; word <= returns; word += 1) {
    const offset = at.points + 8 * word;
    const sum = heads.reduce((all, { bytes }) => all + bytes.readBigUInt64LE(offset), 0n);
    joined.writeBigUInt64LE(sum, offset);
  }
  return joined;
}
