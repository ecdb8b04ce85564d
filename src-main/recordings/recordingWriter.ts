// Writes a run's recording: scans, ticks, maps and paths as messages in simulated time. Nothing of the
// machine, the wall clock or the run's id goes in: equal runs give equal bytes.
import { rm } from 'node:fs/promises';
import { recordsTruth } from '#contract/documents/scenario.ts';
import type { CompiledScenario, ScanRecord } from '#contract/host/run.ts';
import type {
  CloudKind,
  RecordedMotion,
  RecordedStart,
  RecordingHeader,
  RecordingWriter,
} from '#services/ports/recordings.ts';
import { encodeHead } from './head.ts';
import { type AppendFile, openAppendFile } from '#files/appendFile.ts';
import { McapSink } from './mcap/mcapSink.ts';
import type { ScanMessage } from '#contract/host/recordedMessages.ts';
import { jsonMessage } from './ros/jsonMessages.ts';
import { clockMessage, commandMessage, mapMessage, pathMessage } from './ros/messages.ts';
import { recordedEpoch } from './ros/epoch.ts';
import { geodeticOf } from './ros/geodetic.ts';
import {
  fixMessage,
  imuMessage,
  objectsMessage,
  odometryMessage,
  tfMessage,
  tfStaticMessage,
  truthOdometryMessage,
} from './ros/motionMessages.ts';
import { sensorTopicsOf } from './ros/scanCuts.ts';
import { topicsFor } from './ros/topics.ts';
import { createScanClouds } from './scanClouds.ts';
import { createTickQueue } from './tickQueue.ts';

/**
 * Starts a recording. The file appears under its name with its whole head, and grows from then on.
 * A write that the disk refuses ends in UnderstoryError 'disk-full' | 'io' at that call or a later one;
 * what was written up to the last complete chunk stays.
 * @param clouds left out: those that the scenario asks for
 * @param openFile for tests that need a disk which fails
 */
export async function createRecording(
  file: string,
  header: RecordingHeader,
  clouds?: readonly CloudKind[],
  openFile: (file: string) => Promise<AppendFile> = (path) => openAppendFile(path, 'create'),
): Promise<RecordingWriter> {
  const { bytes, summary, topics } = encodeHead(header);
  const append = await openFile(`${file}.part`);
  try {
    await append.append(bytes);
    await append.sync();
    await append.rename(file);
  } catch (error) {
    // Why swallowed: what is removed need not be whole.
    await append.close().catch(() => undefined);
    await rm(`${file}.part`, { force: true });
    throw error;
  }
  const { scenario } = header.compiled;
  const epoch = recordedEpoch(scenario);
  const geodetic = geodeticOf(scenario.scene.crs);
  const scanClouds = createScanClouds(header.compiled, topics, epoch, clouds);
  const sink = new McapSink(append, summary, epoch.logTime);
  const queue = createTickQueue(sink, scanClouds);
  await sink.add([
    { channelId: topics.tfStatic, timeNs: 0, data: tfStaticMessage(header.compiled, epoch) },
  ]);
  return {
    get bytesWritten() {
      return sink.bytesWritten;
    },
    async scan(scan) {
      const { sensor, rows, toNs: timeNs } = scan;
      const { clouds, piece, firstPulse } = scanClouds.encode(scan);
      const record = { channelId: topics.scan, data: scanRecord(scan, rows, `${firstPulse}`) };
      const messages = [record, ...clouds].map((message) => ({ ...message, timeNs }));
      await queue.scan({ sensor, timeNs, piece, write: () => sink.add(messages) });
    },
    packings: (scan, columns) =>
      scanClouds.packings(scan, columns, (channelId) => sink.nextSequence(channelId)),
    async packedScan(scan) {
      const { sensor, rows, toNs: timeNs } = scan;
      const { clouds, piece } = scanClouds.ofPacked(scan);
      const bases = clouds.map((cloud) => cloud.rows.bases.pulse);
      const firstPulse = bases.find((base) => base !== undefined) ?? '0';
      const data = scanRecord(scan, rows, firstPulse);
      const write = async (): Promise<void> => {
        await sink.add([{ channelId: topics.scan, timeNs, data }]);
        for (const { channelId, rows: packed } of clouds) {
          await sink.addCompressed({ channelId, timeNs }, packed);
        }
      };
      await queue.scan({ sensor, timeNs, piece, write });
    },
    readings({ imu, fixes }) {
      const messages = imu.map((reading) => {
        const data = imuMessage(reading, scenario.vehicle, epoch);
        return { channelId: topics.imu, timeNs: reading.timeNs, data };
      });
      for (const fix of fixes) {
        if (geodetic === null) break;
        const data = fixMessage(fix, scenario, geodetic, epoch);
        messages.push({ channelId: topics.fix, timeNs: fix.timeNs, data });
      }
      queue.messages(messages);
      return Promise.resolve();
    },
    async start(start, motion) {
      await sink.add(poseMessages(start, motion));
    },
    async tick({ objects = [], ...tick }, motion) {
      const { timeNs } = tick;
      await queue.write(tick);
      await sink.add([
        { channelId: topics.clock, timeNs, data: clockMessage(timeNs, epoch) },
        ...poseMessages(tick, motion),
        { channelId: topics.tick, timeNs, data: jsonMessage(tick) },
        ...(topics.objects < 0
          ? []
          : [{ channelId: topics.objects, timeNs, data: objectsMessage(timeNs, objects, epoch) }]),
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
    async flush() {
      await queue.write(null);
      await sink.flush();
    },
    async close() {
      try {
        await queue.end();
      } finally {
        await sink.close();
      }
    },
  };

  function poseMessages(at: RecordedStart, motion: RecordedMotion | undefined) {
    const { timeNs } = at;
    return [
      { channelId: topics.tf, timeNs, data: tfMessage(at, epoch) },
      { channelId: topics.truthOdom, timeNs, data: truthOdometryMessage(at, motion, epoch) },
      { channelId: topics.odom, timeNs, data: odometryMessage(at, motion, epoch) },
    ];
  }
}

/** How scans are packed for a recording of this scenario, counted as its writer counts them. */
export function createPackings(compiled: CompiledScenario): RecordingWriter['packings'] {
  const topics = topicsFor(sensorTopicsOf(compiled), { hasTruth: recordsTruth(compiled.scenario) });
  const clouds = createScanClouds(compiled, topics, recordedEpoch(compiled.scenario));
  const taken = new Map<number, number>();
  const sequenceOf = (channelId: number): number => {
    const sequence = taken.get(channelId) ?? 0;
    taken.set(channelId, sequence + 1);
    return sequence;
  };
  return (scan, columns) => clouds.packings(scan, columns, sequenceOf);
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
