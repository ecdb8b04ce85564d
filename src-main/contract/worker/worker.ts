// The native worker's methods: bodies of calls, chunks and replies, and the columns that go with them; workerMethods.ts
// lists them. PROTOCOL.md gives the frames, recipe.ts the scene and sensor documents, sensorDescription.ts and
// workerBench.ts the methods sensor.describe and bench.*.
import { z } from 'zod';
import { returnColumnNames, type ReturnColumnName } from '../columns.ts';
import { sceneRecipeSchema } from './recipe.ts';
import { sensorRecipeSchema } from './sensorRecipe.ts';
import { packedRecordSchema, rowTemplateSchema } from './rowTemplate.ts';
import { tickMapSchema } from './tickMap.ts';

const whole = z.int().nonnegative();
const number = z.number();
const vector3 = z.tuple([number, number, number]);
const returnColumnName = z.enum(returnColumnNames as [ReturnColumnName, ...ReturnColumnName[]]);

/** Kernel instruction sets, from the oldest to the newest. */
export const isas = ['sse4.2', 'avx', 'avx2', 'avx512'] as const;
export type Isa = (typeof isas)[number];

export const noRequestSchema = z.strictObject({});

/** The reply to `hello`. */
export const helloSchema = z.strictObject({
  worker: z.string(),
  version: z.string(),
  embree: z.string(),
  engine: z.string().describe("hash of the worker's sources, compiler and flags, hex"),
  learner: z
    .string()
    .default('')
    .describe(
      'hash of the engine and of the sources that learn and judge models, hex; empty: an older worker',
    ),
  isa: z.enum(isas).describe("kernel instruction set in use: part of a run's identity"),
  reciprocals: z
    .string()
    .describe("hash of the processor's approximate reciprocals, which Embree divides by, hex"),
  threads: whole,
});
export type WorkerHello = z.output<typeof helloSchema>;

/** `scene.plan` and `scene.build`, with the column heights; progress { phase, done, total }. */
export const sceneRequestSchema = z.strictObject({
  recipe: sceneRecipeSchema,
  memoryLimitBytes: whole.describe(
    "most bytes of the built scene; the worker refuses with 'scene-too-large' above it",
  ),
});
export type SceneRequest = z.output<typeof sceneRequestSchema>;

const foliageSchema = z.strictObject({
  leafAreaM2: number.describe('one-sided'),
  crownVolumeM3: number.describe('sum over the layers of crownAreaM2 times height'),
  crownAreaM2: number.describe('of the convex hull of all leaves, seen from above'),
  leafAreaIndex: number.describe('leafAreaM2 / crownAreaM2'),
  layers: z
    .array(
      z.strictObject({
        fromM: number,
        toM: number,
        crownAreaM2: number.describe('of the convex hull of the leaves in the layer, from above'),
        leafAreaM2: number,
        m2PerM3: number.describe('leaf area density in the crown of the layer'),
      }),
    )
    .describe('20 of one height, from the lowest leaf to the highest'),
  angleShares: z
    .array(number)
    .describe('of the leaf area, by the angle between normal and vertical in steps of 10°'),
  projections: z
    .array(z.tuple([number, number]))
    .describe(
      '[zenith angle of a beam in degrees, G]: area shown to the beam as a share of the leaf area, in the mean over azimuths',
    ),
});
export type FoliageSummary = z.output<typeof foliageSchema>;

const modelSummarySchema = z.strictObject({
  name: z.string(),
  vertices: whole,
  triangles: whole,
  degenerate: whole.describe('triangles of the source without area, dropped'),
  nonPlanar: whole.describe(
    'polygons of the source whose corners lie off one plane by more than a thousandth of their extent',
  ),
  selfIntersecting: whole.describe('polygons of the source whose edges cross'),
  instances: whole,
  memoryBytes: whole,
  minM: vector3,
  maxM: vector3,
  footprintM: z
    .array(z.tuple([number, number]))
    .nullable()
    .describe(
      'convex outline, counter-clockwise, of what stops a vehicle between 0.1 and 1.5 m; null: nothing',
    ),
  blades: whole.describe('grass patches only: blades in one; otherwise 0'),
  elements: whole.describe(
    'of learned models volume elements and points, of voxel models voxels with leaves; otherwise 0',
  ),
  learnedSensor: z
    .strictObject({
      id: z.string(),
      detection: z
        .strictObject({
          reflectance: number,
          rangeM: number,
          probability: number,
          falseAlarmsPerPulse: number,
        })
        .nullable(),
    })
    .nullable()
    .describe('learned models only: the sensor of their logs; null: it is not known'),
  learnedCrs: z
    .string()
    .nullable()
    .describe(
      'learned models only: the coordinate reference system of their logs; null: not known',
    ),
  foliage: foliageSchema
    .nullable()
    .describe('plants whose leaves have a material of their own; otherwise null'),
});
export type ModelSummary = z.output<typeof modelSummarySchema>;

