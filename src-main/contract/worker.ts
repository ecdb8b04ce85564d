// The native worker's methods: bodies of calls and replies, and the columns that go with them.
// PROTOCOL.md gives the frames, recipe.ts the scene and sensor documents, workerBench.ts the methods bench.*.
import type { ReturnColumnName } from './columns.ts';
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

/**
 * `scene.instances`: {} -> {} with one row an instance, in order of id:
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

/**
 * `sensor.describe`: DescribeRequest -> SensorDescription, with SensorDescriptionColumns. The sensor as it is
 * simulated, without a scene: the only source of directions and footprints outside of a scan.
 */
export interface DescribeRequest {
  sensor: SensorRecipe;
  /** At which the spot is measured; left out: 10. */
  rangeM?: number;
  /** Of rays that differ from pulse to pulse, and of the lasers' biases; left out: 0. */
  seed?: number;
  /** How many pulses' rays, from pulse 0 on, at most 2^20 rays together; left out: 1. */
  beamPulses?: number;
}

/** Weighted, of offsets on the plane 1 m ahead of the sensor; second moments about the beam's axis. */
export interface BeamMoments {
  /** Sum of weights. */
  weight: number;
  left: number;
  up: number;
  leftSquared: number;
  upSquared: number;
  leftUp: number;
}

export interface SensorDescription {
  raysPerPulse: number;
  /** Whether pulses differ in their rays: random or dithered. */
  differsByPulse: boolean;
  /** Of the rays in the columns; of several pulses the mean. */
  beam: BeamMoments;
  /** Of the whole spot that they stand for: of a stencil, a uniformly lit one. */
  profile: BeamMoments;
  pulsesPerSecond: number;
  /** Of a revolution, scan or image; a mean, because revolutions need not hold a whole number. */
  pulsesPerScan: number;
  /** Whether the columns hold all pulses of the first scan: they stop before the slot that passes 200,000. */
  isWholeScan: boolean;
  rangeM: number;
  /** Full axes of the spot at rangeM, 2·R·tan(γ/2); of a Gaussian beam those of 1/e² irradiance. */
  spotM: { width: number; height: number };
}

/** The columns that come with it: one row a ray, a pulse of the first scan, a laser. */
export const sensorDescriptionColumns = {
  /** Offsets on the plane 1 m ahead, towards the left of the axis and up; pulse by pulse. */
  ray_left: Float64Array,
  ray_up: Float64Array,
  /** Sums to 1 over a pulse. */
  ray_weight: Float64Array,
  /** Pulses by number. Ring: rank of the laser by elevation, from 0. */
  pulse_ring: Uint16Array,
  /** Simulated time, phase and firing offset included. */
  pulse_time_ns: BigInt64Array,
  /** Axis in the sensor's frame: (cos e·cos a, cos e·sin a, sin e). Without pointing error. */
  pulse_azimuth_rad: Float64Array,
  pulse_elevation_rad: Float64Array,
  /** As the sensor reports it: in steps of its encoder. */
  pulse_reported_azimuth_rad: Float64Array,
  /** Lasers by ring. */
  laser_ring: Uint16Array,
  /** With a mirror: of the emitter; of an image: of the middle of the pixels' row. */
  laser_elevation_rad: Float64Array,
  laser_azimuth_offset_rad: Float64Array,
  laser_firing_offset_ns: BigInt64Array,
  /** Constant error of each laser, drawn once (noise.laserBiasSigmaM). */
  laser_range_bias_m: Float64Array,
} as const;

export type SensorDescriptionColumns = {
  [Name in keyof typeof sensorDescriptionColumns]: InstanceType<
    (typeof sensorDescriptionColumns)[Name]
  >;
};

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
