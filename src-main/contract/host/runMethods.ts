// Queries about one run: what the catalogue holds of it, its scans, points and poses, and whether it can be
// simulated again.
import { z } from 'zod';
import { type ColumnSetName, columnSetNames } from '../columns.ts';
import { columnName, finite, positive } from '../documents/quantities.ts';
import { captureFormats, datasetFormats, exportFormats, objectFormats } from './exportFormats.ts';
import { imageFields, poseInterval, runId, threads } from './requestFields.ts';
import type { RunOrigin, ScanRecord } from './run.ts';
import type { RunListItem } from './runQueries.ts';
import { levels, type PlantList } from './sceneMethods.ts';

/** Which points of a run: of one sensor, in which columns, from which scans. */
const oneSensor = z
  .string()
  .optional()
  .describe('name of the only sensor, as in the scenario; default: all');
const someColumns = z
  .array(z.union([columnName, z.enum(columnSetNames as [ColumnSetName, ...ColumnSetName[]])]))
  .min(1)
  .optional()
  .describe('names, or sets, of which what was recorded is taken; default: all that was');
const timesOfScans = {
  fromS: finite.nonnegative().optional().describe('only scans that end after this simulated time'),
  toS: positive.optional().describe('only scans that begin before this simulated time'),
};

/** Requests about a run. */
export const runRequests = {
  'runs.show': z.strictObject({ runId }),
  'runs.scans': z.strictObject({
    runId,
    instance: z.string().optional().describe('name of an instance; left out: all scans'),
    minReturns: z
      .int()
      .min(0)
      .default(1)
      .describe('returns of a scan, or of the instance in it, at least'),
  }),
  'runs.export': z
    .strictObject({
      runId,
      format: z
        .enum([...exportFormats, ...datasetFormats, ...captureFormats, ...objectFormats])
        .describe(
          "file format, or layout of a folder: of one sensor, without columns; velodyne-pcap: that sensor's packets; boxes: CSV of what moves, a row an object a tick",
        ),
      out: z
        .string()
        .min(1)
        .describe('absolute file (or folder) on the host, in a folder that is there'),
      isReplacing: z.boolean().default(false).describe('false: an existing file is refused'),
      sensor: oneSensor,
      columns: someColumns,
      frame: z
        .enum(['world', 'sensor'])
        .optional()
        .describe("of the points; sensor: each at its pulse's own time. Default: world"),
      idTables: z
        .boolean()
        .optional()
        .describe('also what ids mean: FILE.objects.csv, FILE.materials.csv. Default: false'),
      box: z
        .strictObject({
          centreM: z.tuple([finite, finite, finite]),
          sizeM: z.tuple([positive, positive, positive]).describe('length, width, height'),
          yawDeg: finite.default(0).describe('from x to the length, counterclockwise'),
        })
        .optional()
        .describe('only points in this upright box of the world; misses are in none'),
      ...timesOfScans,
    })
    .refine(({ fromS = 0, toS = Infinity }) => fromS < toS, {
      path: ['toS'],
      message: 'expected a time after fromS',
    })
    .refine(
      ({ format, frame, columns, box }) =>
        exportFormats.some((name) => name === format) || (frame ?? columns ?? box) === undefined,
      {
        path: ['format'],
        message:
          'expected no frame, columns and box with boxes, packets or a layout of a folder, which are whole',
      },
    )
    .refine(({ format, sensor }) => format !== 'boxes' || sensor === undefined, {
      path: ['sensor'],
      message: 'expected none with boxes, which are of no sensor',
    }),
  'runs.clouds': z.strictObject({
    runId,
    sensor: oneSensor,
    columns: someColumns,
    ...timesOfScans,
    isFollowing: z
      .boolean()
      .default(false)
      .describe('of a run under way: waits for scans until the run ends'),
  }),
  'runs.log': z.strictObject({ runId }),
  'runs.plants': z.strictObject({
    runId,
    out: z.string().min(1).optional().describe('.csv: a row a plant'),
    isReplacing: z.boolean().default(false).describe('false: an existing file is refused'),
  }),
  'runs.poses': z.strictObject({ runId, ...poseInterval }),
  'runs.scene': z.strictObject({ runId, levels }),
  'runs.image': z
    .strictObject({ runId, ...imageFields })
    .describe('its scene from a camera, which is placed in the world'),
  'runs.verify': z
    .strictObject({
      runId: runId.optional(),
      file: z.string().min(1).optional().describe('absolute: a bundle, or a recording'),
      threads,
    })
    .refine(({ runId: id, file }) => (id === undefined) !== (file === undefined), {
      path: ['runId'],
      message: 'expected a run, or a file',
    })
    .describe('simulates a run again and compares every scan'),
  'runs.pack': z
    .strictObject({
      runIds: z.array(runId).min(1).max(10_000),
      out: z.string().min(1).describe('absolute file on the host, in a folder that is there'),
      isReplacing: z.boolean().default(false).describe('false: an existing file is refused'),
      recording: z.boolean().default(false).describe('with the recordings of the runs'),
      clouds: z
        .array(z.enum(exportFormats))
        .max(exportFormats.length)
        .default([])
        .describe('with the points of the runs in these formats'),
      pictures: z
        .boolean()
        .default(false)
        .describe('with the cost map and the cloud of runs with a recording, as PNG files'),
      page: z
        .boolean()
        .default(false)
        .describe('with index.html, which shows the runs from disk without server or product'),
    })
    .describe('writes runs into one file, from which `runs.unpack` restores them elsewhere'),
  'runs.receive': z
    .strictObject({
      upload: z.string().optional().describe('as the first reply states it; left out: the first'),
      name: z.string().min(1).max(255).describe('of the file, without folders'),
      totalBytes: z.int().nonnegative().describe('of the whole file'),
      offset: z.int().nonnegative().describe('of the first byte of this piece'),
      isDiscarded: z.boolean().default(false).describe('what was received is removed'),
    })
    .describe(
      'receives a bundle, a recording or a file of points in pieces, in turn; column: bytes u8',
    ),
  'runs.unpack': z
    .strictObject({
      path: z
        .string()
        .min(1)
        .optional()
        .describe('absolute: a bundle, a recording, or a data folder'),
      upload: z.string().optional().describe('instead: a file that runs.receive has received'),
    })
    .refine(({ path, upload }) => (path === undefined) !== (upload === undefined), {
      path: ['path'],
      message: 'expected a path, or a file that was received',
    })
    .describe('takes runs from elsewhere into this data folder; those that it has stay'),
  'runs.adopt': z
    .strictObject({ runIds: z.array(runId).min(1).max(10_000).optional() })
    .describe('takes recordings into the catalogue: those of these runs, or all without a row'),
} as const satisfies Record<string, z.ZodType>;

