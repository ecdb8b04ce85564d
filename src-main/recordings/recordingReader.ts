// Reads a recording chunk by chunk, closed or cut off: one chunk in memory. Each pass starts at the first
// chunk and, in a file that was cut off, ends with the last whole one.
import type { McapTypes } from '@mcap/core';
import { UnderstoryError } from '#contract/errors.ts';
import type { ScanFacts } from '#contract/run.ts';
import type { RecordedScan, RecordedTick, RecordingReader } from '#services/ports.ts';
import { readHead } from './head.ts';
import { chunkContent, chunkMessages, openMcapFile, recordOpcode } from './mcap/readRecords.ts';
import { readMap, readPath } from './ros/messages.ts';
import { decodeCloud } from './ros/pointCloud.ts';

type RecordedFacts = ScanFacts & { rows: number; firstPulse: string };

/**
 * Opens a recording.
 * @throws UnderstoryError 'not-found' | 'io' | 'corrupt' | 'unsupported'. While reading: 'corrupt' where a
 * chunk of a closed file is damaged.
 */
export async function openRecording(file: string): Promise<RecordingReader> {
  const mcap = await openMcapFile(file);
  const head = await readHead(mcap, file).catch(async (error: unknown) => {
    await mcap.close();
    throw error;
  });
  const { header, topics, end } = head;

  async function* messages(): AsyncGenerator<McapTypes.Message> {
    for await (const record of mcap.records(end)) {
      if (record.opcode === recordOpcode.dataEnd) return;
      if (record.opcode !== recordOpcode.chunk) continue;
      const content = chunkContent(record);
      if (content !== null) {
        yield* chunkMessages(content);
      } else if (mcap.isComplete) {
        const { offset } = record;
        throw new UnderstoryError('corrupt', `${file} is damaged at byte ${offset}`, {
          file,
          offset,
        });
      } else {
        return;
      }
    }
  }

  async function* on<T>(channel: number, decode: (data: Uint8Array) => T): AsyncGenerator<T> {
    for await (const { channelId, data } of messages())
      if (channelId === channel) yield decode(data);
  }

  async function* scans(): AsyncGenerator<RecordedScan> {
    let facts: RecordedFacts | null = null;
    for await (const { channelId, data } of messages()) {
      if (channelId === topics.scan) facts = parseJson<RecordedFacts>(data);
      if (facts === null || channelId !== topics.points[facts.sensor]) continue;
      const { firstPulse, ...scan } = facts;
      const { table, rows } = decodeCloud(data, BigInt(firstPulse));
      yield { ...scan, table, rows };
    }
  }

  const { cellM } = header.compiled.scenario.navigation.costMap;
  return {
    header,
    isComplete: mcap.isComplete,
    scans,
    ticks: () => on(topics.tick, parseJson<RecordedTick>),
    maps: () => on(topics.map, (data) => readMap(data, cellM)),
    paths: () => on(topics.plan, readPath),
    close: () => mcap.close(),
  };
}

function parseJson<T>(data: Uint8Array): T {
  return JSON.parse(new TextDecoder().decode(data)) as T;
}
