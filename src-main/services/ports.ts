// What the services need from outside, as interfaces. Each has a real adapter and one small honest
// version for tests. hosts/compose.ts is the only place that constructs the real ones.
import type { Columns, ReturnColumnName, ReturnTable } from '#contract/columns.ts';
import type { ExportFormat } from '#contract/methods.ts';
import type {
  CompiledScenario,
  MapGeometry,
  Pose,
  RunFigures,
  RunOrder,
  RunOutcome,
  RunEnd,
  RunEnding,
  RunFact,
  RunState,
  RunView,
  ScanFacts,
  TickFacts,
} from '#contract/run.ts';
import type { PackedRecord, RowTemplate } from '#contract/rowTemplate.ts';
import type {
  BenchNativeReply,
  BenchRawReply,
  BenchRawRequest,
  Isa,
  Progress,
  RenderRequest,
  ScanReply,
  ScanRequest,
  SceneRequest,
  SceneSummary,
  WorkerHello,
} from '#contract/worker.ts';

export interface Clock {
  /** Wall time in milliseconds since 1970. */
  nowMs(): number;
  /** Monotonic seconds. */
  seconds(): number;
}

export interface Log {
  info(message: string, details?: Record<string, unknown>): void;
  warn(message: string, details?: Record<string, unknown>): void;
  error(message: string, details?: Record<string, unknown>): void;
}

/** Folders of `assets` with documents that have an id. */
export type SampleFolder = 'sensors' | 'scenarios' | 'plants';

/** Reading documents that users write. @throws UnderstoryError 'not-found' | 'io' with the path. */
export interface Files {
  readText(path: string): Promise<string>;
  readBytes(path: string): Promise<Uint8Array>;
  exists(path: string): Promise<boolean>;
  /** Absolute path of `path` seen from the folder of the file `from`. */
  resolveFrom(from: string, path: string): string;
  /** Absolute paths of the files in a folder of assets, sorted. */
  listAssets(folder: SampleFolder): Promise<string[]>;
}

/** The machine the host runs on: what decides whether work fits. */
export interface Machine {
  readonly hostName: string;
  readonly cores: number;
  /** Memory that can be had without swapping. */
  availableMemoryBytes(): number;
  /** Free bytes of the disk that holds `path`, which need not exist yet. */
  freeDiskBytes(path: string): number;
}

/** What the operating system counts for a process: what benchmarks divide by. */
export interface ProcessMeter {
  readonly ownPid: number;
  /** User and system time so far, threads included; NaN where the system does not tell. */
  cpuSeconds(pid: number): number;
  /** Largest resident size so far; NaN where the system does not tell. */
  peakRssBytes(pid: number): number;
}

/** Files that live only as long as the work they are for. */
export interface ScratchFiles {
  /** Hands a free absolute name to `work` and removes the file afterwards. */
  use<T>(extension: string, work: (file: string) => Promise<T>): Promise<T>;
}

/** Where runs lie on disk: one folder for each, moved to the trash and never removed. */
export interface RunFolders {
  readonly dataFolder: string;
  /** Makes the folder of a new run. */
  create(runId: string): RunFiles;
  files(runId: string): RunFiles;
  /** Size of the recording, or null where there is none. */
  recordingBytes(runId: string): number | null;
  moveToTrash(runId: string): void;
}
export interface RunFiles {
  recordingFile: string;
  /** Held by the run process while it lives. */
  lockFile: string;
  /** Held by the host that started the run, while it lives. */
  hostLockFile: string;
}

// --- workers -------------------------------------------------------------------------------------

export interface WorkerPool {
  /** Starts a supervised worker. @throws 'worker-lost' | 'unsupported' */
  open(options: { isa: Isa | null; threads: number | null }): Promise<ScanWorker>;
}

export interface WorkerCallOptions {
  signal?: AbortSignal;
  onProgress?: (progress: Progress) => void;
}

/** Column-wise trajectory of a sensor: worldFromSensor over time. */
export interface Trajectory {
  time_ns: BigInt64Array;
  x_m: Float64Array;
  y_m: Float64Array;
  z_m: Float64Array;
  qx: Float64Array;
  qy: Float64Array;
  qz: Float64Array;
  qw: Float64Array;
}

/** A request to pack rows: the worker's template, with the bytes before and after the rows. */
export interface RowPacking {
  template: RowTemplate;
  before: Uint8Array;
  after: Uint8Array;
}

/** All rows of a scan as one record; `frame` is the record compressed, one zstd frame. */
export interface PackedRows extends PackedRecord {
  frame: Uint8Array;
}

