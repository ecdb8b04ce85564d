// The clouds of a recording's scans: which there are, on which channels, and how they become messages, packed here or by
// the worker. The cloud with ground truth comes last, so that a scan is whole where it is there. The messages of drivers
// whose scans are no ticks are made of raw rows, which come after the clouds (ros/scanMessages.ts).
import type { ReturnColumnName } from '#contract/columns.ts';
import { recordsMisses, recordsTruth } from '#contract/documents/scenario.ts';
import type { CompiledScenario, ScanRecord } from '#contract/host/run.ts';
import type { CloudKind, PackedScan, RecordedScan } from '#services/ports/recordings.ts';
import type { PackedRows, RowPacking } from '#services/ports/workers.ts';
import { cloudPacking, driverPacking, type MessagePacking } from './ros/cloudPacking.ts';
import { driverClouds, encodeDriverCloud, hasDriverColumns } from './ros/driverCloud.ts';
import { laserScanIntensity } from './ros/driverFields.ts';
import type { Epoch } from './ros/epoch.ts';
import { encodeCloud } from './ros/pointCloud.ts';
import { createScanMessages, type DueMessage, type ScanMessages } from './ros/scanMessages.ts';
import {
  hasPieceColumns,
  type PieceLayout,
  pieceOfPacked,
  pieceOfTable,
  piecePacking,
  type ScanPiece,
} from './ros/scanPieces.ts';
import { cloudKinds, type MessageChannels, type Topics } from './ros/topics.ts';

/** A scan as it is written. */
export interface EncodedScan<C> {
  /** In the order of the file. */
  clouds: ({ channelId: number } & C)[];
  /** For the messages of the sensor's driver; null: its cloud is among the others. */
  piece: ScanPiece | null;
}

export interface ScanClouds {
  /** As RecordingWriter.packings. */
  packings(
    scan: Pick<ScanRecord, 'sensor' | 'fromNs' | 'toNs'>,
    columns: readonly ReturnColumnName[],
    sequenceOf: (channelId: number) => number,
  ): RowPacking[];
  /** As RecordingWriter.scan. */
  encode(scan: RecordedScan): EncodedScan<{ data: Uint8Array }> & { firstPulse: bigint };
  /** As RecordingWriter.packedScan. */
  ofPacked(scan: PackedScan): EncodedScan<{ rows: PackedRows }>;
  /** The messages that are whole with the scans of a tick, in the order of their times. */
  messages(pieces: readonly SensorPiece[]): DueMessage[];
  /** The messages under way as far as they are. */
  endMessages(): DueMessage[];
}

export interface SensorPiece {
  sensor: number;
  piece: ScanPiece;
}

