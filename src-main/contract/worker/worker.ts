// The native worker's methods: bodies of calls and replies, and the columns that go with them.
// PROTOCOL.md gives the frames, recipe.ts the scene and sensor documents, sensorDescription.ts
// and workerBench.ts the methods sensor.describe and bench.*.
import type { ReturnColumnName } from '../columns.ts';
import type { SceneRecipe, SensorRecipe } from './recipe.ts';
import type { PackedRecord, RowTemplate } from './rowTemplate.ts';

/** `hello`: {} -> */
export interface WorkerHello {
  worker: string;
  version: string;
  embree: string;
  /** Kernel instruction set in use: part of a run's identity. */
  isa: Isa;
  threads: number;
}

/** Kernel instruction sets, from the oldest to the newest. */
export const isas = ['sse4.2', 'avx', 'avx2', 'avx512'] as const;
export type Isa = (typeof isas)[number];

/** `scene.plan` and `scene.build`: SceneRequest -> SceneSummary; progress { phase, done, total }. */
export interface SceneRequest {
  recipe: SceneRecipe;
  /** Most bytes the built scene may take; the worker refuses with 'scene-too-large' above it. */
  memoryLimitBytes: number;
}

export interface ModelSummary {
  name: string;
  vertices: number;
  triangles: number;
  /** Triangles of the source without area, dropped. */
  degenerate: number;
  instances: number;
  memoryBytes: number;
  minM: [number, number, number];
  maxM: [number, number, number];
  /** Convex outline, counter-clockwise, of what stops a vehicle between 0.1 and 1.5 m; null: nothing. */
  footprintM: [number, number][] | null;
  /** Grass patches only: blades in one. Otherwise 0. */
  blades: number;
}

export interface SceneSummary {
  instancedTriangles: number;
  uniqueTriangles: number;
  degenerateTriangles: number;
  instances: number;
  models: ModelSummary[];
  /** Copies asked for and placed; fewer are placed where the area has no room at the spacing. */
  scatters: { name: string; requested: number; placed: number }[];
  minM: [number, number, number];
  maxM: [number, number, number];
  memoryBytes: number;
  /** xxh3 of all triangles, materials and instances, hex: the scene's identity. */
  sceneHash: string;
  /** scene.build only, otherwise 0. */
  buildSeconds: number;
}

/** `scene.instances`: rows fromRow and following, maxRows at most. */
export interface InstancesRequest {
  fromRow: number;
  maxRows: number;
}

/** Instances of the scene in all. */
export interface InstancesReply {
  total: number;
}

/**
 * `scene.instances`: InstancesRequest -> InstancesReply with one row an instance, in order of id:
 * instance_id u32, model_id u16, class_id u16, x_m y_m z_m f64, qx qy qz qw f64, scale f64,
 * min_x_m … max_z_m f32 (world box).
 */
export const instanceColumnNames = [
  'instance_id',
  'model_id',
  'class_id',
  'x_m',
  'y_m',
  'z_m',
  'qx',
  'qy',
  'qz',
  'qw',
  'scale',
  'min_x_m',
  'min_y_m',
  'min_z_m',
  'max_x_m',
  'max_y_m',
  'max_z_m',
] as const;

/**
 * `scene.mesh`: MeshRequest -> MeshReply with the columns position f32 (3 a vertex, metres in the model's frame), index
 * u32 (3 a triangle) and material u16 (one a triangle): a model of the scene that is built, as it is or at a level of
 * detail. At each level every material keeps its area, within a few per cent; the bounds are not left.
 */
export interface MeshRequest {
  /** Index in SceneRecipe.models. */
  model: number;
  /** 50 or more; a model that has no more comes whole. */
  mostTriangles: number;
}

export interface MeshReply {
  triangles: number;
  /** No triangle of the model is left out. */
  isWhole: boolean;
}

/**
 * `scan`: ScanRequest with the trajectory as columns (time_ns i64; x_m y_m z_m qx qy qz qw f64:
 * worldFromSensor, times strictly increasing, held before the first and after the last) ->
 * chunks with the columns asked for, then ScanReply with the columns object_id u32 and
 * object_returns u32: how many returns each instance gave, by id, zero left out; where asked for also
 * packed u8 (one zstd frame), and sample_NAME for each column of the sample.
 */
export interface ScanRequest {
  sensor: SensorRecipe;
  /** Pulses with fromNs <= time < toNs. */
  fromNs: number;
  toNs: number;
  seed: number;
  columns: ReturnColumnName[];
  /** Also one row for each pulse without an echo. */
  misses: boolean;
  /** Most pulses in one chunk; never changes a byte of the columns. */
  chunkPulses?: number;
  /** The columns that the hash is over; left out: `columns`. */
  hashColumns?: ReturnColumnName[];
  /** All rows packed into one record, which comes with the reply. */
  packed?: RowTemplate;
  /** Every n-th row, n being the smallest power of two for at most `mostRows`; comes with the reply. */
  sample?: { columns: ReturnColumnName[]; mostRows: number };
}

export interface ScanReply {
  pulses: number;
  rays: number;
  /** Rays that met something within the range limits. */
  hits: number;
  /** Rows sent. */
  rows: number;
  returns: number;
  /** xxh3 over the bytes of each column in order of the request, hex; chunk sizes do not enter. */
  hash: string;
  /** Where it was asked for. */
  packed?: PackedRecord;
  /** Worker wall time of pulses, rays and returns. */
  traceSeconds: number;
  peakRssBytes: number;
}

/**
 * `scan.rays`: RayRequest with the trajectory as columns, as `scan` takes them -> chunks with all of rayColumns, then
 * RayReply. Chunks end at chunkPulses or 262,144 rows.
 */
export interface RayRequest extends ScanRequest {
  /** Rays have columns of their own. */
  columns: [];
}

export interface RayReply {
  pulses: number;
  rays: number;
  /** Rows sent. */
  rows: number;
  peakRssBytes: number;
}

/**
 * `scan.waveforms`: WaveformRequest with the trajectory as columns, as `scan` takes them -> chunks with the columns
 * pulse u64, time_ns i64, first_range_m f32 (lower edge of the pulse's first bin) and bins f32 (binsPerPulse for
 * each pulse), and in their body WaveformBins; then WaveformReply. A bin holds the energy of a pulse, the whole
 * beam's being 1, that the receiver sampled in it: share of the beam times intensity, spread as the emitted
 * pulse is. Only for sensors with `returns.waveform`; pulses without signal come as zeros, with `misses`.
 */
export interface WaveformRequest extends ScanRequest {
  /** Waveforms have columns of their own. */
  columns: [];
}

/** Of one pulse: a sensor with more is refused. */
export const mostWaveformBins = 8 * 1024 * 1024;

export interface WaveformBins {
  binsPerPulse: number;
  /** Length of a bin in range: c · binNs / 2. */
  binM: number;
}

export interface WaveformReply extends WaveformBins {
  pulses: number;
  /** Pulses sent. */
  rows: number;
  peakRssBytes: number;
}

/** `render`: RenderRequest -> {} with column rgb u8 (3 * width * height, rows from the top). */
export interface RenderRequest {
  positionM: [number, number, number];
  /** REP-103: yaw counter-clockwise from x, pitch positive down. */
  yawRad: number;
  pitchRad: number;
  verticalFovRad: number;
  widthPx: number;
  heightPx: number;
  samplesPerPixel: number;
  /** Whole-frame orthographic view of this height in metres instead of a perspective, if given. */
  orthographicHeightM?: number;
}

/** Body of `progress`. */
export interface Progress {
  phase: string;
  done: number;
  total: number;
}
