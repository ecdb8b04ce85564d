// Recordings of other programs, as sources of logs: clouds of points and poses, whatever the files are.
import type { Columns } from '#contract/columns.ts';
import type { LogSource } from '#contract/log/log.ts';
import type { Pose } from '#contract/host/run.ts';
import type { TimeUnit } from '#contract/documents/quantities.ts';
import type { StatedSystem } from '#domain/shared/systemUnits.ts';
import type { PointTimeField } from '#domain/shared/timeUnits.ts';
import type { SensorRecipe } from '#contract/worker/sensorRecipe.ts';
import type { CloudToLog } from '#domain/log/beamsOfCloud.ts';

/** A cloud as its source has it. */
export interface SourceCloud extends CloudToLog {
  frameId: string;
  /** Where its times come from; null: no field of its points. */
  timeField: PointTimeField | null;
}

/** A frame's pose in another over time, or once. */
export interface SourcePoses {
  /** Name of the topic or file. */
  name: string;
  kind: 'tf' | 'odometry' | 'pose' | 'file';
  parent: string;
  /** '' : that of the clouds. */
  child: string;
  /** True: one pose that always holds. */
  isStatic: boolean;
  timesNs: number[];
  poses: Pose[];
}

/** A stream of clouds: a topic, or the files of a folder. */
export interface SourceStream {
  name: string;
  /** Layout of its points, as 'ouster' or 'velodyne'. */
  layout: string;
}

export interface LogSourceReader {
  readonly kind: LogSource;
  readonly streams: readonly SourceStream[];
  /** Zero of all times. */
  readonly baseNs: bigint;
  /** Zero of positions in the world. */
  readonly originM: [number, number, number];
  /** Positions of clouds in the world and of files of poses are in its units. */
  readonly system: StatedSystem;
  readonly classes: readonly string[];
  /** Names of the classes that are volumes; null: the source does not state them. */
  readonly volumeClasses: readonly string[] | null;
  readonly poses: readonly SourcePoses[];
  readonly traits: SourceTraits;
  /** Sentences about parts that are not read, and statements of the source that its content contradicts. */
  readonly notes: readonly string[];
  /** Clouds of a stream in turn. `done` and `total` are bytes or files. */
  clouds(
    stream: string,
    progress: (done: number, total: number) => void,
  ): AsyncGenerator<SourceCloud>;
  close(): Promise<void>;
}

/** Properties of all clouds of a source. */
export interface SourceTraits {
  /** Points are in the world. */
  isWorld: boolean;
  /** The motion within a cloud was taken out: all its points are seen from its pose at the stamp. */
  isCompensated: boolean;
  /** Times of points are recorded, not derived from their azimuths. */
  hasTimes: boolean;
  /** By laser, from the lowest; null: the source states none. */
  elevationsRad: readonly number[] | null;
}

/** Poses of the sensor, given beside the clouds of a folder. */
export interface SourceTrajectory {
  /** Zero of its times. */
  baseNs: bigint;
  timesNs: number[];
  poses: Pose[];
  /** The sensor stays where its only pose is. */
  isAtRest: boolean;
}

/** The times of points, as a request has them. */
export interface TimeOptions {
  /** Name of their field, or 'none'; left out: the first that is known. */
  field?: string | undefined;
  /** Left out: that of the field's name. */
  unit?: TimeUnit | undefined;
}

/** A file whose rows say where each pulse began, as those of our own scans and logs. */
export interface BeamSource {
  readonly kind: LogSource;
  /** World position that the positions of its rows count from. */
  readonly originM: readonly [number, number, number];
  /** Positions of rows are in its units. */
  readonly system: StatedSystem;
  /** By class_id. */
  readonly classes: readonly string[];
  /** Names of those that are volumes; null: the file does not state them. */
  readonly volumeClasses: readonly string[] | null;
  /** Names of its columns, those of returns (contract/columns.ts). */
  readonly names: readonly string[];
  readonly rows: number;
  /** All rows in turn. @throws UnderstoryError 'corrupt' for a file that is cut off or damaged, 'cancelled' */
  tables(signal: AbortSignal): AsyncGenerator<{ columns: Columns; rows: number }>;
  close(): Promise<void>;
}

/** A capture of a sensor's data packets: each pulse in the sensor's frame. */
export interface PacketSource {
  readonly kind: LogSource;
  /** Name of the sensor's model. */
  readonly model: string;
  /** At most. */
  readonly rows: number;
  /** As those of LogSourceReader. */
  readonly notes: readonly string[];
  /**
   * Rows of pulses and their returns in turn: time_ns (since 1970), pulse, ring, azimuth_rad, return_no, range_m, intensity
   * and direction_x … of length 1. @throws as BeamSource.tables
   */
  tables(signal: AbortSignal): AsyncGenerator<{ columns: Columns; rows: number }>;
  close(): Promise<void>;
}

export interface PacketOptions {
  /** Calibration; null: that of the model. */
  sensor: SensorRecipe | null;
  /** Sender and port, where a capture has several; null: the only one. */
  stream: string | null;
  signal: AbortSignal;
  progress: (done: number, total: number) => void;
}

export interface OpenOptions {
  /** Null: none is given. */
  trajectory: SourceTrajectory | null;
  times: TimeOptions;
  signal: AbortSignal;
  progress: (done: number, total: number) => void;
}

/** A message of a ROS 2 recording, in CDR. */
export interface SourceMessage {
  topic: string;
  /** As in 'sensor_msgs/msg/PointCloud2'. */
  type: string;
  data: Uint8Array;
}

export interface LogSources {
  /**
   * Opens files of other programs, poses read.
   * @throws UnderstoryError 'bad-input' for files of no known kind, 'not-found' | 'io' | 'corrupt'
   */
  open(path: string, options: OpenOptions): Promise<LogSourceReader>;
  /** Null: another kind of file, or one that does not say where pulses began. @throws as `open` */
  openBeams(path: string, signal?: AbortSignal): Promise<BeamSource | null>;
  /** Null: the file is no capture of packets. @throws as `open` */
  openPackets(path: string, options: PacketOptions): Promise<PacketSource | null>;
}
