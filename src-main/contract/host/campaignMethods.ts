// Campaigns: what their files plan, the runs that are missing, and tables of their results. A campaign is known by the
// name in its file; a data folder has one campaign of a name, and a file that changed is a new plan of it.
import { z } from 'zod';
import type { AxisValue, Campaign } from '../documents/campaign.ts';
import type { Problem } from '../documents/problems.ts';
import { documentText } from '../documents/quantities.ts';
import type { Isa } from '../worker/worker.ts';

const campaign = z
  .string()
  .min(1)
  .max(4000)
  .describe('id of a sample, a file, or the name of a campaign in the data folder');
const text = documentText
  .optional()
  .describe('instead of the contents of the file, which need not exist then');
const limit = z.int().min(1).optional().describe('maximum number of runs, the first of the plan');
const where = z
  .string()
  .max(4000)
  .optional()
  .describe('only rows for which this is true, such as density > 200 and goal = 1');
const columnName = z.string().min(1).max(100);
const names = z.array(columnName).max(100);
const columns = names
  .min(1)
  .optional()
  .describe('names of the columns of the reply, in their order; left out: all');

/** Formats of a table of results. */
export const resultFormats = ['csv', 'parquet'] as const;
export type ResultFormat = (typeof resultFormats)[number];

/** Requests about campaign files, plans and results. */
export const campaignRequests = {
  'campaign.list': z.strictObject({}),
  'campaign.check': z.strictObject({ campaign, text }),
  'campaign.plan': z.strictObject({ campaign, text, limit }),
  'campaign.results': z.strictObject({
    campaign,
    columns,
    where,
    hasTiming: z.boolean().default(false).describe('with wall time, host and attempts of each run'),
    hasPending: z.boolean().default(false).describe('with runs that have not ended'),
    sortBy: columnName.optional().describe('name of a column; left out: in plan order'),
    isDescending: z
      .boolean()
      .default(false)
      .describe('largest first; rows without a value are last'),
    limit: z.int().min(1).max(1_000_000).default(1000).describe('rows of the page at most'),
    offset: z.int().min(0).default(0).describe('rows before the page'),
  }),
  'campaign.table': z
    .strictObject({
      campaign,
      format: z.enum(resultFormats),
      columns,
      where,
      hasTiming: z
        .boolean()
        .default(false)
        .describe('with wall time, host and attempts of each run'),
    })
    .describe('the results of all runs that have ended, as a file; column: bytes u8'),
  'campaign.group': z.strictObject({
    campaign,
    by: names.describe('axes, scenario, sensor or seed: a group for each combination of values'),
    measures: names.optional().describe('left out: all'),
    where,
    level: z.number().min(0.5).max(0.9999).default(0.95).describe('confidence of the intervals'),
    compare: columnName
      .optional()
      .describe(
        'an axis: differences of its values from its first one, paired by seed and all other axes',
      ),
  }),
  'campaign.plot': z
    .strictObject({
      campaign,
      by: z.array(columnName).min(1).max(2).describe('axes: one is a line, two are a heat map'),
      measure: columnName,
      where,
      level: z.number().min(0.5).max(0.9999).default(0.95).describe('confidence of the intervals'),
    })
    .describe('a chart of grouped results, as SVG'),
} as const satisfies Record<string, z.ZodType>;

/** Requests about the runs of a campaign. */
export const campaignRunRequests = {
  'campaign.run': z
    .strictObject({
      campaign,
      text,
      limit,
      jobs: z
        .int()
        .min(1)
        .max(1024)
        .optional()
        .describe('runs at once; left out: as many as cores and memory allow'),
      isDetached: z
        .boolean()
        .default(false)
        .describe('continues when the caller is gone; campaign.stop ends it'),
      indices: z
        .array(z.int().nonnegative())
        .max(1_000_000)
        .optional()
        .describe('only these places in the plan; left out: all'),
      share: z
        .strictObject({
          folder: z.string().min(1).describe('absolute: of results that several machines write'),
          isCollecting: z
            .boolean()
            .default(false)
            .describe('true: results are taken from the folder, and nothing is executed'),
          isRetrying: z
            .boolean()
            .default(false)
            .describe(
              'with isCollecting: results of failed runs are removed from the folder instead',
            ),
          engine: z
            .string()
            .optional()
            .describe('of the machine that collects; this one must have the same'),
        })
        .optional()
        .describe('runs with a result in the folder are not executed; results of others go there'),
    })
    .describe('executes the runs that are missing; runs that failed are not repeated'),
  'campaign.status': z.strictObject({ campaign }),
  'campaign.watch': z
    .strictObject({ campaign })
    .describe('follows a campaign that this host runs, until it ends'),
  'campaign.stop': z
    .strictObject({ campaign })
    .describe('starts no more runs and ends those under way, which are repeated later'),
  'campaign.retry': z
    .strictObject({
      campaign,
      indices: z
        .array(z.int().nonnegative())
        .min(1)
        .max(1_000_000)
        .optional()
        .describe('places in the plan; left out: all that failed'),
    })
    .describe('failed runs are pending again'),
} as const satisfies Record<string, z.ZodType>;

/** 'stopped': runs are missing and no host executes them. */
export type CampaignState = 'running' | 'stopped' | 'finished';

export type CampaignRunState = 'pending' | 'running' | 'done' | 'failed';

/** Runs of a campaign by state. done + failed + running + pending = total. */
export interface CampaignCounts {
  total: number;
  done: number;
  failed: number;
  running: number;
  pending: number;
}