/** The engine of a run; null: not known. `engine`: the hash of services/engine.ts. */
export interface EngineInfo {
  version: string;
  engine: string | null;
  isa: string | null;
  sceneHash: string | null;
}

/** Replies about a run. */
export interface RunReplies {
  'runs.show': RunDetails;
  'runs.scans': (ScanRecord & { objectReturns?: number; classReturns?: Record<string, number> })[];
  /** Chunks: RunCloud with columns of returns, a scan each. sensors: their names, in the order of the scenario. */
  'runs.clouds': { scans: number; classes: string[]; sensors: string[] };
  /** `points`: of boxes their rows. */
  'runs.export': { files: string[]; points: number; leftOut: string[] };
  /**
   * Truth of the plants of its scene, with plantTruthColumns (worker/truth.ts), relative to the origin of the scene: as the
   * catalogue has it, or measured now, which builds the scene.
   */
  'runs.plants': PlantList & { file: string | null };
  /** Lines of the host's log from the run's start to its end, others of that time included. */
  'runs.log': { file: string; lines: LogLine[] };
  /**
   * Chunks: PosesOf with the columns time_ns i64, x_m y_m z_m qx qy qz qw f64 (worldFromObject), one object each:
   * vehicle, estimate, sensors, objects. Without a step what moves is given as it was recorded, at the end
   * of each tick, and what is stationary once, at the interval's beginning.
   */
  'runs.poses': { objects: number; poses: number };
  /**
   * The scene of a run as it was simulated, as the chunks of scene.open bring it; ends when everything has been sent.
   * `scene` of its first chunk is no open scene.
   */
  'runs.scene': Record<string, never>;
  /** Column rgb u8, as of render.start. @throws 'scene-too-large' */
  'runs.image': { widthPx: number; heightPx: number };
  /**
   * Runs with a recording without its end are closed, and all are brought into agreement with their recordings.
   * A recording that cannot be read is refused and left as it is.
   */
  'runs.adopt': { adopted: AdoptedRun[]; refused: { runId: string; reason: string }[] };
  'runs.pack': { file: string; bytes: number; runs: PackedRun[] };
  'runs.receive': { upload: string };
  'runs.unpack': { runs: UnpackedRun[]; refused: { runId: string; reason: string }[] };
  /** there and here differ where version, engine or instruction set do: a difference is then expected. */
  'runs.verify': {
    /** Every scan was simulated again with the same result; false too where there was no scan to compare. */
    equal: boolean;
    /** The engine that simulated the run. */
    there: EngineInfo;
    here: EngineInfo;
    /** Scans compared. */
    compared: number;
    /** Where they differ first: in the hash of a scan, or in what is recorded of its points (CRC-32, hex). */
    differs: {
      tick: number;
      sensor: number;
      of: 'hash' | 'points';
      recorded: string;
      simulated: string;
    } | null;
    /**
     * Where the run was recorded by another engine: all scans are compared, by hash and number of returns, and the
     * recorded points are not. Null: by this engine.
     */
    otherEngine: { agreeing: number; returnsRecorded: number; returnsSimulated: number } | null;
    /** Where scans differ: files of the scene that are missing. */
    notices: { path: string; message: string }[];
  };
}

