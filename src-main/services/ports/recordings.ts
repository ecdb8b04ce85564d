// Recordings of runs, written once and read in passes: their contents, the writer and the reader.
import type { Columns, ReturnColumnName, ReturnTable } from '#contract/columns.ts';
import type {
  CompiledScenario,
  DriveCommand,
  MapGeometry,
  Pose,
  ScanRecord,
  TickRecord,
} from '#contract/host/run.ts';
import type { Isa } from '#contract/worker/worker.ts';
import type { ObjectState } from '#contract/host/movingObjects.ts';
import type { MotionEstimate } from '#domain/autonomy/signals.ts';
import type { PackedRows, RowPacking } from './workers.ts';

/**
 * The head of a recording: enough to open it, and to simulate it again. Read back, files
 * have lost the folders of the machine that recorded: Catalogue.compiled still names them in full.
 */
export interface RecordingHeader {
  compiled: CompiledScenario;
  heights: Float32Array;
  classes: string[];
  isa: Isa;
  understoryVersion: string;
  /** services/engine.ts; null in recordings of version 0.1.0. */
  engine: string | null;
  /** An external planner drives: the recording has a topic of its late commands. Not read back. */
  hasPlanner?: boolean;
}

/** The clouds of a scan: in the fields and the frame of its sensor's driver, and in the world with ground truth. */
export type CloudKind = 'driver' | 'truth';

/** Facts about one scan that are recorded beside its points. */
export interface RecordedScan extends ScanRecord {
  /**
   * Any columns; they come back as they were, and range_clean_m as range_m where there is no noise. From a recording
   * without ground truth: what its driver's cloud states, with points in the world by the recorded poses.
   */
  table: ReturnTable;
  rows: number;
}

/** The same scan where the worker has packed the points, as the writer's `packings` laid down, in their order. */
export interface PackedScan extends ScanRecord {
  packed: readonly PackedRows[];
  rows: number;
}

export interface RecordedTick extends TickRecord {
  /** worldFromSensor at the end of the tick, by sensor. */
  sensorPoses: Pose[];
  /** Before the end of the tick. Left out: not known (recordings of earlier versions). */
  steps?: MotionSteps;
  /** Moving objects at the end of the tick; not read back. Left out: none. */
  objects?: readonly ObjectState[];
}

/** Where the vehicle is at the start of the first tick, and where it believes to be. */
export type RecordedStart = Pick<RecordedTick, 'timeNs' | 'truth' | 'estimate' | 'speedMPerS'>;

/**
 * The poses between which those of pulses lie: straight in position, turning evenly (slerp). Rising times from the start
 * of the tick on; the next pose is that at its end.
 */
export interface MotionSteps {
  timesNs: number[];
  /** worldFromVehicle, as many; sensors keep their places on the vehicle. */
  poses: Pose[];
}

/** The vehicle's motion at the end of a tick. */
export interface RecordedMotion {
  /** As the vehicle believes; null before its first fix. */
  estimate: MotionEstimate | null;
  /** True turning rates in the vehicle's frame. */
  trueAngularRadPerS: [number, number, number];
}

/** A reading of the inertial unit, in the vehicle's frame; `rotation` is worldFromVehicle by the compass. */
export interface RecordedImu {
  timeNs: number;
  rotation: Pose['rotation'];
  angularRadPerS: [number, number, number];
  /** Acceleration less gravity. */
  specificForceMPerS2: [number, number, number];
}

/** A position fix, noise included. */
export interface RecordedFix {
  timeNs: number;
  positionM: [number, number, number];
}

/** Readings of one tick's instruments, each list in order of time. */
export interface RecordedReadings {
  imu: readonly RecordedImu[];
  fixes: readonly RecordedFix[];
}

/** The vehicle's command at the end of a tick, and when it begins to act. */
export interface RecordedCommand extends DriveCommand {
  timeNs: number;
  actsNs: number;
}

/** Topic of RecordedLateCommand, which only drives by an external planner have. */
export const lateCommandTopic = '/understory/late_command';

/** A tick in which an external planner had not answered in time. */
export interface RecordedLateCommand {
  tick: number;
  /** End of the tick. */
  timeNs: number;
  /** The tick whose answer held; null: none did, and the vehicle was to stop. */
  heldFromTick: number | null;
}

/** Moving objects at the end of a tick. */
export interface RecordedObjects {
  timeNs: number;
  objects: ObjectState[];
}

