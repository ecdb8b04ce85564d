// A scene that stays open: built once, looked at, and scanned again and again. The call `scene.open` is the
// session itself: it ends when its caller cancels it or goes away, and its worker ends with it.
import { z } from 'zod';
import {
  columnName,
  documentText,
  finite,
  poseDeg,
  positive,
  seedNumber,
} from '../documents/quantities.ts';
import type { ScanRecipe } from '../documents/scan/scanRecipe.ts';
import type { MotionRecipe } from '../worker/motions.ts';
import type { LandscapePlants } from '../worker/instanceNames.ts';
import type { MaterialRecipe, ModelRecipe } from '../worker/recipe.ts';
import type { OriginM } from '../worldOrigin.ts';
import type { Pose } from './run.ts';
import { maxSampleRows, type SceneSummary, type WaveformBins } from '../worker/worker.ts';

/** Most triangles of each level of detail of a model, finest first, unless the request says otherwise. */
const defaultLevels = [200_000, 40_000, 8_000, 1_500, 200];

/** A field of requests that send a scene to be drawn. */
export const levels = z
  .array(z.int().min(50).max(5_000_000))
  .min(1)
  .max(8)
  .default(defaultLevels)
  .describe('most triangles of a model at each level of detail');

const sensorOfScene = {
  scene: z.string().min(1).describe('from the chunk `ready` of scene.open'),
  sensor: z.string(),
  sensorText: documentText.optional().describe("instead of the sensor file's contents"),
  rateHz: positive
    .optional()
    .describe("turns, sweeps or images per second; default: the sensor's own"),
  mode: z.string().optional().describe("return mode; default: the sensor's own"),
  pose: poseDeg.describe('relative to the origin of the scene'),
  seed: seedNumber.optional().describe('default: that of the scene'),
};

/** Requests about open scenes. */
export const sceneRequests = {
  'scene.open': z.strictObject({
    scenario: z.string(),
    text: documentText
      .optional()
      .describe(
        "instead of the scenario file's contents; what it refers to is looked for beside the file",
      ),
    seed: seedNumber.optional().describe("default: the scenario's"),
    levels,
    isShown: z
      .boolean()
      .default(true)
      .describe('false: the chunk `ready` alone, for callers that only scan'),
  }),
  'scene.scan': z
    .strictObject({
      ...sensorOfScene,
      pose: poseDeg
        .optional()
        .describe(
          "relative to the origin of the scene; left out: the poses in the request's columns, relative to it too",
        ),
      fromS: finite
        .optional()
        .describe('start in simulated time; default: 0, or the time of the first pose'),
      seconds: positive
        .optional()
        .describe('default: one scan of the sensor, or up to the last of the poses'),
      maxGapS: positive.optional().describe('longest time between two poses; default: 2 s'),
      columns: z.array(columnName).min(1).optional().describe('default: those of a CSV file'),
      misses: z.boolean().default(false).describe('a row for every pulse without a return, too'),
      maxRows: z
        .int()
        .min(1)
        .max(maxSampleRows)
        .optional()
        .describe(
          'most rows that are sent, at the end: where there are more, every n-th one, and all returns are saved for cloud.open',
        ),
    })
    .refine(({ maxRows, misses }) => maxRows === undefined || !misses, {
      path: ['misses'],
      message: 'expected no misses with maxRows',
    }),
  'scene.heightAt': z.strictObject({
    scene: sensorOfScene.scene,
    xM: z.number().describe('relative to the origin of the scene'),
    yM: z.number().describe('relative to the origin of the scene'),
    ofGround: z
      .boolean()
      .default(false)
      .describe('of the ground, where the scene has one; false: of the highest surface'),
  }),
  'scene.plants': z.strictObject({ scene: sensorOfScene.scene }),
  'scene.pulse': z.strictObject({
    ...sensorOfScene,
    pulse: z.int().nonnegative().describe('its number, as in the returns'),
    timeNs: z.int().nonnegative().describe('its time, as in the returns'),
  }),
} as const satisfies Record<string, z.ZodType>;

