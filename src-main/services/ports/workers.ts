// Native workers as the services see them: supervised, asked one call at a time.
import type { Trajectory } from '#domain/trajectory/trajectory.ts';
import type { Arrays, RayTable, ReturnTable } from '#contract/columns.ts';
import type {
  CompareReply,
  CompareRequest,
  EvaluateReply,
  EvaluateRequest,
  evaluationColumns,
} from '#contract/worker/evaluate.ts';
import type { LearnReply, LearnRequest } from '#contract/worker/learn.ts';
import type {
  cloudColumns,
  CloudReply,
  CloudRequest,
  ElementsChunk,
  elementsColumns,
  ElementsReply,
  ElementsRequest,
  PlaceReply,
  PlaceRequest,
  sampleColumns,
  SampleReply,
  SampleRequest,
} from '#contract/worker/learnedViews.ts';
import type { groundColumns, GroundReply } from '#contract/worker/learnedGround.ts';
import type { signalColumns, SignalRequest } from '#contract/worker/pulseSignal.ts';
import type { PackedRecord, RowTemplate } from '#contract/worker/rowTemplate.ts';
import type {
  DescribeRequest,
  SensorDescription,
  SensorDescriptionColumns,
} from '#contract/worker/sensorDescription.ts';
import type {
  HeightRequest,
  IntervalRequest,
  RaysRequest,
  Isa,
  MeshReply,
  MeshRequest,
  Progress,
  RayReply,
  RenderRequest,
  ScanReply,
  ScanRequest,
  SceneRequest,
  SceneSummary,
  WaveformBins,
  WaveformReply,
  WorkerHello,
  instanceColumns,
} from '#contract/worker/worker.ts';
import type {
  BenchNativeReply,
  BenchRawReply,
  BenchRawRequest,
} from '#contract/worker/workerBench.ts';

export interface WorkerLauncher {
  /**
   * Starts a supervised worker. With `ranks` it is an MPI program of so many processes, each with `threads` (null: one),
   * which is not brought back: a lost rank ends the call. @throws 'worker-lost' | 'unsupported'
   */
  open(options: {
    isa: Isa | null;
    threads: number | null;
    ranks?: number | null;
  }): Promise<ScanWorker>;
}

export interface WorkerCallOptions {
  signal?: AbortSignal;
  onProgress?: (progress: Progress) => void;
}

/** Options of a view: its chunks go to `onChunk`, in order. */
export interface ViewOptions<C, B = { rows: number }> extends WorkerCallOptions {
  onChunk: (columns: C, body: B) => void | Promise<void>;
}

/** Rows fromRow and following of the `total` instances of a scene. */
export interface InstanceSlice {
  fromRow: number;
  total: number;
  columns: Arrays<typeof instanceColumns>;
}

/** Triangles of a model, in its own frame. */
export interface ModelMesh extends MeshReply {
  /** x, y, z of each vertex in metres. */
  position: Float32Array;
  /** Three corners a triangle. */
  index: Uint32Array;
  /** One a triangle. */
  material: Uint16Array;
}

/** A request to pack rows: the worker's template, with the bytes before and after the rows. */
export interface RowPacking {
  template: Omit<RowTemplate, 'beforeBytes' | 'afterBytes'>;
  before: Uint8Array;
  after: Uint8Array;
  /** With a grid: what its cells hold without a return, for each of its rows. */
  blank?: Uint8Array;
}

/** All rows of a scan as one record; `frame` is the record compressed, one zstd frame. */
export interface PackedRows extends Omit<PackedRecord, 'frameBytes'> {
  frame: Uint8Array;
}

/** Waveforms of some pulses, in order of their numbers. */
export interface Waveforms extends WaveformBins {
  pulse: BigUint64Array;
  timeNs: BigInt64Array;
  /** Lower edge of each pulse's first bin. */
  firstRangeM: Float32Array;
  /** Pulse by pulse, binsPerPulse each. */
  bins: Float32Array;
}

/** Heights and obstacles of learned surfaces. */
export interface LearnedGround extends GroundReply {
  values: Arrays<typeof groundColumns>;
}

/** One pulse explained: hits, echoes and returns of each mode (contract/worker/pulseSignal.ts). */
export interface ExplainedPulse {
  seenHits: number;
  lostHits: number;
  columns: Arrays<typeof signalColumns>;
}

/** A model judged, with points of the log and of the model for drawings. */
export interface Evaluation {
  metrics: EvaluateReply;
  points: Arrays<typeof evaluationColumns>;
}

