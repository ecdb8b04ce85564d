// The one list of what a host answers, to a window, a browser or the command line alike: for each method
// the schema of its request (unknown data crosses this line) and the type of its reply.
import { z } from 'zod';
import type { MemoryBench, NavBench, ScalingBench, ScanBench } from './bench.ts';
import { type ColumnSetName, columnSetNames } from './columns.ts';
import { documentRequests, type DocumentReplies } from './documentMethods.ts';
import type { Plant } from './plant.ts';
import type { Problem } from './problems.ts';
import {
  columnName,
  documentText,
  finite,
  poseDeg,
  positive,
  seedNumber,
  vector2,
} from './quantities.ts';
import {
  driveControls,
  type RunEnd,
  type RunEnding,
  type RunFigures,
  type RunState,
  type ScanFacts,
} from './run.ts';
import { runQueryRequests, type RunQueryReplies } from './runQueries.ts';
import { sceneRequests, type SceneReplies } from './sceneMethods.ts';
import type { Validation } from './validation.ts';
import type { SensorRecipe } from './recipe.ts';
import type { Sensor, SensorSummary } from './sensor.ts';
import type { SensorDescription } from './sensorDescription.ts';
import { isas, type SceneSummary } from './worker.ts';

/** Formats in which returns leave for other programs. */
export const exportFormats = ['csv', 'pcd', 'ply'] as const;
export type ExportFormat = (typeof exportFormats)[number];

const isa = z.enum(isas).optional();
const seed = seedNumber.optional();
const threads = z.int().min(1).max(1024).optional();
const runId = z.string().min(1).describe('id of a run, or a prefix that only one run has');
const speed = positive
  .max(1000)
  .nullable()
  .describe('simulated seconds a second at most; null: as fast as it can');
const repeats = z.int().min(1).max(100).default(7);
const objects = z
  .array(z.string().min(1))
  .min(1)
  .optional()
  .describe('names, or patterns with *; default: all');
const poseInterval = {
  objects,
  fromS: finite.nonnegative().optional(),
  toS: finite.nonnegative().optional().describe('included'),
  stepS: positive.min(1e-9).optional(),
};

