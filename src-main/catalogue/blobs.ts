// Columns as one compressed blob: a frame (contract/wire/PROTOCOL.md) under zstd.
import { zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import type { Columns } from '#contract/columns.ts';
import { decodeFrame, encodeFrame } from '#contract/wire/frame.ts';

/** Columns as a blob. */
export function packColumns(columns: Columns): Uint8Array {
  return zstdCompressSync(encodeFrame({ header: { kind: 'event', id: 0 }, columns }));
}

/** The reverse of packColumns. @throws UnderstoryError 'protocol' where the bytes hold no frame */
export function unpackColumns(blob: Uint8Array): Columns {
  return decodeFrame(zstdDecompressSync(blob)).columns;
}

/** Returns by ground-cover instance. Ids are stored as differences: they ascend, and compress to a fifth. */
export function packCounts(ids: Uint32Array, returns: Uint32Array): Uint8Array {
  const steps = ids.map((id, i) => id - (ids[i - 1] ?? 0));
  return packColumns({ object_id: steps, object_returns: returns });
}

/** The reverse of packCounts. */
export function unpackCounts(blob: Uint8Array): { ids: Uint32Array; returns: Uint32Array } {
  const { object_id: steps, object_returns: returns } = unpackColumns(blob);
  if (!(steps instanceof Uint32Array) || !(returns instanceof Uint32Array)) {
    throw new TypeError('the blob holds no counts');
  }
  const ids = new Uint32Array(steps.length);
  let id = 0;
  for (let i = 0; i < steps.length; i++) ids[i] = id = (id + (steps[i] ?? 0)) >>> 0;
  return { ids, returns };
}