/** The contents of a scene: models, classes and motions are indices. Instances are where they are at time 0. */
export interface SceneContents {
  /** For the other methods of the scene. */
  scene: string;
  summary: SceneSummary;
  /** World position that everything of the scene is relative to. */
  originM: OriginM;
  /** Seed of the scene, and of scans that state no other. */
  seed: number;
  classes: string[];
  materials: MaterialRecipe[];
  models: SceneModel[];
  motions: MotionRecipe[];
  /** Objects with a name of their own, ground and walls included; the motion of those that move. */
  placed: { id: number; name: string; model: number; class: number; motion?: number }[];
  /** Copies in rows: the n-th, from 0, has id firstId + n and is called as instanceNames.ts says. */
  scatters: { name: string; firstId: number; count: number; model: number; class: number }[];
  landscapes: LandscapePlants[];
  /** As the scenario mounts them; `sensor` is a file. */
  sensors: { name: string; sensor: string; mount: Pose; view: FieldOfView }[];
}

/** Directions of a sensor's pulses, in its frame. */
export interface FieldOfView {
  scan: ScanRecipe;
  /** The lowest and the highest; an image has those of its middle column. */
  elevationRad: readonly [number, number];
}

export interface SceneModel {
  name: string;
  solid: ModelRecipe['solid'];
  triangles: number;
  /** Most triangles of each level that will come, finest first; the first may be the whole model. */
  levels: number[];
}

/**
 * Chunks of scene.open: the counts; then `instances` in slices, with the columns of instanceColumnNames (worker.ts);
 * then every level of every model, the coarsest of all first, with the columns of scene.mesh (worker.ts).
 */
export type SceneChunk =
  | ({ kind: 'ready' } & SceneContents)
  /** Rows fromRow and following, of `total`, which is that of the summary. */
  | { kind: 'instances'; fromRow: number; total: number }
  | {
      kind: 'mesh';
      model: number;
      /** In the model's `levels`. */
      level: number;
      triangles: number;
      /** No triangle of the model is left out. */
      isWhole: boolean;
    }
  /** Everything has come. */
  | { kind: 'complete' };

/** Truth of plants, in columns beside it. */
export interface PlantList {
  plants: number;
  /** By the index of a model: the name of its species; '': it is no grown plant. */
  species: string[];
}

/** Replies about open scenes. A scene that is not open, or no longer, is 'not-found'. */
export interface SceneReplies {
  /** Ends only with 'cancelled', or 'worker-lost'. Chunks: SceneChunk. */
  'scene.open': Record<string, never>;
  /**
   * As scan.start: the same scenario, sensor, pose and seed give the same bytes. In place of a pose it takes columns of
   * poses over time, worldFromSensor: time_ns i64; x_m, y_m, z_m, qx, qy, qz, qw f64. Chunks: { rows } with the columns
   * asked for. The counts are those of the scan; with `maxRows` fewer rows are sent.
   */
  'scene.scan': {
    pulses: number;
    rays: number;
    hits: number;
    returns: number;
    rows: number;
    hash: string;
    classes: string[];
    /** Name of all returns for cloud.open; null: all were sent, or `maxRows` was left out. */
    saved: string | null;
  };
  /** Height of the highest surface there, ground included, or of the ground; null: there is nothing. */
  'scene.heightAt': { heightM: number | null };
  /** Truth of the plants of the scene, with plantTruthColumns (worker/truth.ts); positions relative to its origin. */
  'scene.plants': PlantList;
  /**
   * How many rows of each kind, with all of rayColumns, rays that met nothing included; returnColumns, each called
   * return_NAME; signalColumns (worker/pulseSignal.ts): hits, echoes and what each return mode would form; and where
   * the sensor has a waveform `waveform` f32, the energy in each bin.
   * @throws 'not-found' where the sensor fires no such pulse then
   */
  'scene.pulse': {
    rayRows: number;
    returns: number;
    /** Hits of the signal that pass the gate: the first so many. */
    seenHits: number;
    /** Hits that the detection limit loses: the next so many. */
    lostHits: number;
    /** `firstRangeM`: lower edge of the first bin. Null: the sensor has none. */
    waveform: (WaveformBins & { firstRangeM: number }) | null;
  };
}
