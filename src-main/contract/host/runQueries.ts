// Queries about finished runs: finding them, marking them, reading them again tick by tick.
import { z } from 'zod';
import { finite, positive } from '../documents/quantities.ts';
import type { Scenario } from '../documents/scenario.ts';
import type { MovingObject } from './movingObjects.ts';
import { runId } from './requestFields.ts';
import { metricColumns } from './runMetrics.ts';
import {
  runStates,
  type MapGeometry,
  type RunEnd,
  type RunMetrics,
  type RunState,
  type TickRecord,
} from './run.ts';

/** By what runs are sorted; what is not known of a run puts it last. */
export const runSortKeys = [
  'created',
  'name',
  'state',
  'scenario',
  'seed',
  'sensors',
  ...metricColumns.map(({ sortKey }) => sortKey),
] as const;
export type RunSortKey = (typeof runSortKeys)[number];

const tag = z
  .string()
  .trim()
  .regex(/^[^\s,]{1,40}$/, 'expected a word of at most 40 letters, without spaces and commas');
const runIds = z.array(runId).min(1).max(10_000);

const filter = {
  search: z
    .string()
    .max(400)
    .optional()
    .describe('words, or their beginnings, in name, scenario, sensors, notes or tags'),
  state: z.enum(runStates).optional().describe('left out: any'),
  scenario: z.string().optional().describe("the scenario's name"),
  sensor: z.string().optional().describe('id of a sensor that took part'),
  tag: z.string().optional().describe('left out: any'),
  fromMs: z.int().optional().describe('started at this time or later, ms since 1970'),
  toMs: z.int().optional().describe('started before this time'),
  where: z
    .string()
    .max(4000)
    .optional()
    .describe('a condition, such as campaign.density > 200 and goal = 1'),
  trash: z
    .enum(['without', 'only', 'with'])
    .default('without')
    .describe('whether runs in the trash are listed'),
};

/** Requests about finding, marking and reading runs. */
export const runQueryRequests = {
  'runs.list': z.strictObject({
    ...filter,
    sortBy: z
      .enum(runSortKeys)
      .default('created')
      .describe('column that sorts; runs without a value come last'),
    isDescending: z.boolean().default(true).describe('largest or newest first'),
    limit: z.int().min(1).max(100_000).default(1000).describe('runs of the page at most'),
    offset: z.int().min(0).default(0).describe('runs before the page'),
  }),
  'runs.facets': z.strictObject({}),
  'runs.note': z.strictObject({ runId, notes: z.string().max(20_000) }),
  'runs.tag': z.strictObject({
    runIds,
    add: z.array(tag).max(50).default([]).describe('tags that every run gets'),
    remove: z.array(z.string()).max(50).default([]).describe('tags that every run loses'),
  }),
  'runs.delete': z
    .strictObject({ runIds })
    .describe('into the trash; where one of them is under way, none goes'),
  'runs.restore': z.strictObject({ runIds }),
  'runs.empty': z
    .strictObject({ runIds: runIds.optional() })
    .describe('removes runs in the trash permanently: these, or all'),
  'runs.ticks': z.strictObject({ runId }),
  'runs.costs': z.strictObject({ runId }),
  'runs.scenario': z.strictObject({ runId }),
  'runs.objects': z.strictObject({ runId }),
  'runs.at': z.strictObject({
    runId,
    timeS: finite.nonnegative().describe('simulated time'),
    maxPoints: z.int().min(0).max(2_000_000).default(60_000).describe('points per instant at most'),
  }),
  'runs.past': z.strictObject({
    runId,
    fromS: finite.nonnegative().default(0).describe('simulated time of the beginning'),
    toS: finite.nonnegative().describe('excluded'),
    maxScans: z.int().min(1).max(10_000).describe('scans at most, evenly spread'),
    maxPoints: z.int().min(0).max(2_000_000).describe('of all scans together'),
  }),
  'runs.replay': z.strictObject({
    runId,
    fromS: finite.nonnegative().default(0).describe('simulated time of the beginning'),
    toS: positive.optional().describe('simulated time of the end; left out: that of the run'),
    speed: positive.max(1000).default(1).describe('simulated seconds a second'),
    maxPoints: z.int().min(0).max(2_000_000).default(60_000).describe('points per instant at most'),
  }),
} as const satisfies Record<string, z.ZodType>;