export interface ScanResult extends Omit<ScanReply, 'packed'> {
  objectId: Uint32Array;
  objectReturns: Uint32Array;
  /** One for each packing that was asked for. */
  packed: PackedRows[];
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
  /**
   * The columns of worker.ts instanceColumns in slices of at most 65,536 rows, in order; at least one, which may
   * be empty.
   */
  instanceSlices(take: (slice: InstanceSlice) => void | Promise<void>): Promise<void>;
  /** Height of the highest surface at a place, in metres; null: there is nothing. */
  heightAt(request: HeightRequest, options?: WorkerCallOptions): Promise<number | null>;
  /** A model of the scene, whole or at a level of detail. */
  mesh(request: MeshRequest, options?: WorkerCallOptions): Promise<ModelMesh>;
  /** The ground and the obstacles that surfaces of learned models are; none without learned models. */
  ground(options?: WorkerCallOptions): Promise<LearnedGround>;
  /** Needs no scene. @throws 'bad-input' where the sensor is not sound. */
  describeSensor(
    request: DescribeRequest,
    options?: WorkerCallOptions,
  ): Promise<{ description: SensorDescription; columns: SensorDescriptionColumns }>;
  /** With `packings`, rows are packed as well; `request.packed` is taken from them. */
  scan(
    request: Omit<ScanRequest, 'packed'>,
    trajectory: Trajectory,
    options: WorkerCallOptions & {
      onChunk: (table: ReturnTable, rows: number) => void | Promise<void>;
      packings?: readonly RowPacking[];
    },
  ): Promise<ScanResult>;
  /** Every ray's hits, by pulse, ray and hit; a ray that met nothing has one row. */
  scanRays(
    request: RaysRequest,
    trajectory: Trajectory,
    options: WorkerCallOptions & { onChunk: (rays: RayTable) => void | Promise<void> },
  ): Promise<RayReply>;
  /** The receiver's samples of each pulse. @throws 'bad-input' for a sensor without waveform */
  scanWaveforms(
    request: IntervalRequest,
    trajectory: Trajectory,
    options: WorkerCallOptions & { onChunk: (waveforms: Waveforms) => void | Promise<void> },
  ): Promise<WaveformReply>;
  /** @throws 'not-found' where the interval has no pulse of that number */
  explainPulse(
    request: SignalRequest,
    trajectory: Trajectory,
    options?: WorkerCallOptions,
  ): Promise<ExplainedPulse>;
  /** One timed pass of the pipeline; nothing is sent. */
  benchNative(
    request: ScanRequest,
    trajectory: Trajectory,
    options?: WorkerCallOptions,
  ): Promise<BenchNativeReply>;
  /** One timed pass of Embree alone for each variant of packing the same rays. */
  benchRaw(
    request: BenchRawRequest,
    trajectory: Trajectory,
    options?: WorkerCallOptions,
  ): Promise<BenchRawReply>;
  /** Needs no scene. @throws 'scene-too-large' | 'bad-input' | 'corrupt' for logs that it refuses */
  learn(request: LearnRequest, options?: WorkerCallOptions): Promise<LearnReply>;
  /** Needs no scene. @throws as learn */
  evaluate(request: EvaluateRequest, options?: WorkerCallOptions): Promise<Evaluation>;
  /** Needs no scene. @throws as learn */
  compare(request: CompareRequest, options?: WorkerCallOptions): Promise<CompareReply>;
  /** Returns of a log, thinned. Needs no scene, like the other views. @throws as learn */
  logCloud(
    request: CloudRequest,
    options: ViewOptions<Arrays<typeof cloudColumns>>,
  ): Promise<CloudReply>;
  /** Elements, triangles and points of a learned model, thinned. @throws as learn */
  modelElements(
    request: ElementsRequest,
    options: ViewOptions<Partial<Arrays<typeof elementsColumns>>, ElementsChunk>,
  ): Promise<ElementsReply>;
  /** Returns of a model for beams of a log, thinned. @throws as learn */
  modelSample(
    request: SampleRequest,
    options: ViewOptions<Arrays<typeof sampleColumns>>,
  ): Promise<SampleReply>;
  /** Ranges of the beams that pass a place, in the log and in models. @throws as learn */
  rangesAtPlace(
    request: PlaceRequest,
    options?: WorkerCallOptions,
  ): Promise<PlaceReply & { counts: Uint32Array }>;
  render(request: RenderRequest, options?: WorkerCallOptions): Promise<Uint8Array>;
  readonly peakRssBytes: number;
  /** Process id of the live process: its memory and time are measured by it. */
  readonly pid: number;
  dispose(): Promise<void>;
}
