// Reads a recording chunk by chunk, closed or cut off: one chunk in memory. Each pass starts at the first
// chunk and, in a file that was cut off, ends with the last whole one.
import type { McapTypes } from '@mcap/core';
import { UnderstoryError } from '#contract/errors.ts';
import type { ScanFacts } from '#contract/host/run.ts';
import type {
  RecordedEntry,
  RecordedKinds,
  RecordedTick,
  RecordingReader,
} from '#services/ports/recordings.ts';
import { readHead } from './head.ts';
import { chunkContent, chunkMessages, openMcapFile, recordOpcode } from './mcap/readRecords.ts';
import { readCommand, readMap, readPath } from './ros/messages.ts';
import { decodeCloud } from './ros/pointCloud.ts';

const allKinds: readonly (keyof RecordedKinds)[] = ['scan', 'tick', 'command', 'map', 'path'];

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

  async function* entries(wanted = allKinds): AsyncGenerator<RecordedEntry> {
    let facts: RecordedFacts | null = null;
    const wants = (kind: keyof RecordedKinds): boolean => wanted.includes(kind);
    for await (const { channelId, logTime, data } of messages()) {
      if (channelId === topics.tick) {
        if (wants('tick')) yield { kind: 'tick', value: parseJson<RecordedTick>(data) };
      } else if (channelId === topics.command) {
        if (wants('command')) yield { kind: 'command', value: readCommand(data, Number(logTime)) };
      } else if (channelId === topics.map) {
        if (wants('map')) yield { kind: 'map', value: readMap(data, cellM) };
      } else if (channelId === topics.plan) {
        if (wants('path')) yield { kind: 'path', value: readPath(data) };
      } else if (channelId === topics.scan) {
        facts = parseJson<RecordedFacts>(data);
      } else if (wants('scan') && facts !== null && channelId === topics.points[facts.sensor]) {
        const { firstPulse, ...scan } = facts;
        const { table, rows } = decodeCloud(data, BigInt(firstPulse));
        yield { kind: 'scan', value: { ...scan, table, rows } };
      }
    }
  }
  async function* only<K extends keyof RecordedKinds>(kind: K): AsyncGenerator<RecordedKinds[K]> {
    for await (const entry of entries([kind])) yield entry.value as RecordedKinds[K];
  }

  const { cellM } = header.compiled.scenario.navigation.costMap;
  return {
    header,
    isComplete: mcap.isComplete,
    entries: () => entries(),
    scans: () => only('scan'),
    ticks: () => only('tick'),
    commands: () => only('command'),
    maps: () => only('map'),
    paths: () => only('path'),
    close: () => mcap.close(),
  };
}

function parseJson<T>(data: Uint8Array): T {
  return JSON.parse(new TextDecoder().decode(data)) as T;
}