export interface RecordedMap {
  geometry: MapGeometry;
  timeNs: number;
  /** 0–100, 255 unknown; row by row from the south-west corner, x fastest. */
  cost: Uint8Array;
}

export interface RecordedPath {
  timeNs: number;
  xM: Float32Array;
  yM: Float32Array;
}

export interface RecordingWriter {
  /**
   * The driver's cloud is left out where the table lacks a column for it and the cloud with ground truth is recorded.
   * @throws TypeError where it is the only cloud
   */
  scan(scan: RecordedScan): Promise<void>;
  /**
   * How the worker packs a scan for `packedScan`, cloud by cloud; that with ground truth has these columns. Scans of a
   * sensor are packed in the order in which they are asked for here.
   */
  packings(
    scan: Pick<ScanRecord, 'sensor' | 'fromNs' | 'toNs'>,
    columns: readonly ReturnColumnName[],
  ): RowPacking[];
  packedScan(scan: PackedScan): Promise<void>;
  /**
   * The poses at the start, once, before everything else. Why: the points of the first cloud lie between them and those
   * at the end of its tick. @param motion as of `tick`
   */
  start(start: RecordedStart, motion?: RecordedMotion): Promise<void>;
  /** Readings of the tick whose scans follow, logged at their own times. Fixes need a CRS that is known here. */
  readings(readings: RecordedReadings): Promise<void>;
  /** @param motion left out: there is no estimate */
  tick(tick: RecordedTick, motion?: RecordedMotion): Promise<void>;
  command(command: RecordedCommand): Promise<void>;
  /** Only in recordings with a planner. */
  lateCommand(late: RecordedLateCommand): Promise<void>;
  map(map: RecordedMap): Promise<void>;
  path(path: RecordedPath): Promise<void>;
  /** Closes the chunk under way, so that everything so far can be read after a crash. */
  flush(): Promise<void>;
  /** Writes index and footer, fsyncs. */
  close(): Promise<void>;
  readonly bytesWritten: number;
}

/** How a recording that is being written is read as it grows. */
export interface Growth {
  /** False once its writer is gone: what is in the file then is all of it. Asked before each look. */
  mayGrow(): boolean;
  /** Until the next look. @throws what ends the reading */
  pause(): Promise<void>;
}

/** Contents of a recording, by kind. */
export interface RecordedKinds {
  scan: RecordedScan;
  tick: RecordedTick;
  command: RecordedCommand;
  map: RecordedMap;
  path: RecordedPath;
}

export type RecordedEntry = {
  [K in keyof RecordedKinds]: { kind: K; value: RecordedKinds[K] };
}[keyof RecordedKinds];

/** A recorded scan without its points: its record, and the checksum of each of its clouds as it was written. */
export interface RecordedCloud {
  scan: ScanRecord;
  rows: number;
  crc32s: number[];
}

/** A topic of a recording, as its file declares it. */
export interface RecordedChannel {
  id: number;
  topic: string;
  /** Encoding of its messages: 'cdr', or 'json' in older recordings. */
  encoding: string;
  schemaName: string;
  /** 'ros2msg' or 'jsonschema'. */
  schemaEncoding: string;
  schema: string;
  /** Its last message is for those, too, who subscribe later. */
  isLatched: boolean;
}

/** A message as it was recorded. */
export interface RecordedMessage {
  channelId: number;
  /** Simulated nanoseconds. */
  logTime: bigint;
  data: Uint8Array;
}

export interface RecordingReader {
  readonly header: RecordingHeader;
  readonly channels: readonly RecordedChannel[];
  /** False where the file ends without its footer: everything up to the last complete chunk is there. */
  readonly isComplete: boolean;
  /** Everything in the order of the file: one pass where several topics are read. */
  entries(keepsMisses?: boolean): AsyncIterable<RecordedEntry>;
  /** Everything as it was recorded, in the order of the file. */
  messages(): AsyncIterable<RecordedMessage>;
  scans(): AsyncIterable<RecordedScan>;
  /** As scans; with a row for each pulse without an echo where the recording has them (recordsMisses). */
  pulses(): AsyncIterable<RecordedScan>;
  /** Every scan whose cloud is there, checked and not decoded. */
  clouds(): AsyncIterable<RecordedCloud>;
  ticks(): AsyncIterable<RecordedTick>;
  /** None where the recording is older than them. */
  commands(): AsyncIterable<RecordedCommand>;
  maps(): AsyncIterable<RecordedMap>;
  paths(): AsyncIterable<RecordedPath>;
  /** None where nothing moves. */
  objects(): AsyncIterable<RecordedObjects>;
  close(): Promise<void>;
}

