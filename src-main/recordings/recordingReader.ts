// Reads a recording chunk by chunk, closed or cut off: one chunk in memory. Each pass starts at the first
// chunk and, in a file that was cut off, ends with the last whole one.
import { UnderstoryError } from '#contract/errors.ts';
import { recordsMisses, recordsTruth } from '#contract/documents/scenario.ts';
import type {
  Growth,
  RecordedChannel,
  RecordedCloud,
  RecordedEntry,
  RecordedKinds,
  RecordingReader,
  RecordedObjects,
} from '#services/ports/recordings.ts';
import { type ReadHeadText, readHead } from './head.ts';
import {
  chunkContent,
  chunkMessages,
  type ChunkMessage,
  damagedAt,
  openMcapFile,
  recordOpcode,
} from './mcap/readRecords.ts';
import { awaitMcapFile, growingRecords } from './mcap/growingRecords.ts';
import { qosProfiles } from './ros/qos.ts';
import type { ScanMessage } from '#contract/host/recordedMessages.ts';
import { readScanMessage, readTickMessage } from './ros/jsonMessages.ts';
import type { Summary } from './mcap/summary.ts';
import { readObjects } from './ros/motionMessages.ts';
import { readCommand, readMap, readPath } from './ros/messages.ts';
import { decodeCloud, withoutMisses } from './ros/pointCloud.ts';
import { createPlacing } from './scanPlacing.ts';

const allKinds: readonly (keyof RecordedKinds)[] = ['scan', 'tick', 'command', 'map', 'path'];

/**
 * Opens a recording. With `growth` it waits until there is one, and each pass for what is still to come.
 * @throws UnderstoryError 'not-found' | 'io' | 'corrupt' | 'unsupported'. While reading: 'corrupt' where a
 * closed file is damaged.
 */
export async function openRecording(
  file: string,
  readHeadText?: ReadHeadText,
  growth?: Growth,
): Promise<RecordingReader> {
  const mcap = await (growth === undefined ? openMcapFile(file) : awaitMcapFile(file, growth));
  const head = await readHead(mcap, file, readHeadText).catch(async (error: unknown) => {
    await mcap.close();
    throw error;
  });
  const { header, topics, summary, epoch, end } = head;

  async function* messages(): AsyncGenerator<ChunkMessage> {
    let offset = end;
    const records = growth === undefined ? mcap.records(end) : growingRecords(file, end, growth);
    for await (const record of records) {
      offset = record.offset;
      if (record.opcode === recordOpcode.dataEnd) return;
      if (record.opcode !== recordOpcode.chunk) continue;
      const content = await chunkContent(record);
      if (content === null) break;
      yield* chunkMessages(content);
    }
    // Why: of a closed file every record up to the last is whole.
    if (mcap.isComplete) throw damagedAt(mcap, offset);
  }

  async function* clouds(): AsyncGenerator<RecordedCloud> {
    let message: ScanMessage | null = null;
    let crc32s: number[] = [];
    for await (const { channelId, data, recordCrc32 } of messages()) {
      if (channelId === topics.scan) {
        message = readScanMessage(data);
        crc32s = [];
        continue;
      }
      if (message === null) continue;
      const isLast = channelId === topics.points[message.sensor];
      if (isLast || channelId === topics.clouds.driver[message.sensor]) crc32s.push(recordCrc32());
      if (!isLast) continue;
      const { tick, sensor, fromNs, toNs, pulses, returns, hash, rows } = message;
      const scan = { tick, sensor, fromNs, toNs, pulses, returns, hash };
      yield { scan, rows, crc32s };
    }
  }

  async function* entries(wanted = allKinds, keepsMisses = false): AsyncGenerator<RecordedEntry> {
    let message: ScanMessage | null = null;
    let columns: string | null = null;
    const placed = hasTruth ? null : createPlacing(header.compiled, epoch);
    const wants = (kind: keyof RecordedKinds): boolean => wanted.includes(kind);
    for await (const { channelId, logTime, data } of messages()) {
      if (channelId === topics.tick) {
        const tick = readTickMessage(data);
        for (const value of placed?.tick(tick) ?? []) yield { kind: 'scan', value };
        if (wants('tick')) yield { kind: 'tick', value: tick };
      } else if (channelId === topics.command) {
        if (wants('command')) yield { kind: 'command', value: readCommand(data, logTime, epoch) };
      } else if (channelId === topics.map) {
        if (wants('map')) yield { kind: 'map', value: readMap(data, cellM, epoch) };
      } else if (channelId === topics.plan) {
        if (wants('path')) yield { kind: 'path', value: readPath(data, epoch) };
      } else if (channelId === topics.scan) {
        message = readScanMessage(data);
      } else if (wants('scan') && message !== null && channelId === topics.points[message.sensor]) {
        const { firstPulse, ...scan } = message;
        if (placed !== null) {
          for (const value of placed.scan(scan, data)) yield { kind: 'scan', value };
          continue;
        }
        const recipe = header.compiled.sensors[message.sensor]?.recipe;
        const cloud = decodeCloud(data, BigInt(firstPulse), epoch, recipe);
        const names = Object.keys(cloud.table).sort().join(', ');
        columns ??= names;
        if (names !== columns) throw otherColumns(file, message, columns, names);
        const { table, rows } = hasMisses && !keepsMisses ? withoutMisses(cloud) : cloud;
        yield { kind: 'scan', value: { ...scan, table, rows } };
      }
    }
  }
  async function* objects(): AsyncGenerator<RecordedObjects> {
    if (topics.objects < 0) return;
    for await (const { channelId, data } of messages()) {
      if (channelId === topics.objects) yield readObjects(data, epoch);
    }
  }
  async function* only<K extends keyof RecordedKinds>(
    kind: K,
    keepsMisses = false,
  ): AsyncGenerator<RecordedKinds[K]> {
    for await (const entry of entries([kind], keepsMisses)) yield entry.value as RecordedKinds[K];
  }

  const { scenario } = header.compiled;
  const hasTruth = recordsTruth(scenario);
  const hasMisses = recordsMisses(scenario);
  const { cellM } = scenario.navigation.costMap;
  return {
    header,
    isComplete: mcap.isComplete,
    channels: channelsOf(summary),
    messages,
    entries: (keepsMisses) => entries(undefined, keepsMisses),
    scans: () => only('scan'),
    pulses: () => only('scan', true),
    clouds,
    ticks: () => only('tick'),
    commands: () => only('command'),
    maps: () => only('map'),
    paths: () => only('path'),
    objects,
    close: () => mcap.close(),
  };
}

/** Why: exports and joins take the columns of the first scan for those of all. */
function otherColumns(
  file: string,
  { sensor, fromNs }: ScanMessage,
  expected: string,
  found: string,
): UnderstoryError {
  const message = `${file}, the scan of sensor ${sensor} from ${fromNs / 1e9} s: expected the columns of the first scan (${expected}), found ${found}`;
  return new UnderstoryError('corrupt', message, { file });
}

function channelsOf({ channels, schemas }: Summary): RecordedChannel[] {
  return channels.map(({ id, schemaId, topic, messageEncoding, metadata }) => {
    const schema = schemas.find((known) => known.id === schemaId);
    return {
      id,
      topic,
      encoding: messageEncoding,
      schemaName: schema?.name ?? '',
      schemaEncoding: schema?.encoding ?? '',
      schema: new TextDecoder().decode(schema?.data),
      isLatched: metadata.get('offered_qos_profiles') === qosProfiles.latched,
    };
  });
}
