// The one list of what a host answers, to a window, a browser or the command line alike: for each method
// the schema of its request (unknown data crosses this line) and the type of its reply.
import { z } from 'zod';
import { addModelRequests, type AddModelReplies } from './addModelMethods.ts';
import type {
  BlensorBench,
  GrowthBench,
  LearnBench,
  MemoryBench,
  NavBench,
  ScalingBench,
  ScanBench,
} from './bench.ts';
import {
  campaignRequests,
  campaignRunRequests,
  type CampaignReplies,
  type CampaignRunReplies,
} from './campaignMethods.ts';
import { cloudRequests, type CloudReplies } from './cloudMethods.ts';
import { dataRequests, type DataReplies } from './dataMethods.ts';
import { documentRequests, type DocumentReplies } from './documentMethods.ts';
import { driveRequests, type DriveReplies } from './driveMethods.ts';
import type { Plant } from '../documents/plant.ts';
import type { Problem } from '../documents/problems.ts';
import { documentText, poseDeg, positive, seedNumber } from '../documents/quantities.ts';
import { importRequests, type ImportReplies } from './importMethods.ts';
import { learnRequests, type LearnReplies } from './learnMethods.ts';
import { learnedViewRequests, type LearnedViewReplies } from './learnedViewMethods.ts';
import { isa, poseInterval, ranks, settings, threads } from './requestFields.ts';
import { logRequests, type LogReplies } from './logMethods.ts';
import { manualRequests, type ManualReplies } from './manualMethods.ts';
import type { RunState } from './run.ts';
import { runRequests, type RunReplies } from './runMethods.ts';
import { runQueryRequests, type RunQueryReplies } from './runQueries.ts';
import { scanRequests, type ScanReplies } from './scanMethods.ts';
import { sceneRequests, type SceneReplies } from './sceneMethods.ts';
import { truthRequests, type TruthReplies } from './truthMethods.ts';
import type { Validation } from './validation.ts';
import { learnedKinds } from '../worker/learnedModel.ts';
import type { SensorRecipe } from '../worker/sensorRecipe.ts';
import type { Sensor, SensorSummary } from '../documents/sensor.ts';
import type { SensorDescription } from '../worker/sensorDescription.ts';
import type { SceneSummary } from '../worker/worker.ts';

const seed = seedNumber.optional();
const repeats = z.int().min(1).max(100).default(7);

/** Requests by method. `scenario` and `sensor` are a file or the id of a sample. */
export const requests = {
  'host.info': z.strictObject({}),
  'scenario.list': z.strictObject({}),
  'scenario.check': z.strictObject({ scenario: z.string() }),
  'scenario.plan': z.strictObject({ scenario: z.string(), text: documentText.optional(), seed }),
  'scenario.bake': z.strictObject({
    scenario: z.string(),
    seed,
    settings,
    out: z
      .string()
      .min(1)
      .optional()
      .describe("absolute; default: the scenario's scene.physics.file"),
  }),
  'scenario.poses': z.strictObject({
    scenario: z.string(),
    seed,
    ...poseInterval,
  }),
  ...truthRequests,
  ...importRequests,
  ...addModelRequests,
  'sensor.list': z.strictObject({}),
  'sensor.check': z.strictObject({ sensor: z.string(), settings }),
  'sensor.show': z.strictObject({
    sensor: z.string(),
    settings,
    text: documentText.optional().describe("instead of the file's contents"),
    rateHz: positive.optional(),
    mode: z.string().optional(),
    rangeM: positive.default(10).describe('at which the spot is measured'),
    seed: seedNumber.default(1).describe('of rays that are drawn'),
  }),
  ...sceneRequests,
  'plant.list': z.strictObject({}),
  ...documentRequests,
  ...manualRequests,
  ...scanRequests,
  ...driveRequests,
  ...campaignRequests,
  ...campaignRunRequests,
  ...learnRequests,
  ...learnedViewRequests,
  ...cloudRequests,
  ...runQueryRequests,
  ...runRequests,
  ...logRequests,
  ...dataRequests,
  'bench.scan': z.strictObject({
    scenario: z.string(),
    sensor: z.string(),
    settings,
    pose: poseDeg.optional().describe("default: the mission's start, towards its goal"),
    seconds: positive.max(60).default(1).describe('simulated time of one repeat'),
    repeats,
    threads,
    isa,
    reference: z
      .string()
      .optional()
      .describe('another scenario, whose native pipeline is timed in every repeat, too'),
  }),
  'bench.nav': z.strictObject({
    scenario: z.string(),
    sensor: z.string(),
    settings,
    seconds: positive.max(3600).default(10),
    seed,
    threads,
    isa,
  }),
  'bench.scaling': z.strictObject({
    scenario: z.string(),
    sensor: z.string(),
    settings,
    pose: poseDeg.optional(),
    seconds: positive.max(60).default(1),
    repeats,
    maxThreads: threads.describe('default: as many as the machine has cores'),
    ranks: z
      .array(ranks)
      .min(1)
      .max(16)
      .optional()
      .describe('instead of threads: so many MPI ranks of one thread, against as many threads'),
    isa,
  }),
  'bench.blensor': z.strictObject({ repeats, threads, isa }),
  'bench.growth': z.strictObject({
    scenario: z.string(),
    sensor: z.string(),
    seconds: positive.max(10).default(0.5),
    maxPower: z.int().min(6).max(13).default(13).describe('power of ten of the most triangles'),
    threads,
    isa,
  }),
  'bench.learn': z.strictObject({
    models: z
      .array(z.enum(learnedKinds))
      .min(1)
      .default([...learnedKinds]),
    maxPower: z.int().min(5).max(8).default(6).describe('power of ten of the most beams'),
    threads,
    isa,
  }),
  'bench.memory': z.strictObject({}),
  'validate.run': z.strictObject({
    quick: z.boolean().default(false),
    only: z.array(z.string()).default([]).describe('names of experiments; default: all'),
    learned: z.boolean().default(false).describe('those of learned models, in their long form'),
    steps: z
      .string()
      .min(1)
      .optional()
      .describe('absolute folder: what is found is stored here, for the next attempt'),
  }),
} as const satisfies Record<string, z.ZodType>;

