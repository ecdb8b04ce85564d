// Checks a recording without changing it. Guarantees: a whole check reads every byte once, with one record in memory,
// and compares each chunk, and the data section as a whole, with its CRC; a quick one reads head and summary alone.
import { throwIfCancelled, toWire } from '#contract/errors.ts';
import type { ScanMessage } from '#contract/host/recordedMessages.ts';
import type { ScanRecord } from '#contract/host/run.ts';
import type { CheckedRecording, CheckRecording } from '#services/ports/recordings.ts';
import { type ReadHeadText, readHead } from './head.ts';
import { readSummary } from './mcap/chunkTable.ts';
import {
  chunkContent,
  chunkMessages,
  type McapFile,
  openMcapFile,
  parseRecord,
  type RawRecord,
  recordOpcode,
} from './mcap/readRecords.ts';
import { addDataBytes, type Summary } from './mcap/summary.ts';
import { readScanMessage, readTickMessage } from './ros/jsonMessages.ts';
import type { Topics } from './ros/topics.ts';

/** As Recordings.check. @param readText of the head; left out: at once */
export async function checkRecording(
  file: string,
  options: Parameters<CheckRecording>[1],
  readText?: ReadHeadText,
): Promise<CheckedRecording> {
  const mcap = await openMcapFile(file);
  try {
    const { header, summary, topics, end } = await readHead(mcap, file, readText);
    const { scenarioHash } = header.compiled;
    const of = { scenarioHash, isComplete: mcap.isComplete };
    if (options.isQuick) return { ...of, ...(await checkSummary(mcap, topics)) };
    options.onBytes(end);
    return { ...of, ...(await checkRecords(mcap, { summary, topics, end }, options)) };
  } finally {
    await mcap.close();
  }
}

type Checked = Omit<CheckedRecording, 'scenarioHash' | 'isComplete'>;

async function checkSummary(mcap: McapFile, topics: Topics): Promise<Checked> {
  const none = { fault: null, isClosable: true, contents: null };
  if (!mcap.isComplete) return { ...none, counts: null };
  const summary = await readSummary(mcap);
  if (summary === null) {
    const fault = { expected: 'a summary with the CRC that its footer states', found: 'another' };
    return { ...none, fault, isClosable: false, counts: null };
  }
  const count = (channel: number): number => Number(summary.messageCounts.get(channel) ?? 0n);
  const scans = topics.points.reduce((sum, channel) => sum + count(channel), 0);
  return { ...none, counts: { ticks: count(topics.tick), scans } };
}

/** Contents of the chunks so far. */
interface Pass {
  ticks: number[];
  scans: ScanRecord[];
  chunks: { offset: number; length: number }[];
  badChunks: number[];
  /** The record of the scan whose clouds follow. */
  scan: ScanMessage | null;
}

async function checkRecords(
  mcap: McapFile,
  { summary, topics, end }: { summary: Summary; topics: Topics; end: number },
  { signal, onBytes }: Parameters<CheckRecording>[1],
): Promise<Checked> {
  const pass: Pass = { ticks: [], scans: [], chunks: [], badChunks: [], scan: null };
  let next = end;
  let statedCrc: number | null = null;
  for await (const record of mcap.records(end)) {
    throwIfCancelled(signal);
    onBytes(record.bytes.length);
    next = record.offset + record.bytes.length;
    if (statedCrc !== null) continue; // the summary, which has a checksum of its own
    if (record.opcode === recordOpcode.dataEnd) statedCrc = dataCrcOf(record);
    else addDataBytes(summary, record.bytes);
    if (record.opcode === recordOpcode.chunk) await takeChunk(pass, record, topics);
  }
  const { ticks, scans, badChunks } = pass;
  const counts = { ticks: ticks.length, scans: scans.length };
  const contents = { ticks, scans };
  const wholeUntil = pass.chunks.at(-1)?.offset ?? end;
  const fault =
    chunkFault(badChunks) ??
    (mcap.isComplete
      ? await closedFault(mcap, pass, { next, statedCrc, crc: summary.dataCrc })
      : null);
  // Why: closing keeps what precedes the first record that is not whole, so none that is whole may follow it.
  const isTail = badChunks.every((offset) => offset > wholeUntil);
  const isClosable = !mcap.isComplete && isTail && (await isRecordAt(mcap, next));
  if (mcap.isComplete || isClosable)
    return { fault: mcap.isComplete ? fault : null, isClosable, counts, contents };
  return { fault: fault ?? noRecordAt(next), isClosable, counts, contents };
}

/** Damage to a file that was closed. */
async function closedFault(
  mcap: McapFile,
  { chunks }: Pass,
  { next, statedCrc, crc }: { next: number; statedCrc: number | null; crc: number },
): Promise<CheckedRecording['fault']> {
  if (statedCrc === null) return noRecordAt(next);
  // Why 0: other programs that write MCAP leave it out.
  if (statedCrc !== 0 && statedCrc !== crc) {
    const expected = `a data section with the CRC-32 ${hex(statedCrc)}`;
    return { expected, found: hex(crc) };
  }
  const stated = await readSummary(mcap);
  if (stated === null) {
    return { expected: 'a summary with the CRC that its footer states', found: 'another' };
  }
  const isSame =
    stated.chunks.length === chunks.length &&
    stated.chunks.every(({ offset }, index) => offset === chunks[index]?.offset);
  if (isSame) return null;
  const expected = `the ${stated.chunks.length} chunks of its summary`;
  return { expected, found: `${chunks.length} chunks, or others` };
}

function chunkFault(badChunks: readonly number[]): CheckedRecording['fault'] {
  const [first] = badChunks;
  if (first === undefined) return null;
  const others = badChunks.length === 1 ? '' : ` and ${badChunks.length - 1} others`;
  const found = `another content in the chunk at byte ${first}${others}`;
  return { expected: 'chunks with the CRC-32 that they state', found };
}

async function takeChunk(pass: Pass, record: RawRecord, topics: Topics): Promise<void> {
  const content = await chunkContent(record);
  if (content === null) {
    pass.badChunks.push(record.offset);
    return;
  }
  pass.chunks.push({ offset: record.offset, length: record.bytes.length });
  for (const { channelId, data } of chunkMessages(content)) {
    if (channelId === topics.tick) pass.ticks.push(readTickMessage(data).tick);
    else if (channelId === topics.scan) pass.scan = readScanMessage(data);
    else if (pass.scan !== null && channelId === topics.points[pass.scan.sensor]) {
      const { tick, sensor, fromNs, toNs, pulses, returns, hash } = pass.scan;
      pass.scans.push({ tick, sensor, fromNs, toNs, pulses, returns, hash });
      pass.scan = null;
    }
  }
}

function noRecordAt(offset: number): CheckedRecording['fault'] {
  return { expected: `a record at byte ${offset}`, found: 'bytes that are none' };
}

/** Whether the end of what is whole is followed by a record that was not written to its end, or by nothing. */
async function isRecordAt(mcap: McapFile, offset: number): Promise<boolean> {
  const [opcode = 0] = await mcap.read(offset, 1);
  return opcode <= recordOpcode.dataEnd;
}

/** NaN, which no checksum is, where the record is damaged. */
function dataCrcOf(record: RawRecord): number {
  try {
    const parsed = parseRecord(record);
    return parsed.type === 'DataEnd' ? parsed.dataSectionCrc : NaN;
  } catch (error) {
    if (toWire(error).code === 'cancelled') throw error;
    return NaN;
  }
}

function hex(crc: number): string {
  return Number.isNaN(crc) ? 'unknown' : crc.toString(16).padStart(8, '0');
}