/** The reply to `scene.plan` and `scene.build`. */
export const sceneSummarySchema = z.strictObject({
  instancedTriangles: whole,
  uniqueTriangles: whole,
  degenerateTriangles: whole,
  instances: whole,
  models: z.array(modelSummarySchema),
  scatters: z
    .array(z.strictObject({ name: z.string(), requested: whole, placed: whole }))
    .describe('copies; fewer are placed where the area has no room at the spacing'),
  minM: vector3,
  maxM: vector3,
  memoryBytes: whole,
  sceneHash: z
    .string()
    .describe("xxh3 of all triangles, materials and instances, hex: the scene's identity"),
  buildSeconds: number.describe('scene.build only, otherwise 0'),
});
export type SceneSummary = z.output<typeof sceneSummarySchema>;

/** `scene.instances`: rows fromRow and following, maxRows at most. */
export const instancesRequestSchema = z.strictObject({
  fromRow: whole,
  maxRows: z.int().min(1),
});

/** `scene.plants`: column `instance_id`; a row for each that is a plant of a landscape, in the order asked for. */
export const plantsRequestColumns = { instance_id: 'u32' } as const;

export const instancesReplySchema = z.strictObject({
  total: whole.describe('instances of the scene in all, plants of landscapes not among them'),
});

/** The columns of `scene.instances`, in order of id, and of `scene.plants`: one row an instance. worldFromModel; min and max: the box in the world. */
export const instanceColumns = {
  instance_id: 'u32',
  model_id: 'u16',
  class_id: 'u16',
  x_m: 'f64',
  y_m: 'f64',
  z_m: 'f64',
  qx: 'f64',
  qy: 'f64',
  qz: 'f64',
  qw: 'f64',
  scale: 'f64',
  min_x_m: 'f32',
  min_y_m: 'f32',
  min_z_m: 'f32',
  max_x_m: 'f32',
  max_y_m: 'f32',
  max_z_m: 'f32',
} as const;

export const instanceColumnNames = Object.keys(instanceColumns) as (keyof typeof instanceColumns)[];

/** `scene.heightAt`: the highest surface at a place, ground included, as a ray from above meets it, or the ground below it. */
export const heightRequestSchema = z.strictObject({
  xM: number,
  yM: number,
  ofGround: z.boolean().describe('only where the scene has a ground'),
});
export type HeightRequest = z.output<typeof heightRequestSchema>;

export const heightReplySchema = z.strictObject({
  heightM: number.nullable().describe('null: there is nothing'),
});

/**
 * `scene.mesh`: a model of the scene that is built, as it is or at a level of detail. At each level every material
 * keeps its area, within a few per cent; the bounds are not exceeded.
 */
export const meshRequestSchema = z.strictObject({
  model: whole.describe('index in SceneRecipe.models'),
  maxTriangles: z.int().min(50).describe('a model that has no more comes whole'),
});
export type MeshRequest = z.output<typeof meshRequestSchema>;

export const meshReplySchema = z.strictObject({
  triangles: whole,
  isWhole: z.boolean().describe('no triangle of the model is left out'),
});
export type MeshReply = z.output<typeof meshReplySchema>;

/** `position`: 3 a vertex, metres in the model's frame; `index`: 3 a triangle; `material`: one a triangle. */
export const meshColumns = { position: 'f32', index: 'u32', material: 'u16' } as const;

/** worldFromSensor; times strictly increasing, held before the first and after the last. */
export const trajectoryColumns = {
  time_ns: 'i64',
  x_m: 'f64',
  y_m: 'f64',
  z_m: 'f64',
  qx: 'f64',
  qy: 'f64',
  qz: 'f64',
  qw: 'f64',
} as const;

/**
 * Beside a trajectory where they are needed; poses are seven numbers: x, y, z, qx, qy, qz, qw. `mount`: one pose,
 * platformFromSensor; the trajectory is the platform's then. `reported`: the poses that the platform's navigation
 * reports at the times of the trajectory; points are computed from them, pulses are traced from the true ones.
 */
export const platformColumns = { mount: 'f64', reported: 'f64' } as const;

/** Largest chunk of a scan. */
export const maxChunkPulses = 1 << 20;
/** Largest sample of a scan. */
export const maxSampleRows = 1 << 24;

const sampleSchema = z.strictObject({
  columns: z.array(returnColumnName),
  maxRows: z.int().min(1).max(maxSampleRows),
});

const pulses = {
  sensor: sensorRecipeSchema,
  motions: z
    .int()
    .min(1)
    .max(65535)
    .exactOptional()
    .describe("the scene's motions, whose steps come along (motions.ts); left out: none"),
  fromNs: z.int().describe('pulses with fromNs <= time < toNs'),
  toNs: z.int(),
  seed: whole,
  chunkPulses: z
    .int()
    .min(1)
    .max(maxChunkPulses)
    .exactOptional()
    .describe('most pulses in one chunk; never changes a byte of the columns'),
};
const interval = {
  ...pulses,
  misses: z.boolean().describe('also one row for each pulse without an echo'),
};

