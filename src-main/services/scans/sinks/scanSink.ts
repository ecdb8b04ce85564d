// A planned scan, and the interfaces of everything that it is written to: each sink traces the scan piece by piece;
// files of returns share one sink.
import type { ReturnColumnName, ReturnTable } from '#contract/columns.ts';
import type { Replies, RequestOf } from '#contract/host/methods.ts';
import type { CompiledScenario, CompiledSensor, ScanRecord } from '#contract/host/run.ts';
import type { SensorRecipe } from '#contract/worker/sensorRecipe.ts';
import type { CarriedBy } from '#domain/scene/vehicleBody.ts';
import type { Trajectory } from '#domain/trajectory/trajectory.ts';
import type { HandlerContext } from '#services/handlers.ts';
import type { Exporters, ExportTarget } from '#services/ports/exporters.ts';
import type { Files } from '#services/ports/files.ts';
import type { Logs } from '#services/ports/logs.ts';
import type { Recordings } from '#services/ports/recordings.ts';
import type { Product } from '#services/ports/system.ts';
import type { ScanWorker, WorkerCallOptions } from '#services/ports/workers.ts';
import type { ScanPath, ScanPiece } from '../scanPath.ts';

export interface SinkPorts {
  exporters: Exporters;
  files: Files;
  logs: Logs;
  product: Product;
  recordings: Recordings;
}

/** Everything that follows from a request. */
export interface ScanPlan {
  compiled: CompiledScenario;
  /** As LoadedScenario.heights. */
  heights: Float32Array;
  sensor: CompiledSensor;
  path: ScanPath;
  /** How the vehicle carries the sensor; undefined: none does, or it has no body. */
  carriedBy: CarriedBy | undefined;
  /** Puffs of dust (puffColumns) that the wheels of that vehicle raise; undefined: none. */
  raisedDust: readonly number[] | undefined;
  /** Length of the pieces; null: a leg at once. */
  pieceNs: number | null;
  /** Columns of the returns, those that their file has no place for included. */
  columns: ReturnColumnName[];
  frame: 'world' | 'sensor';
  misses: boolean;
  /** For all files. */
  target: ExportTarget;
  /** Each opens a sink. */
  sinks: ((scan: PlannedScan) => Promise<ScanSink>)[];
}

/** A plan with a worker that has built its scene. */
export interface PlannedScan {
  ports: SinkPorts;
  plan: ScanPlan;
  worker: ScanWorker;
  context: HandlerContext;
}

/** A piece with the arguments of a worker's calls for it. */
export interface TracedPiece extends ScanPiece {
  pulses: { sensor: SensorRecipe; fromNs: number; toNs: number; seed: number };
  /** Poses of the piece. */
  trajectory: Trajectory;
  options: WorkerCallOptions;
}

/** Where a method throws, `abort` is still to be called. */
export interface ScanSink {
  /** Traces a piece and writes it; pieces come in order. */
  trace(piece: TracedPiece): Promise<void>;
  /** Gives files their names. @returns its part of the reply */
  close(): Promise<Partial<Replies['scan.start']> & { files: string[] }>;
  /** Removes what was written. */
  abort(): Promise<void>;
}

type Request = RequestOf<'scan.start'>;
type TextField = {
  [F in keyof Request]-?: Request[F] extends string | undefined ? F : never;
}[keyof Request];

/** A file beside the returns. */
export interface SideFile {
  /** Field of the request with its name. */
  field: TextField;
  /** In messages. */
  contents: string;
  endings: readonly string[];
  /** Why a sensor cannot write it; null: it can. */
  problemOf?: (sensor: SensorRecipe) => string | null;
  open: (scan: PlannedScan, file: string) => Promise<ScanSink>;
}

/** Returns as they arrive. */
export interface ReturnsFile {
  /** Columns that it needs from the worker. */
  columns: ReturnColumnName[];
  rows: (table: ReturnTable, rows: number, piece: ScanPiece) => Promise<void> | void;
  endPiece?: (record: ScanRecord, piece: ScanPiece) => Promise<void> | void;
  close(): Promise<{ files: string[]; leftOut: string[] }>;
  abort(): Promise<void>;
}

/** A destination of returns. */
export interface ReturnsKind {
  /** Length of the pieces in which it takes a scan. Left out: a leg at once. */
  pieceNs?: (compiled: CompiledScenario) => number;
  /** A part of a scan ends between pieces. */
  hasWholePieces?: true;
  /** It has every pulse, whether misses are asked for or not. */
  hasMisses?: true;
  /** Left out: defaultScanColumns. */
  defaultColumns?: (frame: ScanPlan['frame']) => ReturnColumnName[];
  open: (scan: PlannedScan, out: string) => Promise<ReturnsFile>;
}

/** Length of the ticks of a recording. */
export function tickNs({ scenario }: CompiledScenario): number {
  return scenario.navigation.tickMs * 1e6;
}

/** Whole nanoseconds of a turn, a sweep or an image of the only sensor. */
export function turnNs(compiled: CompiledScenario): number {
  const rateHz = compiled.sensors[0]?.recipe.scan.rateHz;
  return rateHz === undefined ? tickNs(compiled) : Math.round(1e9 / rateHz);
}