/** Those of a scenario's recordings. @param kinds left out: those that the scenario asks for */
export function createScanClouds(
  compiled: CompiledScenario,
  topics: Pick<Topics, 'clouds' | 'messages'>,
  epoch: Epoch,
  kinds: readonly CloudKind[] = recordedKinds(compiled),
): ScanClouds {
  const drivers = driverClouds(compiled);
  const driverOf = (sensor: number): (typeof drivers)[number] => drivers[sensor] ?? missing(sensor);
  const channelOf = (kind: CloudKind, sensor: number): number =>
    topics.clouds[kind][sensor] ?? missing(sensor);
  const kindsOf = (sensor: number): CloudKind[] =>
    kinds.filter((kind) => channelOf(kind, sensor) >= 0);
  const channelsOf = (sensor: number): MessageChannels =>
    topics.messages[sensor] ?? missing(sensor);
  const pieceOf = (sensor: number): PieceLayout | null => {
    const { cloud, laserScan } = channelsOf(sensor);
    if (!kinds.includes('driver') || Math.max(cloud, laserScan) < 0) return null;
    const { layout, recipe } = driverOf(sensor);
    return {
      layout: cloud < 0 ? { fields: [], pointStep: 0 } : layout,
      intensity: laserScan < 0 ? null : laserScanIntensity(recipe),
    };
  };
  const misses = recordsMisses(compiled.scenario);
  /** Ground truth by its columns, the driver's by 'driver'. */
  const packingsOf = compiled.sensors.map(() => new Map<string, MessagePacking>());
  const packingOf = (
    kind: CloudKind,
    sensor: number,
    columns: readonly ReturnColumnName[],
  ): MessagePacking => {
    const ofSensor = packingsOf[sensor] ?? missing(sensor);
    const key = kind === 'truth' ? columns.join() : kind;
    const known = ofSensor.get(key);
    if (known !== undefined) return known;
    const driver = driverOf(sensor);
    const created =
      kind === 'truth'
        ? cloudPacking(columns, epoch, { misses, recipe: driver.recipe })
        : driverPacking(driver, epoch);
    ofSensor.set(key, created);
    return created;
  };
  const underWay = new Map<number, ScanMessages>();
  const messagesOf = (sensor: number): ScanMessages => {
    const known = underWay.get(sensor);
    if (known !== undefined) return known;
    const created = createScanMessages(driverOf(sensor), channelsOf(sensor), epoch);
    underWay.set(sensor, created);
    return created;
  };
  return {
    packings: ({ sensor, fromNs, toNs: timeNs }, columns, sequenceOf) => {
      const clouds = kindsOf(sensor).map((kind) => {
        const channelId = channelOf(kind, sensor);
        const sequence = sequenceOf(channelId);
        return packingOf(kind, sensor, columns)({ channelId, sequence, timeNs, fromNs });
      });
      const piece = pieceOf(sensor);
      return piece === null ? clouds : [...clouds, piecePacking(piece, fromNs, epoch)];
    },
    encode: (scan) => {
      const { sensor, table } = scan;
      const { recipe } = driverOf(sensor);
      const truth = kinds.includes('truth') ? encodeCloud({ ...scan, recipe }, epoch) : null;
      const clouds = kindsOf(sensor).flatMap((kind) => {
        const channelId = channelOf(kind, sensor);
        if (kind === 'truth') return truth === null ? [] : { channelId, data: truth.bytes };
        const driver = driverOf(sensor);
        if (truth !== null && !hasDriverColumns(driver, table)) return [];
        return { channelId, data: encodeDriverCloud(driver, scan, epoch) };
      });
      const layout = pieceOf(sensor);
      const isPiece = layout !== null && (truth === null || hasPieceColumns(layout, table));
      const piece = isPiece ? pieceOfTable(layout, scan, epoch) : null;
      return { clouds, piece, firstPulse: truth?.firstPulse ?? 0n };
    },
    ofPacked: ({ sensor, packed, ...scan }) => {
      const wholes = packed.filter(({ isRaw }) => isRaw !== true);
      const clouds = kindsOf(sensor).map((kind, index) => {
        const rows = wholes[index];
        if (rows === undefined) throw new RangeError('a scan came without its packed rows');
        return { channelId: channelOf(kind, sensor), rows };
      });
      const raw = packed.find(({ isRaw }) => isRaw === true);
      const layout = pieceOf(sensor);
      const piece = raw && layout !== null ? pieceOfPacked(layout, scan, raw) : null;
      return { clouds, piece };
    },
    messages: (pieces) =>
      inTime(pieces.flatMap(({ sensor, piece }) => messagesOf(sensor).add(piece))),
    endMessages: () => inTime([...underWay.values()].flatMap((messages) => messages.end())),
  };
}

/** Stable: equal times in the order of the sensors. */
function inTime(messages: DueMessage[]): DueMessage[] {
  return messages.sort((a, b) => a.timeNs - b.timeNs);
}

function recordedKinds(compiled: CompiledScenario): readonly CloudKind[] {
  return cloudKinds.filter((kind) => kind === 'driver' || recordsTruth(compiled.scenario));
}

function missing(sensor: number): never {
  throw new RangeError(`there is no sensor ${sensor}`);
}
