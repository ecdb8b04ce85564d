// Points of a LAZ file as rows, chunk by chunk. Guarantees: one chunk and one piece are in memory, however long the
// file is; a chunk that cannot be decompressed is an error with its place.
import type { LasHead } from './lasHead.ts';
import { chunksOf, type LazChunk } from './lazChunks.ts';
import { openLazDecoder, type LazDecoder } from './lazDecoder.ts';
import type { LazCompression } from './lazItems.ts';
import { readyChunk } from './lazLayers.ts';
import { damaged, type PointFile } from './pointLayout.ts';

/** The rows of a file; pieces are as long as those of LAS, whatever its chunks are. */
export function lazRows(head: LasHead, compression: LazCompression): PointFile['rows'] {
  const { format, rowBytes } = compression;
  return async function* rows(file, maxRows) {
    const decoder = await openLazDecoder();
    let left = head.points;
    let piece = newPiece(Math.min(maxRows, left), rowBytes);
    for await (const chunk of chunksOf(file, head, compression)) {
      const bytes = await file.read(chunk.at, chunk.bytes);
      const ready = readyChunk(bytes, { ...chunk, rowBytes: head.rowBytes }, compression);
      if ('reason' in ready) throw damaged(file.path, ready.reason, chunk.at + ready.at);
      guarded(file.path, chunk, () => decoder.begin(ready.bytes, format, rowBytes));
      for (let done = 0; done < chunk.points;) {
        const taken = Math.min(chunk.points - done, piece.rows - piece.filled);
        guarded(file.path, chunk, () => take(decoder, piece, taken, rowBytes));
        done += taken;
        if (piece.filled < piece.rows) continue;
        yield { rows: piece.rows, view: new DataView(piece.bytes.buffer) };
        left -= piece.rows;
        piece = newPiece(Math.min(maxRows, left), rowBytes);
      }
    }
  };
}

interface Piece {
  rows: number;
  filled: number;
  bytes: Uint8Array;
}

function newPiece(rows: number, rowBytes: number): Piece {
  return { rows, filled: 0, bytes: new Uint8Array(rows * rowBytes) };
}

function take(decoder: LazDecoder, piece: Piece, rows: number, rowBytes: number): void {
  const from = piece.filled * rowBytes;
  decoder.take(piece.bytes.subarray(from, from + rows * rowBytes));
  piece.filled += rows;
}

/** Runs the decompressor. @throws UnderstoryError 'corrupt' for traps and all else that it throws */
function guarded(path: string, { at, points }: LazChunk, work: () => void): void {
  try {
    work();
  } catch {
    throw damaged(path, `a chunk of ${points} points cannot be decompressed`, at);
  }
}
