// The interface of every file of a scan: the columns it needs, and how it writes rows as they come.
import type { ReturnColumnName, ReturnTable } from '#contract/columns.ts';
import { UnderstoryError } from '#contract/errors.ts';
import type { RequestOf } from '#contract/host/methods.ts';
import type { CompiledScenario, Pose, ScanRecord } from '#contract/host/run.ts';
import type { WorkerHello } from '#contract/worker/worker.ts';
import { sensorPoseAt } from '#domain/trajectory/trajectory.ts';
import type { Exporters, ExportTarget } from '#services/ports/exporters.ts';
import type { Logs } from '#services/ports/logs.ts';
import type { Recordings } from '#services/ports/recordings.ts';
import type { Product } from '#services/ports/system.ts';
import type { ExportedObject } from './idTables.ts';
import type { ScanPath } from './scanPath.ts';

export interface ScanFile {
  /** Columns that it needs from the worker. */
  columns: ReturnColumnName[];
  /** Length of the pieces in which it takes a scan; null: the whole at once. */
  intervalNs: number | null;
  /** `leg`: index of the leg. */
  rows: (table: ReturnTable, rows: number, leg: number) => Promise<void> | void;
  endInterval(record: ScanRecord, leg: number): Promise<void>;
  close(): Promise<{ files: string[]; leftOut: string[] }>;
  abort(): Promise<void>;
}

export interface ScanFileOptions {
  columns: ReturnColumnName[];
  compiled: CompiledScenario;
  heights: Float32Array;
  hello: WorkerHello;
  path: ScanPath;
  request: Pick<RequestOf<'scan.start'>, 'misses' | 'frame' | 'format'>;
  /** Passes on the instances of the scene that are wanted, in parts. */
  eachObject: (
    isWanted: (id: number) => boolean,
    take: (objects: ExportedObject[]) => Promise<void>,
  ) => Promise<void>;
  target: ExportTarget;
}

export interface ScanFilePorts {
  exporters: Exporters;
  recordings: Recordings;
  logs: Logs;
  product: Product;
}

/** Length of the ticks of a recording. */
export function tickNs({ scenario }: CompiledScenario): number {
  return scenario.navigation.tickMs * 1e6;
}

/** The sensor's pose at a time of a leg. */
export function poseAt({ legs }: ScanPath, leg: number, timeNs: number): Pose {
  const trajectory = legs[leg]?.trajectory;
  if (trajectory === undefined) throw new UnderstoryError('internal', `there is no leg ${leg}`);
  return sensorPoseAt(trajectory, timeNs);
}

/** Whole nanoseconds of a turn, a sweep or an image of the only sensor. */
export function turnNs({ sensors: [sensor], scenario }: CompiledScenario): number {
  const rateHz = sensor?.recipe.scan.rateHz;
  return rateHz === undefined ? scenario.navigation.tickMs * 1e6 : Math.round(1e9 / rateHz);
}
