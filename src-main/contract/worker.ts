// The native worker's methods: bodies of calls and replies, and the columns that go with them.
// PROTOCOL.md gives the frames, recipe.ts the scene and sensor documents.
import type { ReturnColumnName } from './columns.ts';
import type { SceneRecipe, SensorRecipe } from './recipe.ts';

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
 * object_returns u32: how many returns each instance gave, by id, zero left out.
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
  /** Worker wall time of pulses, rays and returns. */
  traceSeconds: number;
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
