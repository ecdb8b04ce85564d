// Files of points for other programs, written row table by row table.
import type { WorkerChunk } from '#contract/worker/workerMethods.ts';
import type {
  ColumnArray,
  ColumnType,
  RayTable,
  ReturnColumnName,
  ReturnTable,
} from '#contract/columns.ts';
import type { Pose } from '#contract/host/run.ts';
import type { ExportFormat } from '#contract/host/exportFormats.ts';
import type { OriginM } from '#contract/worldOrigin.ts';
import type { WaveformBins } from '#contract/worker/worker.ts';
import type { RecordedObjects } from './recordings.ts';
import type { Firings } from '#domain/sensor/firings.ts';
import type { VelodyneSensor } from '#domain/shared/velodyne/sensor.ts';

/** The contents of a file of points. */
export interface CloudOptions {
  /** Columns to write, in this order where the format leaves it open. */
  columns: ReturnColumnName[];
  /** Names of class_id, in its order. */
  classes: string[];
  /** Those that beams enter, such as plants: stated by NPZ, PCD and PLY. Left out: not known. */
  volumeClasses?: readonly string[];
  /** Names of sensors: the last field, `sensor`, names the sensor of each row. Left out: no such field. */
  sensors?: string[];
  /** Names of a survey's legs, in place of sensors: a last field `leg` numbers them from 1. Left out: there is none. */
  legs?: string[];
  /** World position of the origin that the positions of tables are relative to. Left out: [0, 0, 0]. */
  originM?: OriginM;
  /** Coordinate reference system of the world: 'EPSG:n' or WKT. Left out: none is stated. */
  crs?: string;
  /** Codes of classes in LAS files, by name. Others have those of the format's table, or codes from 64 on. */
  lasCodes?: Readonly<Record<string, number>>;
  /**
   * Where a LAS file with the columns of beams places pulses without an echo along them. Left out: they are omitted.
   */
  missRangeM?: number;
  /**
   * Horizontal direction (of length 1) in which a sensor or leg travels at a time: scan angles of a LAS file are about it.
   * Null, or left out: it is at rest, or unknown.
   */
  travelAt?: (source: number, timeNs: number) => readonly [x: number, y: number] | null;
  /** Instant of time 0, in seconds since 1970 (UTC): LAS files state GPS time then. Left out: it is simulated. */
  epochS?: number;
  /**
   * Firings of the sensors, or of the one of all legs: LAS files give every pulse a time of its own by them. Left out:
   * pulses have the times of their firings.
   */
  firings?: readonly Firings[];
  /** sceneFromSensor of a sensor at rest. Left out: it moved, or there are several. */
  viewpoint?: Pose;
}

export interface ReturnsExporter {
  /** `sensor`: index of the sensor or leg that took them, where the exporter was given such. */
  write(table: ReturnTable, rows: number, sensor?: number): Promise<void>;
  /**
   * Ends the file under its final name; what the format cannot hold is named in `leftOut`. Where it fails, `abort`
   * is still to be called.
   */
  close(): Promise<{ files: string[]; points: number; leftOut: string[] }>;
  /** Removes what was written so far; a file that was there before is as it was. */
  abort(): Promise<void>;
}

/** The kind of file that may be written. Files in the data folder are always refused. */
export interface ExportTarget {
  /** False: a file that is there already is refused. */
  isReplacing: boolean;
  /** Files that the work reads: refused even so. */
  inputs?: readonly string[];
}

/** A file that is written under another name until it is whole. */
export interface OpenTarget {
  /** The other name; its folder exists, it does not. */
  readonly aside: string;
  /** Gives the file its name. */
  finish(): Promise<void>;
  /** Removes what was written. */
  abort(): Promise<void>;
}

/** A text that is written piece by piece. */
export interface TextExporter {
  write(text: string): Promise<void>;
  /** Ends the file under its name. */
  close(): Promise<void>;
  /** Removes what was written so far. */
  abort(): Promise<void>;
}

/** The rays of a scan, in pieces. */
export interface RaysExporter {
  write(rays: RayTable): Promise<void>;
  close(): Promise<void>;
  /** Removes what was written so far. */
  abort(): Promise<void>;
}

/** The waveforms of a scan, in pieces; all have the same number of bins. */
export interface WaveformsExporter {
  write(waveforms: WorkerChunk<'scan.waveforms'>): Promise<void>;
  close(bins: WaveformBins): Promise<void>;
  /** Removes what was written so far. */
  abort(): Promise<void>;
}

