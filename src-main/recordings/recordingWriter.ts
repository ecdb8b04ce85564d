// Writes a run's recording: scans, ticks, maps and paths as messages in simulated time. Nothing of the
// machine, the wall clock or the run's id goes in: equal runs give equal bytes.
import { rename, rm } from 'node:fs/promises';
import type { CompiledScenario, ScanRecord } from '#contract/host/run.ts';
import type { RecordingHeader, RecordingWriter } from '#services/ports/recordings.ts';
import { encodeHead } from './head.ts';
import { type AppendFile, naming, openAppendFile } from './appendFile.ts';
import { McapSink } from './mcap/mcapSink.ts';
import { jsonMessage, type ScanMessage } from './ros/jsonMessages.ts';
import {
  clockMessage,
  commandMessage,
  mapMessage,
  odometryMessage,
  pathMessage,
  tfMessage,
  tfStaticMessage,
  truthOdometryMessage,
} from './ros/messages.ts';
import { cloudPacking } from './ros/cloudPacking.ts';
import { encodeCloud } from './ros/pointCloud.ts';
import { topicsFor } from './ros/topics.ts';

/**
 * Starts a recording. The file appears under its name with its whole head, and grows from then on.
 * A write that the disk refuses ends in UnderstoryError 'disk-full' | 'io' at that call or a later one;
 * what was written up to the last complete chunk stays.
 * @param openFile for tests that need a disk which fails
 */
export async function createRecording(
  file: string,
  header: RecordingHeader,
  openFile: (file: string) => Promise<AppendFile> = (path) => openAppendFile(path, 'create'),
): Promise<RecordingWriter> {
  const { bytes, summary, topics } = encodeHead(header);
  const append = await openFile(`${file}.part`);
  try {
    await append.append(bytes);
    await append.sync();
    await naming(file, () => rename(`${file}.part`, file));
  } catch (error) {
    await append.close();
    await rm(`${file}.part`, { force: true });
    throw error;
  }
  const sink = new McapSink(append, summary);
  await sink.add([
    { channelId: topics.tfStatic, timeNs: 0, data: tfStaticMessage(header.compiled.sensors) },
  ]);
  return {
    get bytesWritten() {
      return sink.bytesWritten;
    },
    async scan({ table, rows, ...record }) {
      const channelId = channelOf(topics.points, record.sensor);
      const { toNs: timeNs, fromNs } = record;
      const { bytes: cloud, firstPulse } = encodeCloud({ fromNs, table, rows });
      await sink.add([
        { channelId: topics.scan, timeNs, data: scanRecord(record, rows, `${firstPulse}`) },
        { channelId, timeNs, data: cloud },
      ]);
    },
    packing({ sensor, fromNs, toNs: timeNs }, columns) {
      const channelId = channelOf(topics.points, sensor);
      const sequence = sink.nextSequence(channelId);
      return cloudPacking({ channelId, sequence, timeNs, fromNs }, columns);
    },
    async packedScan({ packed, rows, ...record }) {
      const channelId = channelOf(topics.points, record.sensor);
      const { toNs: timeNs } = record;
      const data = scanRecord(record, rows, packed.bases.pulse ?? '0');
      await sink.add([{ channelId: topics.scan, timeNs, data }]);
      await sink.addCompressed({ channelId, timeNs }, packed);
    },
    async tick(tick) {
      const { timeNs } = tick;
      await sink.add([
        { channelId: topics.clock, timeNs, data: clockMessage(timeNs) },
        { channelId: topics.tf, timeNs, data: tfMessage(tick) },
        { channelId: topics.truthOdom, timeNs, data: truthOdometryMessage(tick) },
        { channelId: topics.odom, timeNs, data: odometryMessage(tick) },
        { channelId: topics.tick, timeNs, data: jsonMessage(tick) },
      ]);
    },
    async command(command) {
      const { timeNs } = command;
      await sink.add([{ channelId: topics.command, timeNs, data: commandMessage(command) }]);
    },
    async map(map) {
      await sink.add([{ channelId: topics.map, timeNs: map.timeNs, data: mapMessage(map) }]);
    },
    async path(path) {
      await sink.add([{ channelId: topics.plan, timeNs: path.timeNs, data: pathMessage(path) }]);
    },
    flush: () => sink.flush(),
    close: () => sink.close(),
  };
}

/** How scans are packed for a recording of this scenario, counted as its writer counts them. */
export function createPacking({ sensors }: CompiledScenario): RecordingWriter['packing'] {
  const { points } = topicsFor(sensors.map(({ name }) => name));
  const taken = points.map(() => 0);
  return ({ sensor, fromNs, toNs: timeNs }, columns) => {
    const sequence = taken[sensor] ?? 0;
    taken[sensor] = sequence + 1;
    return cloudPacking(
      { channelId: channelOf(points, sensor), sequence, timeNs, fromNs },
      columns,
    );
  };
}

/** @throws RangeError where there is no such sensor */
function channelOf(points: readonly number[], sensor: number): number {
  const channelId = points[sensor];
  if (channelId === undefined) throw new RangeError(`there is no sensor ${sensor}`);
  return channelId;
}

function scanRecord(
  { tick, sensor, fromNs, toNs, pulses, returns, hash }: ScanRecord,
  rows: number,
  firstPulse: string,
): Uint8Array {
  const message: ScanMessage = {
    tick,
    sensor,
    fromNs,
    toNs,
    pulses,
    returns,
    hash,
    rows,
    firstPulse,
  };
  return jsonMessage(message);
}
