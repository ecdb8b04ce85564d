// The contents of an uncompressed chunk, found by walking its records: the message index that MCAP requires
// after it. Writer and recovery both use this walk, so a recovered file has the bytes of a closed one.
import { McapRecordBuilder } from '@mcap/core';

/** Message times and offsets within the chunk, by channel in order of first use. */
export interface ChunkContents {
  /** Offset and log time of each message by channel. */
  messages: Map<number, [logTime: bigint, offset: bigint][]>;
  messageCount: number;
  startTime: bigint;
  endTime: bigint;
}

const messageOpcode = 0x05;
const chunkOpcode = 0x06;
const recordHeadBytes = 9;

/** Walks a chunk's records. Null where they do not fill it exactly: it is not a whole chunk of ours. */
export function readChunkContents(chunk: Uint8Array): ChunkContents | null {
  const view = new DataView(chunk.buffer, chunk.byteOffset, chunk.byteLength);
  const contents: ChunkContents = {
    messages: new Map(),
    messageCount: 0,
    startTime: 0n,
    endTime: 0n,
  };
  let offset = 0;
  while (offset + recordHeadBytes <= chunk.length) {
    const length = Number(view.getBigUint64(offset + 1, true));
    const end = offset + recordHeadBytes + length;
    if (end > chunk.length) return null;
    if (chunk[offset] === messageOpcode) {
      const channel = view.getUint16(offset + recordHeadBytes, true);
      addMessage(contents, channel, view.getBigUint64(offset + recordHeadBytes + 6, true), offset);
    }
    offset = end;
  }
  return offset === chunk.length ? contents : null;
}

/** Bytes of a chunk record before its compressed records: what encodeChunkHead gives. */
export const chunkHeadBytes = recordHeadBytes + 8 + 8 + 8 + 4 + (4 + 'zstd'.length) + 8;

/** Sizes and CRC of a chunk's records, before and after compression. */
export interface ChunkSizes {
  uncompressedBytes: number;
  crc32: number;
  compressedBytes: number;
}

/** The record of a chunk up to its compressed records, which follow it in the file. */
export function encodeChunkHead(
  { startTime, endTime }: ChunkContents,
  { uncompressedBytes, crc32, compressedBytes }: ChunkSizes,
): Uint8Array {
  const head = new Uint8Array(chunkHeadBytes);
  const view = new DataView(head.buffer);
  view.setUint8(0, chunkOpcode);
  view.setBigUint64(1, BigInt(chunkHeadBytes - recordHeadBytes + compressedBytes), true);
  view.setBigUint64(9, startTime, true);
  view.setBigUint64(17, endTime, true);
  view.setBigUint64(25, BigInt(uncompressedBytes), true);
  view.setUint32(33, crc32, true);
  view.setUint32(37, 'zstd'.length, true);
  head.set(new TextEncoder().encode('zstd'), 41);
  view.setBigUint64(45, BigInt(compressedBytes), true);
  return head;
}

/**
 * The reverse of encodeChunkHead; `packed` is a view of the record. Null where it is no whole chunk under zstd. Why not
 * by the library: it copies the record twice.
 */
export function readChunkHead(
  record: Uint8Array,
): { uncompressedBytes: number; crc32: number; packed: Uint8Array } | null {
  if (record.length < chunkHeadBytes || record[0] !== chunkOpcode) return null;
  const view = new DataView(record.buffer, record.byteOffset, record.byteLength);
  const isZstd = view.getUint32(37, true) === 4 && view.getUint32(41, true) === zstdName;
  const packed = record.subarray(chunkHeadBytes);
  if (!isZstd || view.getBigUint64(45, true) !== BigInt(packed.length)) return null;
  const uncompressedBytes = Number(view.getBigUint64(25, true));
  return { uncompressedBytes, crc32: view.getUint32(33, true), packed };
}

/**
 * Bytes of a chunk's content at most, before and after compression. Why both: content that compresses well may be 64
 * MiB whatever it takes in the file, more only 256 times that; zstd itself inflates
 * up to 30 000 times, so that a small file would fill the memory.
 */
export function maxContentBytes(packedBytes: number): number {
  return Math.min(2 ** 31, 2 ** 26 + 256 * packedBytes);
}

/** 'zstd' as a little-endian number. */
const zstdName = 0x6474737a;

/** The contents of a chunk that is one message. */
export function oneMessage(channelId: number, time: bigint): ChunkContents {
  const messages = new Map<number, [bigint, bigint][]>([[channelId, [[time, 0n]]]]);
  return { messages, messageCount: 1, startTime: time, endTime: time };
}

/** The message index records that follow a chunk, and the position of each channel's. */
export function encodeMessageIndex(contents: ChunkContents): {
  bytes: Uint8Array;
  offsets: Map<number, number>;
} {
  const builder = new McapRecordBuilder();
  const offsets = new Map<number, number>();
  for (const [channelId, records] of contents.messages) {
    offsets.set(channelId, builder.length);
    builder.writeMessageIndex({ channelId, records });
  }
  return { bytes: builder.buffer, offsets };
}

function addMessage(contents: ChunkContents, channel: number, time: bigint, offset: number): void {
  const isFirst = contents.messageCount === 0;
  if (isFirst || time < contents.startTime) contents.startTime = time;
  if (isFirst || time > contents.endTime) contents.endTime = time;
  contents.messageCount += 1;
  const records = contents.messages.get(channel) ?? [];
  records.push([time, BigInt(offset)]);
  contents.messages.set(channel, records);
}