/** Requests by method. `scenario` and `sensor` are a file or the id of a sample. */
export const requests = {
  'host.info': z.strictObject({}),
  'scenario.list': z.strictObject({}),
  'scenario.check': z.strictObject({ scenario: z.string() }),
  'scenario.plan': z.strictObject({ scenario: z.string(), text: documentText.optional(), seed }),
  'scenario.poses': z.strictObject({
    scenario: z.string(),
    seed,
    ...poseInterval,
  }),
  'sensor.list': z.strictObject({}),
  'sensor.check': z.strictObject({ sensor: z.string() }),
  'sensor.show': z.strictObject({
    sensor: z.string(),
    text: documentText.optional().describe("instead of the file's contents"),
    rateHz: positive.optional(),
    mode: z.string().optional(),
    rangeM: positive.default(10).describe('at which the spot is measured'),
    seed: seedNumber.default(1).describe('of rays that are drawn, and of the biases of lasers'),
  }),
  ...sceneRequests,
  'plant.list': z.strictObject({}),
  ...documentRequests,
  'scan.start': z.strictObject({
    scenario: z.string(),
    sensor: z.string(),
    rateHz: positive.optional(),
    mode: z.string().optional(),
    pose: poseDeg,
    seconds: positive,
    seed,
    columns: z.array(columnName).min(1).optional().describe('default: those of a CSV file'),
    misses: z.boolean().default(false),
    out: z
      .string()
      .min(1)
      .optional()
      .describe('absolute file on the host, .csv .pcd .ply or .mcap: no chunks are sent then'),
    rays: z
      .string()
      .min(1)
      .optional()
      .describe('absolute file on the host, .csv or .npz: the rays, hit by hit'),
    waveforms: z
      .string()
      .min(1)
      .optional()
      .describe('absolute file on the host, .npz: what the receiver sampled'),
    threads,
    isa,
  }),
  'render.start': z.strictObject({
    scenario: z.string(),
    seed,
    camera: poseDeg,
    widthPx: z.int().min(8).max(8192).default(1280),
    heightPx: z.int().min(8).max(8192).default(720),
    verticalFovDeg: positive.max(170).default(50),
    samplesPerPixel: z.int().min(1).max(256).default(4),
    orthographicHeightM: positive.optional(),
  }),
  'render.depth': z
    .strictObject({
      scenario: z.string(),
      seed,
      camera: poseDeg,
      widthPx: z.int().min(1).max(16384),
      heightPx: z.int().min(1).max(16384),
      horizontalFovDeg: positive
        .max(170)
        .default(60)
        .describe('between the outer edges; pixels are square'),
      maxRangeM: positive.default(1000).describe('what lies farther along a ray is not seen'),
      kind: z
        .enum(['planar', 'ray'])
        .default('planar')
        .describe("planar: distance ahead of the camera's plane; ray: from the camera itself"),
      threads,
      isa,
    })
    .refine(({ widthPx, heightPx }) => widthPx * heightPx <= 2 ** 27, {
      path: ['widthPx'],
      message: 'expected at most 2^27 pixels in all (134 million)',
    }),
  'drive.start': z.strictObject({
    scenario: z.string(),
    sensor: z.string().optional().describe("replaces the scenario's sensors by this one"),
    startM: vector2.optional().describe("instead of the mission's"),
    goalM: vector2.optional(),
    seconds: positive.optional(),
    seed,
    control: z.enum(driveControls).optional().describe('default: autonomy'),
    commands: runId
      .optional()
      .describe('drives as this run was driven, by the commands in its recording, to its end'),
    speed: speed.optional().describe('default: as fast as it can; by hand 1'),
    isPaused: z.boolean().optional().describe('pauses after its first tick'),
    isPipelined: z.boolean().default(true),
    isBlind: z.boolean().default(false),
    viewPoints: z.int().min(0).max(2_000_000).optional().describe('most points of a view'),
    threads,
    isa,
  }),
  'drive.stop': z.strictObject({ runId }),
  'drive.control': z.strictObject({
    runId,
    isPaused: z.boolean().optional(),
    steps: z.int().min(1).max(10_000).optional().describe('pauses after so many more ticks'),
    speed: speed.optional(),
  }),
  'drive.command': z.strictObject({ runId, speedMPerS: finite, yawRateRadPerS: finite }),
  'drive.watch': z.strictObject({
    runId,
    maxPoints: z.int().min(0).max(2_000_000).default(60_000),
  }),
  ...runQueryRequests,
  'runs.show': z.strictObject({ runId }),
  'runs.scans': z.strictObject({
    runId,
    instance: z.string().optional(),
    minReturns: z.int().min(0).default(1),
  }),
  'runs.export': z
    .strictObject({
      runId,
      format: z.enum(exportFormats),
      out: z.string().min(1),
      sensor: z
        .string()
        .optional()
        .describe('name of the only sensor, as in the scenario; default: all'),
      columns: z
        .array(z.union([columnName, z.enum(columnSetNames as [ColumnSetName, ...ColumnSetName[]])]))
        .min(1)
        .optional()
        .describe('names, or sets, of which what was recorded is taken; default: all that was'),
      fromS: finite.nonnegative().optional(),
      toS: positive.optional(),
    })
    .refine(({ fromS = 0, toS = Infinity }) => fromS < toS, {
      path: ['toS'],
      message: 'expected a time after fromS',
    }),
  'runs.poses': z.strictObject({ runId, ...poseInterval }),
  'runs.verify': z.strictObject({ runId, threads }),
  'bench.scan': z.strictObject({
    scenario: z.string(),
    sensor: z.string(),
    pose: poseDeg.optional().describe("default: the mission's start, towards its goal"),
    seconds: positive.max(60).default(1).describe('simulated time of one repeat'),
    repeats,
    threads,
    isa,
  }),
  'bench.nav': z.strictObject({
    scenario: z.string(),
    sensor: z.string(),
    seconds: positive.max(3600).default(10),
    seed,
    threads,
    isa,
  }),
  'bench.scaling': z.strictObject({
    scenario: z.string(),
    sensor: z.string(),
    pose: poseDeg.optional(),
    seconds: positive.max(60).default(1),
    repeats,
    mostThreads: threads.describe('default: as many as the machine has cores'),
    isa,
  }),
  'bench.memory': z.strictObject({}),
  'validate.run': z.strictObject({
    quick: z.boolean().default(false),
    only: z.array(z.string()).default([]).describe('names of experiments; default: all'),
  }),
} as const satisfies Record<string, z.ZodType>;

export type Method = keyof typeof requests;
/** A request as a handler gets it: checked, defaults filled in. */
export type RequestOf<M extends Method> = z.output<(typeof requests)[M]>;
/** A request as a caller writes it: what has a default may be left out. */
export type RequestInputOf<M extends Method> = z.input<(typeof requests)[M]>;

export interface RunListItem {
  id: string;
  name: string;
  state: RunState;
  createdMs: number;
  endedMs: number | null;
  scenarioName: string;
  seed: number;
  sensors: string[];
  end: RunEnd | null;
  figures: RunFigures | null;
  error: string | null;
  tags: string[];
  notes: string;
  /** When it was put into the trash; null: it was not. */
  deletedMs: number | null;
}