export interface ScanResult extends Omit<ScanReply, 'packed'> {
  objectId: Uint32Array;
  objectReturns: Uint32Array;
  /** Where it was asked for. */
  packed?: PackedRows;
  /** Where it was asked for: the columns of the request's sample. */
  sample?: ReturnTable;
}

/**
 * A supervised native worker. When its process dies it is restarted (with back-off, at most 5 times),
 * its scene is built again and the call under way is asked again; chunks already taken are not repeated.
 */
export interface ScanWorker {
  readonly hello: WorkerHello;
  planScene(
    request: SceneRequest,
    heights: Float32Array,
    options?: WorkerCallOptions,
  ): Promise<SceneSummary>;
  buildScene(
    request: SceneRequest,
    heights: Float32Array,
    options?: WorkerCallOptions,
  ): Promise<SceneSummary>;
  /** The columns of worker.ts instanceColumnNames. */
  instances(): Promise<Columns>;
  /** With `packing`, rows are packed as well; `request.packed` is taken from it. */
  scan(
    request: Omit<ScanRequest, 'packed'>,
    trajectory: Trajectory,
    options: WorkerCallOptions & {
      onChunk: (table: ReturnTable, rows: number) => void | Promise<void>;
      packing?: RowPacking;
    },
  ): Promise<ScanResult>;
  /** One timed pass of the pipeline, nothing handed over. */
  benchNative(
    request: ScanRequest,
    trajectory: Trajectory,
    options?: WorkerCallOptions,
  ): Promise<BenchNativeReply>;
  /** One timed pass of Embree alone for each way of packing the same rays. */
  benchRaw(
    request: BenchRawRequest,
    trajectory: Trajectory,
    options?: WorkerCallOptions,
  ): Promise<BenchRawReply>;
  render(request: RenderRequest, options?: WorkerCallOptions): Promise<Uint8Array>;
  readonly peakRssBytes: number;
  /** Process id of the live process: for tests that kill it. */
  readonly pid: number;
  dispose(): Promise<void>;
}

// --- recordings ----------------------------------------------------------------------------------

/**
 * What stands at the head of a recording: enough to open it, and to simulate it again. Read back, files
 * have lost the folders of the machine that recorded: Catalogue.compiled still names them in full.
 */
export interface RecordingHeader {
  compiled: CompiledScenario;
  heights: Float32Array;
  classes: string[];
  isa: Isa;
  understoryVersion: string;
}

/** Facts about one scan that are recorded beside its points. */
export interface RecordedScan extends ScanFacts {
  /** Any columns; they come back as they were, and range_clean_m as range_m where there is no noise. */
  table: ReturnTable;
  rows: number;
}

/** The same scan where the worker has packed the points, as the writer's `packing` laid down. */
export interface PackedScan extends ScanFacts {
  packed: PackedRows;
  rows: number;
}

export interface RecordedTick extends TickFacts {
  /** worldFromSensor at the end of the tick, by sensor. */
  sensorPoses: Pose[];
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
  scan(scan: RecordedScan): Promise<void>;
  /**
   * How the worker packs a scan with these columns for `packedScan`. Scans of a sensor are packed in the
   * order in which they are asked for here.
   */
  packing(
    scan: Pick<ScanFacts, 'sensor' | 'fromNs' | 'toNs'>,
    columns: readonly ReturnColumnName[],
  ): RowPacking;
  packedScan(scan: PackedScan): Promise<void>;
  tick(tick: RecordedTick): Promise<void>;
  map(map: RecordedMap): Promise<void>;
  path(path: RecordedPath): Promise<void>;
  /** Closes the chunk under way, so that everything so far can be read after a crash. */
  flush(): Promise<void>;
  /** Writes index and footer, fsyncs. */
  close(): Promise<void>;
  readonly bytesWritten: number;
}

/** What a recording holds, by kind. */
export interface RecordedKinds {
  scan: RecordedScan;
  tick: RecordedTick;
  map: RecordedMap;
  path: RecordedPath;
}
export type RecordedEntry = {
  [K in keyof RecordedKinds]: { kind: K; value: RecordedKinds[K] };
}[keyof RecordedKinds];

export interface RecordingReader {
  readonly header: RecordingHeader;
  /** False where the file ends without its footer: everything up to the last complete chunk is there. */
  readonly isComplete: boolean;
  /** Everything in the order of the file: one pass where several things are asked. */
  entries(): AsyncIterable<RecordedEntry>;
  scans(): AsyncIterable<RecordedScan>;
  ticks(): AsyncIterable<RecordedTick>;
  maps(): AsyncIterable<RecordedMap>;
  paths(): AsyncIterable<RecordedPath>;
  close(): Promise<void>;
}

