// Chunks of a LAZ file: where each is, and how many points it has. Guarantees: every chunk lies in the file, and together
// they have the points that the header counts; the table takes 12 bytes of memory a chunk.
import type { RegularFile } from '#files/regularFile.ts';
import { integerDecoder } from './integerDecoder.ts';
import type { LasHead } from './lasHead.ts';
import type { LazCompression } from './lazItems.ts';
import { damaged } from './pointLayout.ts';

export interface LazChunk {
  /** Where it is in the file. */
  at: number;
  bytes: number;
  points: number;
}

/** 2 · 10^11 points in chunks of 50,000. */
const maxChunks = 1 << 22;
/** For an integer of the table, with its share of what the coder adds. */
const maxIntegerBytes = 8;
/** Far more than chunks of 50,000 points, or of COPC, have; the decompressor holds one. */
const maxChunkBytes = 1 << 28;
/** Equal points compress to a thousandth of a byte each, not to less. */
const maxPointsPerByte = 4096;
const freePoints = 1 << 16;

/** @throws UnderstoryError 'corrupt', with the byte */
export async function* chunksOf(
  file: RegularFile,
  head: LasHead,
  compression: LazCompression,
): AsyncGenerator<LazChunk> {
  const { points, start, extended } = head;
  const { size } = file.stats;
  if (points === 0) return;
  if (compression.kind === 'whole') {
    const end = extended.count > 0 && extended.start > start ? extended.start : size;
    yield checked(file, { at: start, bytes: end - start, points }, size);
    return;
  }
  const table = await tableOf(file, head, compression.chunkPoints);
  let at = start + 8;
  for (const [chunk, bytes] of table.bytes.entries()) {
    const here = { at, bytes, points: table.points[chunk] ?? 0 };
    at += bytes;
    if (here.points > 0) yield checked(file, here, table.at);
  }
}

/** @param end of all chunks */
function checked(file: RegularFile, chunk: LazChunk, end: number): LazChunk {
  const { at, bytes, points } = chunk;
  const refused = (reason: string): never => {
    throw damaged(file.path, `a chunk of ${points} points ${reason}`, at);
  };
  if (at + bytes > end) refused(`and ${bytes} bytes ends beyond byte ${end}`);
  if (bytes > maxChunkBytes) refused(`has ${bytes} bytes, more than ${maxChunkBytes}`);
  if (points > freePoints + bytes * maxPointsPerByte) refused(`has ${bytes} bytes only`);
  return chunk;
}

interface ChunkTable {
  /** Where the table is: behind its chunks. */
  at: number;
  bytes: Uint32Array;
  points: Uint32Array;
}

async function tableOf(
  file: RegularFile,
  { points, start, rowBytes }: LasHead,
  chunkPoints: number | null,
): Promise<ChunkTable> {
  const at = await tablePlace(file, start);
  const head = await file.read(at, 8);
  if (at < start + 8 || head.length < 8) {
    throw damaged(file.path, `its table of chunks is at byte ${at}`, start);
  }
  const view = new DataView(head.buffer);
  const [version, count] = [view.getUint32(0, true), view.getUint32(4, true)];
  const refused = (reason: string): never => {
    throw damaged(file.path, `its table of chunks ${reason}`, at);
  };
  if (version !== 0) refused(`has version ${version}`);
  // Every chunk begins with a point that is not compressed.
  if (count > maxChunks || count * rowBytes > at - start) refused(`has ${count} chunks`);
  const expected = chunkPoints === null ? count : Math.ceil(points / chunkPoints);
  if (count !== expected) refused(`has ${count} chunks, not ${expected}`);
  const coded = await file.read(at + 8, maxIntegerBytes * (2 * count + 1));
  const next = integerDecoder(coded, () => refused('ends early'));
  const table = { at, bytes: new Uint32Array(count), points: new Uint32Array(count) };
  let [bytes, ofChunk, left] = [0, chunkPoints ?? 0, points];
  for (let chunk = 0; chunk < count; chunk += 1) {
    if (chunkPoints === null) ofChunk = next(ofChunk, 0);
    bytes = next(bytes, 1);
    const isLast = chunk === count - 1;
    table.points[chunk] = chunkPoints !== null && isLast ? left : ofChunk;
    table.bytes[chunk] = bytes;
    left -= ofChunk;
  }
  if (chunkPoints === null && left !== 0) refused(`has ${points - left} points, not ${points}`);
  return table;
}

/** Files that were written in one go have -1 before their points, and the place at their end. */
async function tablePlace(file: RegularFile, start: number): Promise<number> {
  const placeAt = async (at: number): Promise<bigint> => {
    const bytes = await file.read(at, 8);
    if (bytes.length < 8) throw damaged(file.path, 'it has no table of chunks', at);
    return new DataView(bytes.buffer).getBigInt64(0, true);
  };
  const place = await placeAt(start);
  const found = place === -1n ? await placeAt(file.stats.size - 8) : place;
  if (found < 0n || found > BigInt(file.stats.size)) {
    throw damaged(file.path, `its table of chunks is at byte ${found}`, start);
  }
  return Number(found);
}