/** Replies by method. Chunks, where a method sends them, are described beside it. */
export interface Replies extends RunQueryReplies<RunListItem>, DocumentReplies, SceneReplies {
  'host.info': {
    version: string;
    dataFolder: string;
    cores: number;
    /** Free now: what a scene may take is a share of it. */
    availableMemoryBytes: number;
  };
  /** `materials`: names that a scene with the plant must have. */
  'plant.list': { id: string; name: string; generator: Plant['generator']; materials: string[] }[];
  'scenario.list': { id: string; name: string; description: string; file: string }[];
  'scenario.check': { problems: Problem[] };
  'scenario.plan': SceneSummary;
  /** As runs.poses, for objects. */
  'scenario.poses': { things: number; poses: number };
  'sensor.list': { id: string; name: string; file: string; summary: SensorSummary | null }[];
  'sensor.check': { problems: Problem[] };
  /** With the columns of worker.ts sensorDescriptionColumns: rays of pulse 0, pulses of a scan, lasers. */
  'sensor.show': {
    sensor: Sensor;
    recipe: SensorRecipe;
    description: SensorDescription;
    raysPerSecond: number;
    /** Of the columns that runs record, if every pulse returned once, not compressed. */
    bytesPerSecond: number;
  };
  /** Chunks: { rows } with the columns asked for. Reply: classes gives the names of class_id. With
   *  `out`, files lists what was written and leftOut the columns that the format cannot hold. */
  'scan.start': {
    files: string[];
    leftOut: string[];
    pulses: number;
    rays: number;
    hits: number;
    returns: number;
    rows: number;
    /** Rows of the file of rays, where one was asked for. */
    rayRows: number | null;
    /** Pulses of the file of waveforms, where one was asked for. */
    waveforms: number | null;
    /** As ScanReply.hash; empty with .mcap, which keeps one hash for each of its scans. */
    hash: string;
    classes: string[];
    summary: SceneSummary;
  };
  /** Column rgb u8. */
  'render.start': { widthPx: number; heightPx: number };
  /** Column depth_m f32: metres, row by row from the top left, NaN where nothing was met. */
  'render.depth': {
    widthPx: number;
    heightPx: number;
    /** Pixels that met something. */
    pixelsMet: number;
    /** Least and greatest depth; null where nothing was met. */
    nearestM: number | null;
    farthestM: number | null;
  };
  /** Replies as soon as the run is catalogued; follow it with drive.watch. */
  'drive.start': { runId: string };
  'drive.stop': { stopped: boolean };
  /** Nothing is taken by a run that has ended; views say how the run goes on. */
  'drive.control': { taken: boolean };
  /** Taken by runs that are driven by hand. */
  'drive.command': { taken: boolean };
  /** Chunks: RunView with its columns, until the run ends. Reply: how it ended. */
  'drive.watch': RunEnding;
  'runs.show': RunDetails;
  'runs.scans': (ScanFacts & { objectReturns?: number; classReturns?: Record<string, number> })[];
  'runs.export': { files: string[]; points: number; leftOut: string[] };
  /**
   * Chunks: PosesOf with the columns time_ns i64, x_m y_m z_m qx qy qz qw f64 (worldFromThing), one thing each:
   * vehicle, estimate, sensors, objects. Without a step what moves is given as it was recorded, at the end
   * of each tick, and what stands still once, at the interval's beginning.
   */
  'runs.poses': { things: number; poses: number };
  /** recordedWith and here differ where version or instruction set do: a difference is then expected. */
  'runs.verify': {
    recordedWith: { version: string; isa: string | null; sceneHash: string | null };
    here: { version: string; isa: string | null; sceneHash: string | null };
    /** Scans compared. */
    scans: number;
    differs: { tick: number; sensor: number; recorded: string; simulated: string } | null;
  };
  'bench.scan': ScanBench;
  'bench.nav': NavBench;
  'bench.scaling': ScalingBench;
  'bench.memory': MemoryBench;
  /** report: one HTML page. */
  'validate.run': { validation: Validation; report: string };
}

/** What the poses of a chunk are of. */
export interface PosesOf {
  kind: 'object' | 'vehicle' | 'estimate' | 'sensor';
  name: string;
  /** Of objects; otherwise empty. */
  class: string;
  scale: number;
}

export interface RunDetails extends RunListItem {
  scenarioHash: string;
  sceneHash: string | null;
  version: string;
  isa: string | null;
  hostName: string;
  recordingFile: string;
  recordingBytes: number | null;
  scene: {
    instancedTriangles: number;
    uniqueTriangles: number;
    instances: number;
    grassBlades: number;
    trees: number;
    minM: [number, number, number];
    maxM: [number, number, number];
  } | null;
  ticks: number;
  scans: number;
  /** Names of class_id, in its order. */
  classes: string[];
  /** As the scenario calls its sensors, in its order. */
  sensorNames: string[];
  /** Length, width, height. */
  vehicleSizeM: [number, number, number];
  mission: { startM: [number, number]; goalM: [number, number]; goalToleranceM: number } | null;
}

/** Pushes that belong to no call. */
export interface Events {
  'runs.changed': { runId: string; state: RunState };
}
