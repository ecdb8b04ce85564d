// Closes a recording that was cut off: everything after the last whole chunk goes, then come the message
// index, summary and footer, so that any MCAP reader opens it. In place, and safe to be cut off again:
// until the footer is written, the file is what it was before, a recording without an end. On a full disk
// the last chunk goes as well, which is larger than what ends the file.
import { toWire } from '#contract/errors.ts';
import type { Recovered } from '#services/ports/recordings.ts';
import { openAppendFile } from '#files/appendFile.ts';
import { chunkHeadBytes, encodeMessageIndex, readChunkContents } from './mcap/chunkContents.ts';
import { chunkContent, type McapFile, openMcapFile, recordOpcode } from './mcap/readRecords.ts';
import { addChunk, addDataBytes, encodeEnd, type Summary } from './mcap/summary.ts';
import { readHead } from './head.ts';

/**
 * Closes an interrupted recording; a closed one is only counted.
 * @returns the scans that remain, the last simulated time in them, the size of the file, and whether it had its end
 * already
 * @throws UnderstoryError 'corrupt' where the file ends within its head and holds nothing to keep (it is
 * left as it is), 'not-found' | 'io' | 'disk-full'
 */
export async function recoverRecording(file: string): Promise<Recovered> {
  const mcap = await openMcapFile(file);
  try {
    const { summary, topics, epoch, end } = await readHead(mcap, file);
    const { keep, missing } = await collectChunks(mcap, summary, end);
    // Why clouds and not records: records may have a chunk of their own, whose cloud is missing.
    const clouds = topics.points.map((id) => summary.messageCounts.get(id) ?? 0n);
    const scans = Number(clouds.reduce((sum, count) => sum + count, 0n));
    const lastTimeNs = summary.chunks.reduce(
      (last, chunk) => Math.max(last, epoch.simulatedLog(chunk.messageEndTime)),
      0,
    );
    if (mcap.isComplete) return { scans, lastTimeNs, bytes: mcap.size, wasComplete: true };
    const rest = Buffer.concat([missing, encodeEnd(summary, keep + missing.length)]);
    const append = await openAppendFile(file, 'continue');
    try {
      await append.truncate(keep);
      await append.append(rest);
      await append.sync();
      return { scans, lastTimeNs, bytes: append.size, wasComplete: false };
    } catch (error) {
      const last = summary.chunks.at(-1);
      if (last === undefined || toWire(error).code !== 'disk-full') throw error;
      await append.truncate(Number(last.chunkStartOffset));
    } finally {
      await append.close();
    }
  } finally {
    await mcap.close();
  }
  // Without its last chunk, whose room the end of the file takes.
  return recoverRecording(file);
}

/**
 * Collects every whole chunk into the summary. `keep` is how much of the file is good, `missing` the
 * message index that the last chunk lacks.
 */
async function collectChunks(
  mcap: McapFile,
  summary: Summary,
  from: number,
): Promise<{ keep: number; missing: Uint8Array }> {
  let keep = from;
  for await (const record of mcap.records(from)) {
    if (record.opcode === recordOpcode.messageIndex) continue; // read with its chunk
    const content = record.opcode === recordOpcode.chunk ? await chunkContent(record) : null;
    const contents = content === null ? null : readChunkContents(content);
    if (content === null || contents === null) break;
    const { offset, bytes } = record;
    const index = encodeMessageIndex(contents);
    addDataBytes(summary, bytes);
    addDataBytes(summary, index.bytes);
    const compressedBytes = bytes.length - chunkHeadBytes;
    const sizes = { compressedBytes, uncompressedBytes: content.length };
    addChunk(summary, { offset, length: bytes.length, ...sizes }, contents, index);
    const indexAt = offset + bytes.length;
    const present = await mcap.read(indexAt, index.bytes.length);
    if (Buffer.compare(present, index.bytes) !== 0) return { keep: indexAt, missing: index.bytes };
    keep = indexAt + index.bytes.length;
  }
  return { keep, missing: new Uint8Array(0) };
}
