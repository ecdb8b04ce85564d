// The clouds of a recording's scans: which there are, on which channels, and how they become messages, packed here or by
// the worker. The cloud with ground truth comes last, so that a scan is whole where it is there.
import type { ReturnColumnName } from '#contract/columns.ts';
import { recordsMisses, recordsTruth } from '#contract/documents/scenario.ts';
import type { CompiledScenario, ScanRecord } from '#contract/host/run.ts';
import type { CloudKind, RecordedScan } from '#services/ports/recordings.ts';
import type { RowPacking } from '#services/ports/workers.ts';
import { cloudPacking, driverPacking } from './ros/cloudPacking.ts';
import { driverClouds, encodeDriverCloud, hasDriverColumns } from './ros/driverCloud.ts';
import type { Epoch } from './ros/epoch.ts';
import { encodeCloud } from './ros/pointCloud.ts';
import { cloudKinds, type Topics } from './ros/topics.ts';

/** The messages of a scan, in the order of the file. */
export interface ScanClouds {
  /** The channels of a sensor's clouds. @throws RangeError where there is no such sensor */
  channelsOf(sensor: number): number[];
  /** As RecordingWriter.packings. */
  packings(
    scan: Pick<ScanRecord, 'sensor' | 'fromNs' | 'toNs'>,
    columns: readonly ReturnColumnName[],
    sequenceOf: (channelId: number) => number,
  ): RowPacking[];
  /** As RecordingWriter.scan. */
  encode(scan: RecordedScan): {
    clouds: { channelId: number; data: Uint8Array }[];
    firstPulse: bigint;
  };
}

/** Those of a scenario's recordings. @param kinds left out: those that the scenario asks for */
export function createScanClouds(
  compiled: CompiledScenario,
  topics: Pick<Topics, 'clouds'>,
  epoch: Epoch,
  kinds: readonly CloudKind[] = recordedKinds(compiled),
): ScanClouds {
  const drivers = driverClouds(compiled);
  const driverOf = (sensor: number): (typeof drivers)[number] => drivers[sensor] ?? missing(sensor);
  const channelOf = (kind: CloudKind, sensor: number): number =>
    topics.clouds[kind][sensor] ?? missing(sensor);
  return {
    channelsOf: (sensor) => kinds.map((kind) => channelOf(kind, sensor)),
    packings: ({ sensor, fromNs, toNs: timeNs }, columns, sequenceOf) =>
      kinds.map((kind) => {
        const channelId = channelOf(kind, sensor);
        const message = { channelId, sequence: sequenceOf(channelId), timeNs, fromNs };
        return kind === 'truth'
          ? cloudPacking(message, columns, epoch, recordsMisses(compiled.scenario))
          : driverPacking(message, driverOf(sensor), epoch);
      }),
    encode: (scan) => {
      const { sensor, table } = scan;
      const truth = kinds.includes('truth') ? encodeCloud(scan, epoch) : null;
      const clouds = kinds.flatMap((kind) => {
        const channelId = channelOf(kind, sensor);
        if (kind === 'truth') return truth === null ? [] : { channelId, data: truth.bytes };
        const driver = driverOf(sensor);
        if (truth !== null && !hasDriverColumns(driver, table)) return [];
        return { channelId, data: encodeDriverCloud(driver, scan, epoch) };
      });
      return { clouds, firstPulse: truth?.firstPulse ?? 0n };
    },
  };
}

function recordedKinds(compiled: CompiledScenario): readonly CloudKind[] {
  return cloudKinds.filter((kind) => kind === 'driver' || recordsTruth(compiled.scenario));
}

function missing(sensor: number): never {
  throw new RangeError(`there is no sensor ${sensor}`);
}