/** The contents of frames. */
export interface FramesOptions {
  /** Names of class_id, in its order. */
  classes: string[];
  /** The world position of the scene's origin. */
  originM: OriginM;
}

/** Returns in frames, one after another. */
export interface FramesExporter {
  /** Points in the axes of the scene; `pose`: sceneFromSensor at `timeNs`, relative to the origin as they are. */
  write(frame: {
    timeNs: number;
    pose: Pose;
    table: ReturnTable;
    rows: number;
    /** Moving objects at that time; left out: they are not known. */
    objects?: RecordedObjects['objects'];
  }): Promise<void>;
  close(): Promise<{ files: string[]; points: number; leftOut: string[] }>;
  /** Removes what was written so far. */
  abort(): Promise<void>;
}

/** A table of text and numbers, row by row. */
export interface TableExporter {
  write(rows: readonly (readonly (string | number)[])[]): Promise<void>;
  close(): Promise<void>;
  /** Removes what was written so far. */
  abort(): Promise<void>;
}

/** Numbers of level cells. */
export interface Raster {
  columns: number;
  rows: number;
  /** Edge of a cell. */
  cellM: number;
  /** Corner in the world. */
  westM: number;
  northM: number;
  /** Code of the coordinate reference system; null: it is not known. */
  epsg: number | null;
  /** Row by row from the north; NaN: nothing. */
  values: Float32Array;
}

/** Arrays of numbers for NumPy, in one archive. */
export interface ArraysExporter {
  /** Adds an array; `rowShape`: of a row, left out: a number. `values`: as append. */
  add(
    name: string,
    array: { type: ColumnType; rowShape?: readonly number[] },
    values?: ColumnArray,
  ): Promise<void>;
  /** Values of whole rows by the end, to an array that was added. */
  append(name: string, values: ColumnArray): Promise<void>;
  close(): Promise<void>;
  /** Removes what was written so far. */
  abort(): Promise<void>;
}

export interface Exporters {
  /** A folder in the layout of SemanticKITTI: a new or an empty one, or that of an export where that is replaced. */
  createFrames(folder: string, options: FramesOptions & ExportTarget): Promise<FramesExporter>;
  /**
   * A capture of the packets of one of Velodyne's sensors (.pcap), of rows with packetColumns in the order of their pulses.
   * @throws as `create`
   */
  createPackets(
    file: string,
    options: { sensor: VelodyneSensor; epochS: number },
    target: ExportTarget,
  ): Promise<ReturnsExporter>;
  /** CSV with these names of columns. */
  createTable(
    file: string,
    columns: readonly string[],
    target: ExportTarget,
  ): Promise<TableExporter>;
  /** .csv or .npz. Each method that creates refuses as `create` does. */
  createRays(
    file: string,
    options: Pick<CloudOptions, 'classes' | 'originM'>,
    target: ExportTarget,
  ): Promise<RaysExporter>;
  /** .npz */
  createWaveforms(file: string, target: ExportTarget): Promise<WaveformsExporter>;
  /** .npz */
  createArrays(file: string, target: ExportTarget): Promise<ArraysExporter>;
  /** A whole GeoTIFF. */
  writeRaster(file: string, raster: Raster, target: ExportTarget): Promise<void>;
  /** A text in UTF-8. */
  createText(file: string, target: ExportTarget): Promise<TextExporter>;
  /**
   * Writes the rows of files of one format and one set of columns, one after another, into `file`: the bytes that the
   * exporter of all rows writes. @throws UnderstoryError 'bad-input' for parts that differ in more than rows
   */
  join(
    file: string,
    parts: readonly string[],
    options: { format: ExportFormat; signal: AbortSignal } & ExportTarget,
  ): Promise<void>;
  /**
   * Writes the rows of tables (createTable) whose first column is an id, in ascending order, into one in that order;
   * rows of equal ids become one. @throws UnderstoryError 'bad-input' for tables of other columns
   */
  joinTables(
    file: string,
    tables: readonly string[],
    options: { signal: AbortSignal } & ExportTarget,
  ): Promise<void>;
  /** For a file that the caller writes, aside. */
  openTarget(file: string, target: ExportTarget): Promise<OpenTarget>;
  /**
   * @throws UnderstoryError 'bad-input' | 'not-found' with details.reason (ExportRefusal), before anything is written
   */
  create(
    file: string,
    options: { format: ExportFormat } & CloudOptions & ExportTarget,
  ): Promise<ReturnsExporter>;
}
