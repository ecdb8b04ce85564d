// The bytes of a log's sections and trailer (LOG.md), for writer and reader.
import type { Hash } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import { promisify } from 'node:util';
import { constants, zstdCompress, zstdDecompress } from 'node:zlib';
import type { ColumnType, Columns } from '#contract/columns.ts';
import { logColumns, type LogColumnName } from '#contract/log/log.ts';
import { encodeFrame, type Frame, FrameReader } from '#contract/wire/frame.ts';

export const startMagic = new TextEncoder().encode('USLOG1\r\n');
export const endMagic = new TextEncoder().encode('USLOGEND');
/** Offset of the summary, SHA-256, magic. */
export const trailerBytes = 8 + 32 + 8;
/** Two lengths. */
export const sectionHeadBytes = 16;
/** Limit of a section's content, compressed or not. */
const maxSectionBytes = 256 * 1024 * 1024;

const compress = promisify(zstdCompress);
/** As zlib gives them for `info`, which its types leave out. */
type Decompressed = { buffer: Uint8Array; engine: { bytesWritten: number } };
const decompress = promisify<Uint8Array, object, Decompressed>(
  zstdDecompress as unknown as (
    packed: Uint8Array,
    options: object,
    callback: (error: Error | null, found: Decompressed) => void,
  ) => void,
);
const compression = {
  params: {
    [constants.ZSTD_c_compressionLevel]: 3,
    [constants.ZSTD_c_checksumFlag]: 1,
  },
};

/** A section, and its content, which the hash is over. */
export interface Section {
  content: Uint8Array;
  bytes: Uint8Array;
}

/** Lays a section out. */
export async function encodeSection(
  method: string,
  body: unknown,
  columns: Columns = {},
  seq?: number,
): Promise<Section> {
  const header = { kind: 'event' as const, id: 0, method, ...(seq !== undefined && { seq }), body };
  const content = encodeFrame({ header, columns });
  const packed = await compress(content, compression);
  const bytes = new Uint8Array(sectionHeadBytes + packed.length);
  const view = new DataView(bytes.buffer);
  view.setBigUint64(0, BigInt(packed.length), true);
  view.setBigUint64(8, BigInt(content.length), true);
  bytes.set(packed, sectionHeadBytes);
  return { content, bytes };
}

/** The content of a section; null: it is not of that length, or not one zstd frame and nothing else. */
export async function inflateSection(
  packed: Uint8Array,
  contentBytes: number,
): Promise<Uint8Array | null> {
  const options = { maxOutputLength: contentBytes, info: true };
  const found = await decompress(packed, options).catch(() => null);
  const isWhole =
    found?.buffer.length === contentBytes && found.engine.bytesWritten === packed.length;
  return isWhole ? found.buffer : null;
}

/** Hashed at a time: some 0.2 ms. */
const hashedBytes = 256 * 1024;

/** Adds a content to a hash; others get their turn in between. Why: a chunk is 3 MB, and this is the host's thread. */
export async function hashContent(hash: Hash, content: Uint8Array): Promise<void> {
  for (let from = 0; from < content.length; from += hashedBytes) {
    hash.update(content.subarray(from, from + hashedBytes));
    await setImmediate();
  }
}

/** The only frame of a content; null: it is none, or has another method. */
export function frameOf(content: Uint8Array, method: string): Frame | null {
  const reader = new FrameReader();
  try {
    const frames = reader.push(content);
    const [frame] = frames;
    const isWhole = frames.length === 1 && reader.isIdle;
    return isWhole && frame?.header.method === method ? frame : null;
  } catch {
    // Why swallowed: what is wrong with the bytes does not matter; the caller names file and offset.
    return null;
  }
}

/** Type of a column in the file. */
export function typeInFile(name: LogColumnName): ColumnType {
  return logColumns[name].type;
}

/** Length of a section's parts; null: more than the limits. */
export function readSectionHead(bytes: Uint8Array): { packed: number; content: number } | null {
  const view = new DataView(bytes.buffer, bytes.byteOffset, sectionHeadBytes);
  const packed = Number(view.getBigUint64(0, true));
  const content = Number(view.getBigUint64(8, true));
  return packed > maxSectionBytes || content > maxSectionBytes ? null : { packed, content };
}