/** An instant of a recording. */
export interface RecordedSnapshot {
  /** The last tick that ended by then. */
  tick: RecordedTick;
  /** shownPointColumns (contract/host/shownPoints.ts): a share of the scans that ended with the tick. */
  columns: Columns;
  /** Returns of these scans in all. */
  returns: number;
  /** The last by then; null where there is none, or only the one that was not to be read again. */
  map: RecordedMap | null;
  path: RecordedPath | null;
}

/** A recording that is looked at here and there, never as a whole. */
export interface RecordingSnapshots {
  readonly isComplete: boolean;
  /** Time of the last tick. */
  readonly lastTimeNs: number;
  /**
   * Null before the first tick.
   * @param options.mapUnlessNs time of the cost map that the caller has already; so for the path
   */
  at(
    timeNs: number,
    options: { maxPoints: number; mapUnlessNs?: number; pathUnlessNs?: number },
  ): Promise<RecordedSnapshot | null>;
  /** A share of the scans that ended with a tick, without all that an instant has besides. */
  scans(tick: { tick: number; timeNs: number }, maxPoints: number): Promise<Columns>;
  /** Every cost map, in turn: no cloud is read for it. */
  maps(): AsyncIterable<RecordedMap>;
  /** Every planned path, so too. */
  paths(): AsyncIterable<RecordedPath>;
  close(): Promise<void>;
}

/** Contents of a recording that now has its end. */
export interface Recovered {
  scans: number;
  lastTimeNs: number;
  bytes: number;
  /** False: it was cut off, and has been closed. */
  wasComplete: boolean;
}

/** The records of a recording's ticks and scans, read as a whole; a scan's points where they are asked for. */
export interface RecordingMetadata {
  readonly header: RecordingHeader;
  /** In the order of the file; a few numbers each. */
  readonly ticks: readonly TickRecord[];
  /** Those whose points are there. */
  readonly scans: readonly ScanRecord[];
  /** @throws UnderstoryError 'corrupt' where its points are damaged */
  scan(record: ScanRecord): Promise<RecordedScan>;
  close(): Promise<void>;
}

/** A recording as it was checked. */
export interface CheckedRecording {
  /** Hash of the scenario in its head. */
  scenarioHash: string;
  /** False: it was cut off. */
  isComplete: boolean;
  /** The first damage; null: none was found. */
  fault: { expected: string; found: string } | null;
  /** It was cut off, and closing it leaves out no whole chunk. Not known, and true, after a quick check. */
  isClosable: boolean;
  /** Ticks and scans that are whole; null: a quick check of a recording that was cut off. */
  counts: { ticks: number; scans: number } | null;
  /** In the order of the file; null after a quick check. */
  contents: { ticks: readonly number[]; scans: readonly ScanRecord[] } | null;
}

export type CheckRecording = (
  file: string,
  options: {
    /** Only head and summary are read. */
    isQuick: boolean;
    signal: AbortSignal;
    /** Called with the size of each part that was read. */
    onBytes: (bytes: number) => void;
  },
) => Promise<CheckedRecording>;

/** Recordings by absolute file name. */
export interface Recordings {
  /** @param clouds left out: those that the scenario asks for */
  create(
    file: string,
    header: RecordingHeader,
    clouds?: readonly CloudKind[],
  ): Promise<RecordingWriter>;
  /** As RecordingWriter.packings, for a recording that is not written. */
  packings(compiled: CompiledScenario): RecordingWriter['packings'];
  /** @param growth for a recording that is being written: it may not exist yet, and passes wait for more of it */
  open(file: string, growth?: Growth): Promise<RecordingReader>;
  openSnapshots(file: string): Promise<RecordingSnapshots>;
  /** Closes an interrupted recording properly, keeping every complete chunk. */
  recover(file: string): Promise<Recovered>;
  openMetadata(file: string): Promise<RecordingMetadata>;
  /**
   * Reads every byte and changes none. @throws UnderstoryError 'corrupt' for a file without a whole head,
   * 'unsupported' | 'not-found' | 'io' | 'cancelled'
   */
  check: CheckRecording;
  /** The text of the document in its head, as it is stored. */
  headText(file: string): Promise<string>;
}