export type Method = keyof typeof requests;
/** A request as a handler gets it: checked, defaults filled in. */
export type RequestOf<M extends Method> = z.output<(typeof requests)[M]>;
/** A request as a caller writes it: what has a default may be left out. */
export type RequestInputOf<M extends Method> = z.input<(typeof requests)[M]>;

/** Replies by method. Chunks, where a method sends them, are described beside it. */
export interface Replies
  extends
    DocumentReplies,
    ManualReplies,
    SceneReplies,
    ScanReplies,
    DriveReplies,
    CampaignReplies,
    CampaignRunReplies,
    LearnReplies,
    LearnedViewReplies,
    CloudReplies,
    RunQueryReplies,
    RunReplies,
    LogReplies,
    DataReplies,
    ImportReplies,
    TruthReplies,
    AddModelReplies {
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
  /** notices: what was odd about meshes and does not stop the scenario. */
  'scenario.check': { problems: Problem[]; notices: { path: string; message: string }[] };
  'scenario.plan': SceneSummary;
  /** `poses`: rows of the file. `sceneHash`: of what decides them. */
  'scenario.bake': {
    file: string;
    bodies: number;
    poses: number;
    seconds: number;
    sceneHash: string;
  };
  /** As runs.poses, for objects. */
  'scenario.poses': { objects: number; poses: number };
  'sensor.list': { id: string; name: string; file: string; summary: SensorSummary | null }[];
  /** notices: what a sensor would not be built as. */
  'sensor.check': { problems: Problem[]; notices: { path: string; message: string }[] };
  /** With the columns of descriptionColumns of sensorDescription.ts: rays of pulse 0, pulses of a scan, lasers. */
  'sensor.show': {
    sensor: Sensor;
    recipe: SensorRecipe;
    description: SensorDescription;
    /** Slots of a whole turn at the rate in use, not always a whole number; null: the sensor does not turn. */
    columnsPerTurn: number | null;
    pulsesPerSecond: number;
    /** The detection limit of the file; null: none. */
    detection: NonNullable<Sensor['returns']['detection']> | null;
    raysPerSecond: number;
    /** Recorded columns, if every pulse returned once, not compressed. */
    bytesPerSecond: number;
  };
  'bench.scan': ScanBench;
  'bench.nav': NavBench;
  'bench.scaling': ScalingBench;
  'bench.blensor': BlensorBench;
  'bench.growth': GrowthBench;
  'bench.learn': LearnBench;
  'bench.memory': MemoryBench;
  /** report: one HTML page; markdown: the same without drawings. */
  'validate.run': { validation: Validation; report: string; markdown: string };
}

/** Pushes that belong to no call. */
export interface Events {
  'runs.changed': { runId: string; state: RunState };
}
