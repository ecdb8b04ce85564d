// Variable length records of LAS, and the extended ones behind the points: those that are of use here.
import type { RegularFile } from '#files/regularFile.ts';
import type { LasHead } from './lasHead.ts';
import { damaged } from './pointLayout.ts';

export interface LasRecord {
  user: string;
  id: number;
  content: Uint8Array;
}

/** Names of classes, Extra Bytes, the coordinate system as text or GeoTIFF keys, and how LAZ compresses. */
const wanted = new Set([
  'LASF_Spec 0',
  'LASF_Spec 4',
  'LASF_Projection 2112',
  'LASF_Projection 34735',
  'LASF_Projection 34736',
  'laszip encoded 22204',
]);

/** More than any file has, and few enough to be read at once. */
const maxRecords = 1 << 14;
const maxContentBytes = 1 << 24;

interface RecordKind {
  headBytes: number;
  /** Bytes of content, of the header of a record. */
  lengthOf: (head: DataView) => number;
}

const ordinary: RecordKind = { headBytes: 54, lengthOf: (head) => head.getUint16(20, true) };
const extended: RecordKind = {
  headBytes: 60,
  lengthOf: (head) => Number(head.getBigUint64(20, true)),
};

/** @throws UnderstoryError 'corrupt' for records that do not fit the file */
export async function readLasRecords(file: RegularFile, head: LasHead): Promise<LasRecord[]> {
  // Why no failure where ordinary ones end early: the counts of many files are wrong, and points begin where they say.
  const first = await recordsOf(file, { ...head.records, end: head.start }, ordinary);
  const { size } = file.stats;
  const { start, count } = head.extended;
  if (count === 0) return first;
  if (start + count * extended.headBytes > size) {
    throw damaged(file.path, `${count} records at byte ${start} do not fit it`, 235);
  }
  return [...first, ...(await recordsOf(file, { start, count, end: size }, extended))];
}

async function recordsOf(
  file: RegularFile,
  { start, count, end }: { start: number; count: number; end: number },
  { headBytes, lengthOf }: RecordKind,
): Promise<LasRecord[]> {
  const records: LasRecord[] = [];
  let at = start;
  for (let record = 0; record < count && at + headBytes <= end; record += 1) {
    if (record === maxRecords) throw damaged(file.path, `it has ${count} records`, at);
    const head = await file.read(at, headBytes);
    if (head.length < headBytes) break;
    const view = new DataView(head.buffer);
    const length = lengthOf(view);
    const from = at + headBytes;
    if (from + length > end) break;
    const [user, id] = [nameOf(head.subarray(2, 18)), view.getUint16(18, true)];
    if (wanted.has(`${user} ${id}`)) {
      if (length > maxContentBytes) throw damaged(file.path, `a record has ${length} bytes`, at);
      records.push({ user, id, content: await file.read(from, length) });
    }
    at = from + length;
  }
  return records;
}

/** Text up to the first zero. */
export function nameOf(bytes: Uint8Array): string {
  const end = bytes.indexOf(0);
  return new TextDecoder('latin1').decode(end < 0 ? bytes : bytes.subarray(0, end)).trim();
}
