// The recording of a drive: every scan, tick and new path, and the cost map once
// a simulated second. Paced by simulated time only, so that equal runs give equal bytes.
import type { ReturnColumnName } from '#contract/columns.ts';
import type { DriveCommand, Pose, TickRecord } from '#contract/host/run.ts';
import { commandDelayTicks, type CostMapView } from '#domain/autonomy/signals.ts';
import type { ObjectState } from '#contract/host/movingObjects.ts';
import type {
  MotionSteps,
  RecordedMotion,
  RecordedReadings,
  RecordedStart,
  RecordingWriter,
} from '#services/ports/recordings.ts';
import type { RowPacking } from '#services/ports/workers.ts';
import type { DiskGuard } from './diskGuard.ts';
import type { LateCommand } from './driver.ts';
import type { SensedScan } from './sensing.ts';

export interface DrivenTick {
  record: TickRecord;
  /** Left out: nothing is known of them. */
  motion?: RecordedMotion;
  steps?: MotionSteps;
  readings?: RecordedReadings;
  /** The decision of the tick. */
  command: DriveCommand;
  /** Left out or null: it came in time. */
  late?: LateCommand | null;
  fromNs: number;
  scans: SensedScan[];
  /** worldFromSensor at the end of the tick. */
  sensorPoses: Pose[];
  map: CostMapView;
  /** Moving objects at the end of the tick. */
  objects?: readonly ObjectState[];
  /** null: as before. */
  path: { xM: Float32Array; yM: Float32Array } | null;
}

export interface DriveRecorder {
  /** How the worker packs a scan for this recording; asked once for each scan, in their order. */
  packings(scan: { sensor: number; fromNs: number; toNs: number }): RowPacking[];
  /** @throws 'disk-full' before anything of the tick is written; 'io' when writing fails */
  record(tick: DrivenTick): Promise<void>;
  /** Adds the cost map as it is at the end, and closes the file. */
  close(): Promise<void>;
}

const mapIntervalNs = 1e9;

/** Has scans packed as for a recording of these columns, for their checksums. */
export function createDrivePacker(
  packings: RecordingWriter['packings'],
  columns: ReturnColumnName[],
): DriveRecorder {
  return {
    packings: (scan) => withFrames('dropped', packings(scan, columns)),
    record: () => Promise.resolve(),
    close: () => Promise.resolve(),
  };
}

/** The same with this use of their frames; the rows of messages are needed here. */
function withFrames(frame: 'stored' | 'dropped', packings: RowPacking[]): RowPacking[] {
  return packings.map((packing) =>
    packing.isRaw ? packing : { ...packing, template: { ...packing.template, frame } },
  );
}

/** A recorder of these columns over an open recording; `disk` guards the disk that it lies on. */
export function createDriveRecorder(
  writer: RecordingWriter,
  columns: ReturnColumnName[],
  disk: DiskGuard,
): DriveRecorder {
  let recordedCost: Uint8Array | null = null;
  let last: DrivenTick | null = null;

  return {
    packings: (scan) => withFrames('stored', writer.packings(scan, columns)),
    async record(driven) {
      const { fromNs, scans, sensorPoses, steps, objects, map, path } = driven;
      const { tick, timeNs } = driven.record;
      disk.check(writer.bytesWritten, fromNs / 1e9);
      if (last === null) await writer.start(startOf(driven), driven.motion);
      if (driven.readings !== undefined) await writer.readings(driven.readings);
      for (const { sensor, result } of scans) {
        const { pulses, returns, rows, hash, packed } = result;
        const record = { tick, sensor, fromNs, toNs: timeNs, pulses, returns, hash };
        await writer.packedScan({ ...record, packed, rows });
      }
      const moved = { sensorPoses, ...(steps && { steps }), ...(objects && { objects }) };
      await writer.tick({ ...driven.record, ...moved }, driven.motion);
      const actsNs = timeNs + (commandDelayTicks - 1) * (timeNs - fromNs);
      await writer.command({ timeNs, actsNs, ...driven.command });
      const { late = null } = driven;
      if (late !== null) await writer.lateCommand({ tick, timeNs, ...late });
      if (path !== null) await writer.path({ timeNs, ...path });
      const isDue = Math.floor(timeNs / mapIntervalNs) > Math.floor(fromNs / mapIntervalNs);
      if (isDue) await recordMap(map, timeNs);
      last = driven;
    },
    async close() {
      try {
        if (last !== null) await recordMap(last.map, last.record.timeNs);
      } finally {
        await writer.close();
      }
    },
  };

  /** The vehicle is at rest then, and its first estimate is the one at the end of its first tick. */
  function startOf({ fromNs, steps, record }: DrivenTick): RecordedStart {
    const truth = steps?.poses[0] ?? record.truth;
    return { timeNs: fromNs, truth, estimate: record.estimate, speedMPerS: 0 };
  }

  async function recordMap({ geometry, cost }: CostMapView, timeNs: number): Promise<void> {
    if (cost === recordedCost) return;
    await writer.map({ geometry, timeNs, cost });
    recordedCost = cost;
  }
}