/** Recordings by absolute file name. */
export interface Recordings {
  create(file: string, header: RecordingHeader): Promise<RecordingWriter>;
  open(file: string): Promise<RecordingReader>;
  /** Closes an interrupted recording properly, keeping every complete chunk. */
  recover(file: string): Promise<{ scans: number; lastTimeNs: number; bytes: number }>;
}

export interface ReturnsExporter {
  write(table: ReturnTable, rows: number): Promise<void>;
  /** Ends the file under its final name; what the format cannot hold is named in `leftOut`. */
  close(): Promise<{ files: string[]; points: number; leftOut: string[] }>;
  /** Removes what was written so far. */
  abort(): Promise<void>;
}

export interface Exporters {
  create(
    file: string,
    options: { format: ExportFormat; columns: ReturnColumnName[]; classes: string[] },
  ): Promise<ReturnsExporter>;
}

/** A lock that dies with its process. */
export interface RunLock {
  release(): void;
}
export interface RunLocks {
  /** @throws 'locked' when another live process holds it. */
  acquire(file: string): RunLock;
  isHeld(file: string): boolean;
}

// --- run processes -------------------------------------------------------------------------------

export interface RunProcess {
  /** Ends cleanly on abort: the chunk under way is finished and the recording closed. */
  execute(
    order: RunOrder,
    heights: Float32Array,
    options: {
      signal?: AbortSignal;
      onProgress?: (progress: Progress) => void;
      onFact: (fact: RunFact, columns: Columns) => void | Promise<void>;
      onView?: (view: RunView, columns: Columns) => void;
    },
  ): Promise<RunOutcome>;
  readonly pid: number;
  dispose(): Promise<void>;
}

export interface RunProcesses {
  start(): Promise<RunProcess>;
}

// --- catalogue -----------------------------------------------------------------------------------

export interface RunRow {
  id: string;
  name: string;
  state: RunState;
  createdMs: number;
  endedMs: number | null;
  scenarioHash: string;
  scenarioName: string;
  seed: number;
  /** Ids of the sensors, in the scenario's order. */
  sensors: string[];
  version: string;
  isa: Isa | null;
  hostName: string;
  sceneHash: string | null;
  recordingFile: string;
  end: RunEnd | null;
  figures: RunFigures | null;
  error: string | null;
  deletedMs: number | null;
}

export interface NewRun {
  id: string;
  name: string;
  createdMs: number;
  compiled: CompiledScenario;
  version: string;
  hostName: string;
  recordingFile: string;
  /** What was ordered beside the scenario, to simulate it again. */
  order: Pick<RunOrder, 'seconds' | 'threads' | 'isa'>;
}

export interface InstanceRow {
  id: number;
  name: string;
  class: string;
  model: string;
  pose: Pose;
  scale: number;
  minM: [number, number, number];
  maxM: [number, number, number];
}

export interface ScanRow extends ScanFacts {
  /** Returns by class name. */
  classReturns: Record<string, number>;
}

/** Facts about all runs. Synchronous: each call is one short transaction. */
export interface Catalogue {
  insertRun(run: NewRun): void;
  /** Stores the scene once for its hash and ties the run to it. */
  saveScene(
    runId: string,
    scene: { summary: SceneSummary; isa: Isa; recipe: CompiledScenario['recipe'] },
    instances: Columns,
  ): void;
  addTick(runId: string, tick: TickFacts): void;
  addScan(runId: string, scan: ScanFacts, objectId: Uint32Array, objectReturns: Uint32Array): void;
  endRun(runId: string, end: Omit<RunEnding, 'errorCode'> & { endedMs: number }): void;
  /** Marks a run as interrupted, with what its recording holds. */
  markInterrupted(runId: string, error: string, endedMs: number): void;
  trash(runId: string, deletedMs: number): void;

  run(idOrPrefix: string): RunRow | null;
  runs(filter?: { state?: RunState; withTrash?: boolean; limit?: number }): RunRow[];
  order(runId: string): NewRun['order'];
  compiled(runId: string): CompiledScenario;
  /** What the run's scene came to; null before it was built. */
  sceneSummary(runId: string): SceneSummary | null;
  ticks(runId: string): TickFacts[];
  scans(runId: string): ScanRow[];
  /** Scans in which the named instance (ground cover too) has at least this many returns. */
  scansOfInstance(
    runId: string,
    name: string,
    minReturns: number,
  ): (ScanFacts & { objectReturns: number })[];
  instances(runId: string, filter?: { class?: string; limit?: number }): InstanceRow[];
  dispose(): void;
}