/** A campaign that is being executed; a chunk of campaign.run and campaign.watch. */
export interface CampaignProgress extends CampaignCounts {
  /** Runs of this call that have ended, reused ones included, of `calledFor`. */
  ended: number;
  calledFor: number;
  /** Runs that ended per minute of wall time, lately; null: none yet. */
  runsPerMinute: number | null;
  /** Wall time until the runs of the call have ended; null: not known yet. */
  remainingS: number | null;
  /** The last failure; null: none in this call. */
  lastError: { index: number; message: string } | null;
}

export interface CampaignStatus extends CampaignCounts {
  name: string;
  state: CampaignState;
  isa: Isa;
  /** Hash of the engine that its runs belong to. Null: it has never been started. */
  engine: string | null;
  /** Null: it has never been started. */
  startedMs: number | null;
  /** Failed runs, the first of them: their place in the plan, run and sentence. */
  failures: { index: number; runId: string | null; error: string }[];
}

export interface CampaignPlan {
  name: string;
  /** Runs of the call: all, or as many as `limit` says. */
  runs: number;
  new: number;
  /** Finished runs of the catalogue with the same identity. */
  reused: number;
  /** New runs that have finished before, without a measure that the campaign asks for. */
  remeasured: number;
  /** Wall time of a call that executes the new runs on this machine, estimated. */
  wallSeconds: number;
  /** The part of it that is no run: plan, processes, workers and their ends. */
  startUpS: number;
  /** Mean wall time of a new run in a process that executes one after another, scenes included. */
  runSeconds: number;
  /** Processor time of the host for a run, measured: it is one process, however many runs are executed at once. */
  hostRunS: number;
  /** Recordings of the new runs, estimated. */
  bytes: number;
  isa: Isa;
  /** Source of the estimate: finished runs of the catalogue, or some runs that were executed for it. */
  basis: 'finished-runs' | 'trial' | 'nothing-new';
  /** Runs at once, as the estimate assumes. */
  jobs: number;
  axes: CampaignAxisSummary[];
}

/** An axis of a plan, with the values that it takes. */
export interface CampaignAxisSummary {
  name: string;
  kind: 'scenario' | 'sensor' | 'values' | 'range' | 'normal' | 'seed';
  /** Different values in the plan; at most 1000 of them in `values`. */
  count: number;
  values: AxisValue[];
}

/** A column of results. Units are part of the names of measures. */
export interface ResultColumn {
  name: string;
  kind: 'plan' | 'axis' | 'measure' | 'timing';
  type: 'number' | 'text' | 'boolean';
}

/** Null: not known, or a field that is left out. */
export type ResultValue = AxisValue;

export interface ResultRow {
  /** Place in the plan. */
  index: number;
  /** Null: it has not been started. */
  runId: string | null;
  state: CampaignRunState;
  /** In the order of the columns; null: not known, such as a measure of a failed run. */
  values: ResultValue[];
}

/** A mean over the runs of a group, or the share of those with the value 1, with its confidence interval. */
export interface GroupStatistic {
  /** Wilson's interval for shares (values 0 and 1 only), bootstrap for means. */
  kind: 'share' | 'mean';
  /** Runs with a value. */
  n: number;
  mean: number | null;
  low: number | null;
  high: number | null;
}

export interface GroupRow {
  /** Values in the order of `by`. */
  key: ResultValue[];
  runs: number;
  /** In the order of `measures`. */
  statistics: GroupStatistic[];
}

/** Differences of runs that have the same seed and the same values of all other axes. */
export interface PairedDifference {
  key: ResultValue[];
  value: ResultValue;
  /** The first value of the axis. */
  against: ResultValue;
  statistics: GroupStatistic[];
}

/** Replies about campaign files, plans and results. */
export interface CampaignReplies {
  /** Samples, and the campaigns of the data folder, newest first. */
  'campaign.list': {
    samples: { id: string; description: string; file: string }[];
    campaigns: (CampaignCounts & {
      name: string;
      description: string;
      /** From which it was executed last. */
      file: string;
      state: CampaignState;
      /** Its file, or one that it names, says something else than when runs were planned or started last. */
      hasChanged: boolean;
      createdMs: number;
    })[];
  };
  /** runs, axes: of the plan; null where the text has problems. */
  'campaign.check': {
    problems: Problem[];
    value: Campaign | null;
    runs: number | null;
    axes: CampaignAxisSummary[];
  };
  'campaign.plan': CampaignPlan;
  /** `available`: all columns that can be asked for; `columns`: those of the values of rows. */
  'campaign.results': {
    columns: ResultColumn[];
    available: ResultColumn[];
    rows: ResultRow[];
    total: number;
  };
  /** Column: bytes u8. */
  'campaign.table': { rows: number };
  'campaign.group': {
    by: string[];
    measures: string[];
    rows: GroupRow[];
    /** With `compare`. */
    differences: PairedDifference[];
  };
  'campaign.plot': { svg: string };
}

/** Replies about the runs of a campaign. */
export interface CampaignRunReplies {
  /**
   * Chunks: CampaignProgress. Reply: the status at the end, and the runs of this call that were executed and ended well,
   * were replaced by finished runs, failed, or are pending still because it ended early. `notices`: sentences for a person, such as that a file changed meanwhile.
   */
  'campaign.run': CampaignStatus & {
    doneNow: number;
    reusedNow: number;
    failedNow: number;
    pendingNow: number;
    notices: string[];
  };
  'campaign.status': CampaignStatus;
  /** Chunks: CampaignProgress. */
  'campaign.watch': CampaignStatus;
  /** False: no host runs it. */
  'campaign.stop': { stopped: boolean };
  'campaign.retry': { pending: number };
}