/** A query with its defaults filled in. */
export type RunQuery = z.output<(typeof runQueryRequests)['runs.list']>;
export type RunQueryInput = z.input<(typeof runQueryRequests)['runs.list']>;
/** The part of a query that chooses runs. */
export type RunFilter = Pick<RunQuery, keyof typeof filter>;

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
  metrics: RunMetrics | null;
  /** Recorded time; null while it is not known. Interrupted runs have it without metrics. */
  simSeconds: number | null;
  points: number | null;
  error: string | null;
  tags: string[];
  notes: string;
  /** When it was put into the trash; null: it was not. */
  deletedMs: number | null;
}

/** A value to filter by, and how many runs have it. */
export interface RunFacet<T extends string = string> {
  value: T;
  runs: number;
}

/**
 * One instant of a recording. Columns: shownPointColumns of shownPoints.ts (a share of the scans that
 * ended then), cost u8 and path_x_m path_y_m f32 as in RunView: cost map and path where they
 * were recorded by then; in a replay only when they changed.
 */
export interface RunSnapshot {
  tick: TickRecord;
  /** Returns of the scans, of which the columns hold a share. */
  returns: number;
  /** Null where no cost map had been recorded yet. */
  map: (MapGeometry & { timeNs: number }) | null;
}

/** The scans of a tick, of which the columns hold a share. */
export interface RunPast {
  timeNs: number;
}

/** Replies about finding, marking and reading runs. */
export interface RunQueryReplies {
  'runs.list': { runs: RunListItem[]; total: number };
  'runs.facets': {
    scenarios: RunFacet[];
    states: RunFacet[];
    sensors: RunFacet[];
    tags: RunFacet[];
    trashed: number;
  };
  'runs.note': { runId: string };
  /** All tags of each run. */
  'runs.tag': { runId: string; tags: string[] }[];
  'runs.delete': { runIds: string[] };
  'runs.restore': { runIds: string[] };
  'runs.empty': { removed: number; bytes: number };
  /**
   * Columns, one row a tick: time_s, speed_m_per_s, position_error_m (in the plane), distance_to_goal_m,
   * truth_x_m truth_y_m truth_z_m f64, gps_x_m gps_y_m gps_z_m f64, NaN without a fix; collisions u32; class_returns
   * u32, ticks × classes in rows.
   */
  'runs.ticks': { ticks: number; classes: string[] };
  /**
   * Columns, one row a recorded cost map: time_s f64; cost_here f64, 0 to 100: the highest cost within half
   * the vehicle's width of where it took itself to be, NaN where nothing is known there. One row a planned path:
   * plan_time_s f64; plan_change_m f64: the largest distance of its points from the path before it, NaN for the first.
   */
  'runs.costs': { maps: number; plans: number };
  /** The simulated scenario, seed and defaults filled in: as a document, and as YAML. */
  'runs.scenario': { document: Scenario; text: string };
  /** Moving objects of a run whose scene was built; at any of its times objectStatesAt gives their boxes. */
  'runs.objects': { objects: MovingObject[] };
  /** RunSnapshot with its columns. @throws 'not-found' before the first tick */
  'runs.at': RunSnapshot;
  /**
   * Chunks: RunPast with the columns shownPointColumns, one tick each, evenly spread over the time and the last
   * one among them, oldest first: what drove by leaves on screen.
   */
  'runs.past': { scans: number };
  /** Chunks: RunSnapshot with its columns, paced by the clock; a slow taker misses ticks, and never the last. */
  'runs.replay': { ticks: number };
}
