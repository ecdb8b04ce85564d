// A chunk of LAZ as laz-perf takes it. Guarantees: its streams lie in it and begin as those of an arithmetic coder, so
// that decompression ends whatever they hold; waveform packets, which laz-perf does not know, are taken out.
import type { LazCompression } from './lazItems.ts';

/** The chunk, or why it cannot be decompressed. */
export type ReadyChunk = { bytes: Uint8Array } | { reason: string; at: number };

/** @param rowBytes of a point in the file */
export function readyChunk(
  bytes: Uint8Array,
  { points, rowBytes }: { points: number; rowBytes: number },
  compression: LazCompression,
): ReadyChunk {
  if (compression.kind === 'layered') return readyLayers(bytes, { points, rowBytes }, compression);
  if (points > 1 && !beginsStream(bytes, rowBytes)) {
    return { reason: 'a chunk has no stream', at: rowBytes };
  }
  if (bytes.length >= rowBytes) return { bytes };
  return { reason: 'a chunk ends in its first point', at: bytes.length };
}

/** The first point, the number of points, the size of each stream, and the streams. */
function readyLayers(
  bytes: Uint8Array,
  { points, rowBytes }: { points: number; rowBytes: number },
  { layers }: LazCompression,
): ReadyChunk {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const streams = layers.reduce((sum, layer) => sum + layer.streams, 0);
  let stream = rowBytes + 4 + 4 * streams;
  if (bytes.length < stream) return { reason: 'a chunk ends before its streams', at: bytes.length };
  const counted = view.getUint32(rowBytes, true);
  if (counted !== points) {
    return { reason: `a chunk of ${points} points counts ${counted}`, at: rowBytes };
  }
  const pieces: { first: Uint8Array[]; sizes: Uint8Array[]; streams: Uint8Array[] } = {
    first: [],
    sizes: [bytes.subarray(rowBytes, rowBytes + 4)],
    streams: [],
  };
  let [part, sizeAt] = [0, rowBytes + 4];
  for (const layer of layers) {
    const [from, sizesAt] = [stream, sizeAt];
    for (let index = 0; index < layer.streams; index += 1) {
      const size = view.getUint32(sizeAt, true);
      // Positions are never left out; other streams are where nothing in them changes.
      const mayBeEmpty = points <= 1 || part > 0 || index > 0;
      const isStream = size === 0 ? mayBeEmpty : size >= 4 && beginsStream(bytes, stream);
      if (!isStream || stream + size > bytes.length) {
        return { reason: `a stream of ${size} bytes is not in its chunk`, at: sizeAt };
      }
      stream += size;
      sizeAt += 4;
    }
    if (!layer.isSkipped) {
      pieces.first.push(bytes.subarray(part, part + layer.bytes));
      pieces.sizes.push(bytes.subarray(sizesAt, sizeAt));
      pieces.streams.push(bytes.subarray(from, stream));
    }
    part += layer.bytes;
  }
  if (!layers.some(({ isSkipped }) => isSkipped)) return { bytes };
  return { bytes: joined([...pieces.first, ...pieces.sizes, ...pieces.streams]) };
}

/** Why not 2^32 - 1: no coder writes it, and laz-perf may then search its tables without end. */
function beginsStream(bytes: Uint8Array, at: number): boolean {
  return at + 4 <= bytes.length && bytes.subarray(at, at + 4).some((byte) => byte !== 0xff);
}

function joined(pieces: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(pieces.reduce((sum, piece) => sum + piece.length, 0));
  let at = 0;
  for (const piece of pieces) {
    whole.set(piece, at);
    at += piece.length;
  }
  return whole;
}
