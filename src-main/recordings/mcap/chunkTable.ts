// Positions, times and channels of the chunks of a recording: from the summary of a
// closed file, or by walking the heads of the records of one that was cut off. No chunk is read for it.
import { McapStreamReader } from '@mcap/core';
import { crc32 } from 'node:zlib';
import { damagedAt, firstRecord, type McapFile, recordOpcode } from './readRecords.ts';

/** Simulated nanoseconds of a log time. */
export type SimulatedTime = (logTime: bigint) => number;

export interface ChunkEntry {
  /** Offset of the chunk's record in the file, and its whole length. */
  offset: number;
  length: number;
  startNs: number;
  endNs: number;
  /** Ids of the channels with messages in it. */
  channels: ReadonlySet<number>;
}

const recordHeadBytes = 9;
/** The first bytes of a chunk's record: its head, first and last time. */
const chunkTimesBytes = recordHeadBytes + 16;
const footerBytes = recordHeadBytes + 20;
const magicBytes = 8;

/**
 * The chunks in the file's order; about a hundred bytes of memory each.
 * @throws UnderstoryError 'corrupt' where neither the summary nor the records of a closed file lead to them
 */
export async function readChunkTable(
  mcap: McapFile,
  dataStart = firstRecord,
  simulated: SimulatedTime = Number,
): Promise<ChunkEntry[]> {
  const fromIndex = mcap.isComplete ? await readSummary(mcap, simulated) : null;
  return fromIndex?.chunks ?? fromHeads(mcap, dataStart, simulated);
}

/** The statements of the summary of a closed file. */
export interface StatedSummary {
  chunks: ChunkEntry[];
  /** By the id of the channel. */
  messageCounts: ReadonlyMap<number, bigint>;
}

/** Null where the summary is damaged: the chunks themselves may be whole. */
export async function readSummary(
  mcap: McapFile,
  simulated: SimulatedTime = Number,
): Promise<StatedSummary | null> {
  const footer = await mcap.read(mcap.size - footerBytes - magicBytes, footerBytes);
  const view = new DataView(footer.buffer, footer.byteOffset, footer.byteLength);
  const summaryStart = Number(view.getBigUint64(recordHeadBytes, true));
  const end = mcap.size - footerBytes - magicBytes;
  if (summaryStart < firstRecord || summaryStart > end) return null;
  const summary = await mcap.read(summaryStart, end - summaryStart);
  if (!isSummarySound(summary, footer)) return null;
  try {
    return statedSummary(summary, simulated);
  } catch {
    // Why swallowed: whatever the library finds wrong with it, the index can be had from the chunks.
    return null;
  }
}

/** The footer's checksum is over the summary and the footer's own fields before it; 0: there is none. */
function isSummarySound(summary: Uint8Array, footer: Uint8Array): boolean {
  const view = new DataView(footer.buffer, footer.byteOffset, footer.byteLength);
  const expected = view.getUint32(footerBytes - 4, true);
  return expected === 0 || crc32(footer.subarray(0, footerBytes - 4), crc32(summary)) === expected;
}

function statedSummary(summary: Uint8Array, simulated: SimulatedTime): StatedSummary {
  const reader = new McapStreamReader({ noMagicPrefix: true });
  reader.append(summary);
  const entries: ChunkEntry[] = [];
  let messageCounts: StatedSummary['messageCounts'] = new Map();
  for (let record = reader.nextRecord(); record !== undefined; record = reader.nextRecord()) {
    if (record.type === 'Statistics') messageCounts = record.channelMessageCounts;
    if (record.type !== 'ChunkIndex') continue;
    entries.push({
      offset: Number(record.chunkStartOffset),
      length: Number(record.chunkLength),
      startNs: simulated(record.messageStartTime),
      endNs: simulated(record.messageEndTime),
      channels: new Set(record.messageIndexOffsets.keys()),
    });
  }
  return { chunks: entries.sort((a, b) => a.offset - b.offset), messageCounts };
}

async function fromHeads(
  mcap: McapFile,
  dataStart: number,
  simulated: SimulatedTime,
): Promise<ChunkEntry[]> {
  const entries: (ChunkEntry & { channels: Set<number> })[] = [];
  let offset = dataStart;
  while (offset + recordHeadBytes <= mcap.size) {
    const head = await mcap.read(offset, chunkTimesBytes);
    if (head.length < recordHeadBytes) break;
    const view = new DataView(head.buffer, head.byteOffset, head.byteLength);
    const opcode = view.getUint8(0);
    const length = recordHeadBytes + Number(view.getBigUint64(1, true));
    if (opcode === 0 || offset + length > mcap.size) break;
    if (opcode === recordOpcode.chunk && head.length === chunkTimesBytes) {
      const [startNs, endNs] = [9, 17].map((at) => simulated(view.getBigUint64(at, true)));
      entries.push({
        offset,
        length,
        startNs: startNs ?? 0,
        endNs: endNs ?? 0,
        channels: new Set(),
      });
    } else if (opcode === recordOpcode.messageIndex && head.length >= recordHeadBytes + 2) {
      entries.at(-1)?.channels.add(view.getUint16(recordHeadBytes, true));
    } else if (opcode === recordOpcode.dataEnd) return entries;
    offset += length;
  }
  if (mcap.isComplete) throw damagedAt(mcap, offset);
  return entries;
}
