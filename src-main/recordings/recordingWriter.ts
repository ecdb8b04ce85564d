// Writes a run's recording: scans, ticks, maps and paths as messages in simulated time. Nothing of the
// machine, the wall clock or the run's id goes in: equal runs give equal bytes.
import { rename, rm } from 'node:fs/promises';
import type { CompiledScenario, ScanRecord } from '#contract/host/run.ts';
import type { RecordingHeader, RecordingWriter } from '#services/ports/recordings.ts';
import { encodeHead } from './head.ts';
import { type AppendFile, naming, openAppendFile } from './appendFile.ts';
import { McapSink } from './mcap/mcapSink.ts';
import { jsonMessage, type ScanMessage } from './ros/jsonMessages.ts';
import { clockMessage, commandMessage, mapMessage, pathMessage } from './ros/messages.ts';
import { recordedEpoch } from './ros/epoch.ts';
import { geodeticOf } from './ros/geodetic.ts';
import {
  fixMessage,
  imuMessage,
  odometryMessage,
  tfMessage,
  tfStaticMessage,
  truthOdometryMessage,
} from './ros/motionMessages.ts';
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
  const { scenario } = header.compiled;
  const epoch = recordedEpoch(scenario);
  const geodetic = geodeticOf(scenario.scene.crs);
  const sink = new McapSink(append, summary, epoch.logTime);
  await sink.add([
    { channelId: topics.tfStatic, timeNs: 0, data: tfStaticMessage(header.compiled, epoch) },
  ]);
  return {
    get bytesWritten() {
      return sink.bytesWritten;
    },
    async scan({ table, rows, ...record }) {
      const channelId = channelOf(topics.points, record.sensor);
      const { toNs: timeNs, fromNs } = record;
      const { bytes: cloud, firstPulse } = encodeCloud({ fromNs, table, rows }, epoch);
      await sink.add([
        { channelId: topics.scan, timeNs, data: scanRecord(record, rows, `${firstPulse}`) },
        { channelId, timeNs, data: cloud },
      ]);
    },
    packing({ sensor, fromNs, toNs: timeNs }, columns) {
      const channelId = channelOf(topics.points, sensor);
      const sequence = sink.nextSequence(channelId);
      return cloudPacking({ channelId, sequence, timeNs, fromNs }, columns, epoch);
    },
    async packedScan({ packed, rows, ...record }) {
      const channelId = channelOf(topics.points, record.sensor);
      const { toNs: timeNs } = record;
      const data = scanRecord(record, rows, packed.bases.pulse ?? '0');
      await sink.add([{ channelId: topics.scan, timeNs, data }]);
      await sink.addCompressed({ channelId, timeNs }, packed);
    },
    async readings({ imu, fixes }) {
      const messages = imu.map((reading) => {
        const data = imuMessage(reading, scenario.vehicle, epoch);
        return { channelId: topics.imu, timeNs: reading.timeNs, data };
      });
      for (const fix of fixes) {
        if (geodetic === null) break;
        const data = fixMessage(fix, scenario, geodetic, epoch);
        messages.push({ channelId: topics.fix, timeNs: fix.timeNs, data });
      }
      await sink.add(messages.sort((a, b) => a.timeNs - b.timeNs));
    },
    async tick(tick, motion) {
      const { timeNs } = tick;
      await sink.add([
        { channelId: topics.clock, timeNs, data: clockMessage(timeNs, epoch) },
        { channelId: topics.tf, timeNs, data: tfMessage(tick, epoch) },
        { channelId: topics.truthOdom, timeNs, data: truthOdometryMessage(tick, motion, epoch) },
        { channelId: topics.odom, timeNs, data: odometryMessage(tick, motion, epoch) },
        { channelId: topics.tick, timeNs, data: jsonMessage(tick) },
      ]);
    },
    async command(command) {
      const { timeNs } = command;
      const data = commandMessage(command, epoch);
      await sink.add([{ channelId: topics.command, timeNs, data }]);
    },
    async lateCommand(late) {
      const { timeNs } = late;
      await sink.add([{ channelId: topics.lateCommand, timeNs, data: jsonMessage(late) }]);
    },
    async map(map) {
      const { timeNs } = map;
      await sink.add([{ channelId: topics.map, timeNs, data: mapMessage(map, epoch) }]);
    },
    async path(path) {
      const { timeNs } = path;
      await sink.add([{ channelId: topics.plan, timeNs, data: pathMessage(path, epoch) }]);
    },
    flush: () => sink.flush(),
    close: () => sink.close(),
  };
}

/** How scans are packed for a recording of this scenario, counted as its writer counts them. */
export function createPacking({ scenario, sensors }: CompiledScenario): RecordingWriter['packing'] {
  const epoch = recordedEpoch(scenario);
  const { points } = topicsFor(sensors.map(({ name }) => name));
  const taken = points.map(() => 0);
  return ({ sensor, fromNs, toNs: timeNs }, columns) => {
    const sequence = taken[sensor] ?? 0;
    taken[sensor] = sequence + 1;
    return cloudPacking(
      { channelId: channelOf(points, sensor), sequence, timeNs, fromNs },
      columns,
      epoch,
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