/**
 * `scan`, with the trajectory as columns: chunks with the columns asked for, then ScanReply with how many returns
 * each instance gave, by id, zero left out; where asked for also `packed` (zstd frames), and sample_NAME for each
 * column of the sample.
 */
export const scanRequestSchema = z.strictObject({
  ...interval,
  columns: z.array(returnColumnName),
  hashColumns: z
    .array(returnColumnName)
    .exactOptional()
    .describe('the columns that the hash is over; left out: `columns`'),
  packed: z
    .array(rowTemplateSchema)
    .max(8)
    .exactOptional()
    .describe('all rows packed into a record for each, which come with the reply'),
  sample: sampleSchema
    .exactOptional()
    .describe('every n-th row, n being the smallest power of two for at most `maxRows`'),
  map: tickMapSchema
    .exactOptional()
    .describe(
      "returns go into the map of a drive (tickMap.ts); fails with 'not-found' where the worker lacks what came before",
    ),
});
export type ScanRequest = z.output<typeof scanRequestSchema>;

export const rowsChunkSchema = z.strictObject({ rows: whole });

export const scanReplySchema = z.strictObject({
  pulses: whole,
  rays: whole,
  hits: whole.describe('rays that met something within the range limits'),
  rows: whole.describe('rows sent'),
  returns: whole,
  hash: z
    .string()
    .describe(
      'xxh3 over the bytes of each column in order of the request, hex; chunk sizes do not enter',
    ),
  packed: z.array(packedRecordSchema).exactOptional().describe('those that were asked for'),
  traceSeconds: number.describe('worker wall time of pulses, rays and returns'),
  writeSeconds: number.describe('processor time of the thread that takes rows in order'),
  peakRssBytes: whole,
});
export type ScanReply = z.output<typeof scanReplySchema>;

/** `scan.rays`: every ray, hit by hit; a ray without a hit has one row. */
export const raysRequestSchema = z.strictObject(pulses);
export type RaysRequest = z.output<typeof raysRequestSchema>;

/** `scan.waveforms`: as `scan`, with columns of its own. */
export const intervalRequestSchema = z.strictObject(interval);
export type IntervalRequest = z.output<typeof intervalRequestSchema>;

/** The end of `scan.rays`, whose chunks end at chunkPulses or 262,144 rows. */
export const rayReplySchema = z.strictObject({
  pulses: whole,
  rays: whole,
  rows: whole.describe('rows sent'),
  peakRssBytes: whole,
});
export type RayReply = z.output<typeof rayReplySchema>;

/** Largest waveform of one pulse: a sensor with more bins is refused. */
export const maxWaveformBins = 8 * 1024 * 1024;

/**
 * Chunks of `scan.waveforms`. A bin holds the energy of a pulse, the whole beam's being 1, that the receiver sampled
 * in it: share of the beam times intensity, spread as the emitted pulse is. Only for sensors with `returns.waveform`;
 * pulses without signal come as zeros, with `misses`.
 */
export const waveformBinsSchema = z.strictObject({
  binsPerPulse: whole,
  binM: number.describe('length of a bin in range: c · binNs / 2'),
});
export type WaveformBins = z.output<typeof waveformBinsSchema>;

/** `first_range_m`: lower edge of the pulse's first bin; `bins`: binsPerPulse for each pulse. */
export const waveformColumns = {
  pulse: 'u64',
  time_ns: 'i64',
  first_range_m: 'f32',
  bins: 'f32',
} as const;

export const waveformReplySchema = z.strictObject({
  pulses: whole,
  rows: whole.describe('pulses sent'),
  ...waveformBinsSchema.shape,
  peakRssBytes: whole,
});
export type WaveformReply = z.output<typeof waveformReplySchema>;

/** `render`: an image of the scene; column rgb: 3 * width * height, rows from the top. */
export const renderRequestSchema = z.strictObject({
  positionM: vector3,
  yawRad: number.describe('REP-103: counter-clockwise from x'),
  pitchRad: number.describe('positive down'),
  verticalFovRad: number,
  widthPx: z.int().min(1).max(16384),
  heightPx: z.int().min(1).max(16384),
  samplesPerPixel: z.int().min(1).max(4096),
  orthographicHeightM: z
    .number()
    .nonnegative()
    .exactOptional()
    .describe('whole-frame orthographic view of this height instead of a perspective, above 0'),
});
export type RenderRequest = z.output<typeof renderRequestSchema>;

/** Body of `progress`. */
export const progressSchema = z.strictObject({ phase: z.string(), done: whole, total: whole });
export type Progress = z.output<typeof progressSchema>;

/** Every object of the requests above by the name that the native reader has for its fields. */
export const requestObjects = {
  sceneRequest: sceneRequestSchema,
  instancesRequest: instancesRequestSchema,
  heightRequest: heightRequestSchema,
  meshRequest: meshRequestSchema,
  raysRequest: raysRequestSchema,
  intervalRequest: intervalRequestSchema,
  scanRequest: scanRequestSchema,
  sample: sampleSchema,
  renderRequest: renderRequestSchema,
} as const;