/** A recorded scan, whose points are its columns. */
export interface RunCloud {
  tick: number;
  /** Index of the sensor, and its name. */
  sensor: number;
  name: string;
  /** Pulses with fromNs <= time < toNs. */
  fromNs: number;
  toNs: number;
  rows: number;
  pulses: number;
  /** World position of the scene's origin: points are relative to it. */
  originM: [number, number, number];
}

/** A run in a bundle that was written. */
export interface PackedRun {
  runId: string;
  /** Name of the run in the bundle: equal for equal runs. */
  identity: string;
}

/** A run that was taken from elsewhere. */
export interface UnpackedRun {
  runId: string;
  identity: string;
  name: string;
  /** False: this data folder had it already. */
  isNew: boolean;
  hasRecording: boolean;
}

/** A run that was added to the catalogue from its recording. */
export interface AdoptedRun {
  runId: string;
  /** False: it was in the catalogue already. */
  isNew: boolean;
  scans: number;
  /** Ticks and scans whose rows were added or removed. */
  changes: number;
  simSeconds: number;
}

/** A line of the host's log. */
export interface LogLine {
  timeMs: number;
  level: 'debug' | 'info' | 'warning' | 'error';
  message: string;
  /** Its other fields, as JSON; '' where there are none. */
  details: string;
}

/** The object that the poses of a chunk belong to. */
export interface PosesOf {
  kind: 'object' | 'vehicle' | 'estimate' | 'sensor';
  name: string;
  /** Class of an object; otherwise empty. */
  class: string;
  scale: number;
}

export interface RunDetails extends RunListItem {
  scenarioHash: string;
  /** Fields with other values than in the files, as path=value. */
  settings: string[];
  sceneHash: string | null;
  version: string;
  isa: string | null;
  hostName: string;
  /** Null: it was simulated in this data folder. */
  origin: RunOrigin | null;
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
  /** World position that everything of the run is relative to: its mission, views, clouds and objects. */
  originM: [number, number, number];
  /** Coordinate reference system of the world, as the scenario states it. */
  crs: string | null;
  mission: { startM: [number, number]; goalM: [number, number]; goalToleranceM: number } | null;
}
