// Ticks and scans of a recording. Only the chunks with records are read, which are small; a cloud is
// read where it is asked for. For bringing the catalogue into agreement with a recording.
import { recordsMisses, recordsTruth } from '#contract/documents/scenario.ts';
import { UnderstoryError } from '#contract/errors.ts';
import type { ScanRecord, TickRecord } from '#contract/host/run.ts';
import type { RecordedScan, RecordedTick, RecordingMetadata } from '#services/ports/recordings.ts';
import { type ReadHeadText, readHead } from './head.ts';
import { readChunkTable } from './mcap/chunkTable.ts';
import { chunkMessages, openMcapFile } from './mcap/readRecords.ts';
import { createFinder, readChunk } from './recordingSnapshots.ts';
import type { ScanMessage } from '#contract/host/recordedMessages.ts';
import { readScanMessage, readTickMessage } from './ros/jsonMessages.ts';
import { decodeDriverCloud, driverClouds } from './ros/driverCloud.ts';
import { decodeCloud, withoutMisses } from './ros/pointCloud.ts';

/** Opens a recording for its records. @throws as openRecording */
export async function openMetadata(
  file: string,
  readHeadText?: ReadHeadText,
): Promise<RecordingMetadata> {
  const mcap = await openMcapFile(file);
  try {
    const { header, topics, epoch, end } = await readHead(mcap, file, readHeadText);
    const chunks = await readChunkTable(mcap, end, epoch.simulatedLog);
    const find = createFinder(mcap, chunks, epoch.simulatedLog);
    const isTruth = recordsTruth(header.compiled.scenario);
    const hasMisses = recordsMisses(header.compiled.scenario);
    const drivers = driverClouds(header.compiled);
    const ticks: TickRecord[] = [];
    const written = new Map<string, ScanMessage>();
    for (const chunk of chunks) {
      if (!chunk.channels.has(topics.tick) && !chunk.channels.has(topics.scan)) continue;
      for (const { channelId, data } of chunkMessages(await readChunk(mcap, chunk))) {
        if (channelId === topics.tick) ticks.push(tickRecord(readTickMessage(data)));
        if (channelId !== topics.scan) continue;
        const record = readScanMessage(data);
        written.set(keyOf(record), record);
      }
    }
    expectRising(file, ticks);
    const absent = [...written.values()].find(({ sensor }) => topics.points[sensor] === undefined);
    if (absent !== undefined) {
      const message = `${file} is damaged: it has a scan of sensor ${absent.sensor}, which it lacks`;
      throw new UnderstoryError('corrupt', message, { file });
    }
    const cloudOf = async ({ sensor, toNs }: ScanRecord): Promise<Uint8Array | null> => {
      const channel = topics.points[sensor];
      if (channel === undefined) return null;
      return (await find.latest(channel, toNs, toNs))?.data ?? null;
    };
    // Why only the last: a cloud follows its record, so none but the last can be missing.
    for (const [sensor] of topics.points.entries()) {
      const last = [...written.values()].findLast((record) => record.sensor === sensor);
      if (last !== undefined && (await cloudOf(last)) === null) written.delete(keyOf(last));
    }
    return {
      header,
      ticks,
      scans: [...written.values()].map(scanRecord),
      async scan(record): Promise<RecordedScan> {
        const known = written.get(keyOf(record));
        const cloud = known === undefined ? null : await cloudOf(known);
        if (known === undefined || cloud === null) {
          const message = `${file} lacks the points of tick ${record.tick}, sensor ${record.sensor}`;
          throw new UnderstoryError('corrupt', message, { file });
        }
        const driver = drivers[known.sensor];
        const points =
          isTruth || driver === undefined
            ? decodeCloud(cloud, BigInt(known.firstPulse), epoch, driver?.recipe)
            : decodeDriverCloud(cloud, driver, epoch);
        const { table, rows } = hasMisses ? withoutMisses(points) : points;
        return { ...scanRecord(known), table, rows };
      },
      close: () => mcap.close(),
    };
  } catch (error) {
    await mcap.close();
    throw error;
  }
}

function expectRising(file: string, ticks: readonly TickRecord[]): void {
  const other = ticks.find(({ tick }, index) => tick <= (ticks[index - 1]?.tick ?? -1));
  if (other === undefined) return;
  const message = `${file} is damaged: tick ${other.tick} is not after the one before it`;
  throw new UnderstoryError('corrupt', message, { file });
}

function keyOf({ tick, sensor }: ScanRecord): string {
  return `${tick}/${sensor}`;
}

function scanRecord({ tick, sensor, fromNs, toNs, pulses, returns, hash }: ScanRecord): ScanRecord {
  return { tick, sensor, fromNs, toNs, pulses, returns, hash };
}

function tickRecord({ sensorPoses: _, steps: __, ...record }: RecordedTick): TickRecord {
  return record;
}
