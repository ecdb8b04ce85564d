// The summary of an MCAP file: what is collected while its data section is written, or read again by
// recovery, and the records that end the file. Layout: mcap.dev/spec, "Summary Section".
import { McapRecordBuilder, type McapTypes } from '@mcap/core';
import { crc32 } from 'node:zlib';
import type { ChunkContents } from './chunkContents.ts';

const opcode = {
  schema: 0x03,
  channel: 0x04,
  chunkIndex: 0x08,
  attachmentIndex: 0x0a,
  statistics: 0x0b,
  footer: 0x02,
} as const;

/** Everything that the end of the file repeats. Memory grows by one small entry a chunk. */
export interface Summary {
  schemas: McapTypes.Schema[];
  channels: McapTypes.Channel[];
  attachments: McapTypes.AttachmentIndex[];
  chunks: McapTypes.ChunkIndex[];
  messageCounts: Map<number, bigint>;
  /** CRC-32 of all bytes of the file so far. */
  dataCrc: number;
}

/** The summary of a file without a byte. */
export function emptySummary(): Summary {
  return {
    schemas: [],
    channels: [],
    attachments: [],
    chunks: [],
    messageCounts: new Map(),
    dataCrc: 0,
  };
}

/** Takes bytes of the data section into the checksum; they must come in the file's order. */
export function addDataBytes(summary: Summary, bytes: Uint8Array): void {
  summary.dataCrc = crc32(bytes, summary.dataCrc);
}

/** Notes a chunk of the file, with the message index after it. */
export function addChunk(
  summary: Summary,
  chunk: { offset: number; length: number; compressedBytes: number; uncompressedBytes: number },
  contents: ChunkContents,
  index: { bytes: Uint8Array; offsets: Map<number, number> },
): void {
  const indexAt = chunk.offset + chunk.length;
  const offsets = [...index.offsets].map(([id, at]): [number, bigint] => [
    id,
    BigInt(indexAt + at),
  ]);
  summary.chunks.push({
    messageStartTime: contents.startTime,
    messageEndTime: contents.endTime,
    chunkStartOffset: BigInt(chunk.offset),
    chunkLength: BigInt(chunk.length),
    messageIndexOffsets: new Map(offsets),
    messageIndexLength: BigInt(index.bytes.length),
    compression: 'zstd',
    compressedSize: BigInt(chunk.compressedBytes),
    uncompressedSize: BigInt(chunk.uncompressedBytes),
  });
  for (const [channel, records] of contents.messages) {
    const before = summary.messageCounts.get(channel) ?? 0n;
    summary.messageCounts.set(channel, before + BigInt(records.length));
  }
}

/** The bytes from the end of the data section to the end of the file. @param position where they start */
export function encodeEnd(summary: Summary, position: number): Uint8Array {
  const builder = new McapRecordBuilder();
  builder.writeDataEnd({ dataSectionCrc: summary.dataCrc });
  const summaryStart = builder.length;
  const groups: McapTypes.SummaryOffset[] = [];
  const group = (groupOpcode: number, write: () => void): void => {
    const start = builder.length;
    write();
    const groupLength = BigInt(builder.length - start);
    if (groupLength > 0n) {
      groups.push({ groupOpcode, groupStart: BigInt(position + start), groupLength });
    }
  };
  group(opcode.schema, () => summary.schemas.forEach((schema) => builder.writeSchema(schema)));
  group(opcode.channel, () => summary.channels.forEach((channel) => builder.writeChannel(channel)));
  group(opcode.statistics, () => builder.writeStatistics(statisticsOf(summary)));
  group(opcode.attachmentIndex, () =>
    summary.attachments.forEach((attachment) => builder.writeAttachmentIndex(attachment)),
  );
  group(opcode.chunkIndex, () => summary.chunks.forEach((chunk) => builder.writeChunkIndex(chunk)));
  const summaryOffsetStart = builder.length;
  for (const offset of groups) builder.writeSummaryOffset(offset);
  const footer = {
    summaryStart: BigInt(position + summaryStart),
    summaryOffsetStart: BigInt(position + summaryOffsetStart),
    summaryCrc: 0,
  };
  const withoutCrc = new DataView(new ArrayBuffer(1 + 8 + 8 + 8));
  withoutCrc.setUint8(0, opcode.footer);
  withoutCrc.setBigUint64(1, 20n, true);
  withoutCrc.setBigUint64(9, footer.summaryStart, true);
  withoutCrc.setBigUint64(17, footer.summaryOffsetStart, true);
  const summaryCrc = crc32(builder.buffer.subarray(summaryStart));
  builder.writeFooter({ ...footer, summaryCrc: crc32(withoutCrc, summaryCrc) });
  builder.writeMagic();
  return builder.buffer;
}

function statisticsOf(summary: Summary): McapTypes.Statistics {
  const { chunks, messageCounts } = summary;
  const min = (a: bigint, b: bigint): bigint => (b < a ? b : a);
  const max = (a: bigint, b: bigint): bigint => (b > a ? b : a);
  return {
    messageCount: [...messageCounts.values()].reduce((sum, count) => sum + count, 0n),
    schemaCount: summary.schemas.length,
    channelCount: summary.channels.length,
    attachmentCount: summary.attachments.length,
    metadataCount: 0,
    chunkCount: chunks.length,
    messageStartTime: chunks
      .map((c) => c.messageStartTime)
      .reduce(min, chunks[0]?.messageStartTime ?? 0n),
    messageEndTime: chunks.map((c) => c.messageEndTime).reduce(max, 0n),
    channelMessageCounts: messageCounts,
  };
}
