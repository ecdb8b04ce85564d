// Points of PCD that LZF compressed (`binary_compressed`): one field of all points after the other. Guarantees: sizes are
// held against the header and against what LZF can hold before memory is taken.
import { damaged, type PointFile } from './pointLayout.ts';

/** LZF packs at most 264 bytes into three. */
const maxShare = 88;
/** The whole content is in memory, beside its packed bytes. */
const maxContentBytes = 2 ** 31 - 1;

/** As binaryRows. @param start of the two sizes in front of the data @param fieldBytes of each field in a row */
export function compressedRows(
  start: number,
  points: number,
  fieldBytes: readonly number[],
): PointFile['rows'] {
  const rowBytes = fieldBytes.reduce((sum, bytes) => sum + bytes, 0);
  return async function* rows(file, maxRows) {
    if (points === 0) return;
    const head = await file.read(start, 8);
    if (head.length < 8) throw damaged(file.path, 'it is shorter than its header says');
    const view = new DataView(head.buffer, head.byteOffset, 8);
    const [packed, bytes] = [view.getUint32(0, true), view.getUint32(4, true)];
    if (bytes !== points * rowBytes || bytes > maxContentBytes || bytes > maxShare * packed + 64) {
      const found = `${bytes} bytes in ${packed} for ${points} points of ${rowBytes}`;
      throw damaged(file.path, `its compressed data has ${found}`);
    }
    if (packed > file.stats.size - start - 8) {
      throw damaged(file.path, 'it is shorter than its header says');
    }
    const content = unpackedLzf(await file.read(start + 8, packed), bytes);
    if (content === null) throw damaged(file.path, 'its compressed data is no LZF');
    for (let from = 0; from < points; from += maxRows) {
      const count = Math.min(maxRows, points - from);
      yield { rows: count, view: rowsFrom(content, points, fieldBytes, from, count) };
    }
  };
}

/** Rows from fields. */
function rowsFrom(
  content: Uint8Array,
  points: number,
  fieldBytes: readonly number[],
  from: number,
  count: number,
): DataView {
  const rowBytes = content.length / points;
  const rows = new Uint8Array(count * rowBytes);
  let [offset, fieldAt] = [0, 0];
  for (const bytes of fieldBytes) {
    for (let row = 0; row < count; row++) {
      const at = fieldAt + (from + row) * bytes;
      for (let byte = 0; byte < bytes; byte++) {
        rows[row * rowBytes + offset + byte] = content[at + byte] ?? 0;
      }
    }
    offset += bytes;
    fieldAt += points * bytes;
  }
  return new DataView(rows.buffer);
}

/** The content of LZF data (liblzf, lzf_d.c). Null: it holds something else, or another number of bytes. */
export function unpackedLzf(packed: Uint8Array, bytes: number): Uint8Array | null {
  const out = new Uint8Array(bytes);
  let [from, to] = [0, 0];
  while (from < packed.length) {
    const control = packed[from++] ?? 0;
    if (control < 32) {
      const count = control + 1;
      if (from + count > packed.length || to + count > bytes) return null;
      out.set(packed.subarray(from, from + count), to);
      from += count;
      to += count;
      continue;
    }
    let count = (control >> 5) + 2;
    if (count === 9) count += packed[from++] ?? 0;
    const back = to - ((control & 31) << 8) - (packed[from++] ?? 0) - 1;
    if (from > packed.length || back < 0 || to + count > bytes) return null;
    // Why byte by byte: a reference may reach into what it writes.
    for (let byte = 0; byte < count; byte++) out[to + byte] = out[back + byte] ?? 0;
    to += count;
  }
  return to === bytes ? out : null;
}
