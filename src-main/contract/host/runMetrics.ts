// The metrics of a run, a row each: type, texts, name in measures and conditions, column in lists of runs. Campaigns,
// conditions, lists, comparisons and reports are made from these rows.
import { z } from 'zod';

export interface RunMetricTexts {
  title: string;
  meaning: string;
  /** Left out: a number without unit, or no number. */
  unit?: string;
  /** Stored units in one of `unit`; left out: 1. */
  scale?: number;
  /** Left out: a count. */
  decimals?: number;
  /** Left out: neither. */
  better?: 'less' | 'more';
  /** Name in measures and conditions; left out: it has none. */
  measure?: string;
  /** Column of lists of runs; `sortKey` needs a column of the catalogue (catalogue/migrations). */
  column?: { title: string; sortKey: string };
}

const number = z.number();
const whole = z.int().nonnegative();
/** Not known of a run from a bundle. */
const ofMachine = number.nullable();
/** Left out: not known, since an earlier version executed the run. */
const sinceLater = number.nullable().exactOptional();

/** Left out: the scenario has no estimate. Null: no voxel is known, or there is no leaf area. */
const ofEstimate = number.nullable().exactOptional();

const seconds = { unit: 's', decimals: 1 } as const;
const milliseconds = { unit: 'ms', decimals: 1, better: 'less' } as const;
const metres = { unit: 'm', decimals: 1 } as const;
const percent = { unit: '%', scale: 0.01, decimals: 1 } as const;

/** Estimates of leaf area of voxels against their truth, over the voxels that the estimator knows. */
const estimateRows = {
  estimatedVoxels: row(
    whole.exactOptional(),
    'Voxels with an estimate',
    'voxels that enough beams enter to estimate their leaf area',
    { measure: 'estimatedVoxels' },
  ),
  occludedShare: row(
    ofEstimate,
    'Occluded',
    'share of the lines of beams through the voxels, by length, that no beam reached',
    { ...percent, measure: 'occludedShare' },
  ),
  contactBias: biasRow('contact frequency', 'contactBias'),
  contactRmse: rmseRow('contact frequency', 'contactRmse'),
  likelihoodBias: biasRow('maximum likelihood', 'likelihoodBias'),
  likelihoodRmse: rmseRow('maximum likelihood', 'likelihoodRmse'),
  beerLambertBias: biasRow('Beer and Lambert', 'beerLambertBias'),
  beerLambertRmse: rmseRow('Beer and Lambert', 'beerLambertRmse'),
};

/** Metrics that equal runs have in common; those of a later version are left out. */
const driveRows = {
  simSeconds: row(number, 'Simulated time', 'simulated time', {
    ...seconds,
    measure: 'simSeconds',
    column: { title: 'Time', sortKey: 'simSeconds' },
  }),
  ticks: row(whole, 'Ticks', 'simulated ticks', { measure: 'ticks' }),
  pulses: row(whole, 'Pulses', 'pulses of all sensors', { measure: 'pulses' }),
  points: row(whole, 'Points', 'returns of all sensors', {
    measure: 'points',
    column: { title: 'Points', sortKey: 'points' },
  }),
  goalReached: row(z.boolean(), 'Goal reached', 'the goal was reached, 1 or 0', {
    measure: 'goal',
  }),
  distanceToGoalM: row(number, 'Distance to goal', 'distance to the goal at the end', {
    ...metres,
    better: 'less',
    measure: 'distanceToGoalM',
    column: { title: 'To goal', sortKey: 'distanceToGoal' },
  }),
  collisions: row(whole, 'Collisions', 'collisions with solid objects', {
    better: 'less',
    measure: 'collisions',
    column: { title: 'Collisions', sortKey: 'collisions' },
  }),
  movingCollisions: row(sinceLater, 'With moving objects', 'collisions with objects that move', {
    better: 'less',
    measure: 'movingCollisions',
  }),
  collidedWith: row(
    z.array(z.string().max(500)),
    'Collided with',
    'names of the instances that were run into',
    {},
  ),
  pathLengthM: row(number, 'Path', 'length of the path driven', {
    ...metres,
    measure: 'pathLengthM',
  }),
  clearanceM: row(
    sinceLater,
    'Clearance',
    'smallest distance between hull and obstacle, 0 after a collision; unknown beyond 10 m',
    { unit: 'm', decimals: 2, better: 'more', measure: 'clearanceM' },
  ),
  mapErrorShare: row(
    sinceLater,
    'Errors of the cost map',
    'share of the known cells of the last cost map that are wrong about obstacles',
    { ...percent, better: 'less', measure: 'mapErrorShare' },
  ),
  shortestLengthM: row(number, 'Straight line', 'straight line from start to goal', {
    ...metres,
    measure: 'shortestLengthM',
  }),
  energyJ: row(number, 'Energy', 'energy of the drive', {
    unit: 'kJ',
    scale: 1000,
    decimals: 1,
    better: 'less',
    measure: 'energyJ',
  }),
  groundCoverLengthM: row(
    number,
    'Through ground cover',
    'length of the path through ground cover',
    { ...metres, measure: 'groundCoverLengthM' },
  ),
  meanPositionErrorM: row(number, 'Position error, mean', 'mean error of the estimated position', {
    unit: 'm',
    decimals: 3,
    better: 'less',
    measure: 'positionErrorM',
    column: { title: 'Position error', sortKey: 'positionError' },
  }),
  plans: row(whole, 'Plans', 'times that the path was planned', {}),
  lateCommands: row(
    whole.exactOptional(),
    'Late commands',
    'ticks whose command came late; left out: no external planner drove',
    { better: 'less' },
  ),
  ...estimateRows,
};

/** Metrics of the machine, which differ between equal runs. */
const machineRows = {
  wallSeconds: row(
    ofMachine,
    'Wall time',
    'from the first tick to the last byte on disk; building apart, pauses left out',
    seconds,
  ),
  realTimeFactor: row(ofMachine, 'Real-time factor', 'simulated time over wall time', {
    unit: '×',
    decimals: 2,
    better: 'more',
    column: { title: 'Real-time', sortKey: 'realTimeFactor' },
  }),
  buildSeconds: row(ofMachine, 'Scene build', 'wall time of building the scene', seconds),
  peakRssMB: row(ofMachine, 'Peak memory', 'most memory of the run process', {
    unit: 'MB',
    decimals: 0,
    better: 'less',
  }),
  coreSeconds: row(
    ofMachine,
    'Processor time',
    'user and system time of the run process and its worker over wallSeconds',
    seconds,
  ),
  mainThreadSeconds: row(
    sinceLater,
    'Main thread',
    'time in which the event loop of the run process was busy',
    { ...seconds, better: 'less' },
  ),
  mainThreadCpuSeconds: row(
    sinceLater,
    'Main thread, processor time',
    'processor time of the same thread',
    { ...seconds, better: 'less' },
  ),
  writerSeconds: row(
    sinceLater,
    'Writer',
    "processor time of the worker's thread that takes the rows of all others in order",
    { ...seconds, better: 'less' },
  ),
  movedMB: row(
    sinceLater,
    'Moved data',
    'read and written by the run process and its worker, pipes included',
    { unit: 'MB', decimals: 0, better: 'less' },
  ),
  planMedianMs: row(
    ofMachine,
    'Median plan',
    'wall time of planning again: costs taken over, A*, corners cut',
    milliseconds,
  ),
  planP95Ms: row(ofMachine, 'Plan, 95 %', 'the same, 95th percentile', milliseconds),
  planMostMs: row(ofMachine, 'Longest plan', 'the same, maximum', milliseconds),
};

export const driveMetricsSchema = z.object(shapeOf(driveRows));
export type DriveMetrics = z.output<typeof driveMetricsSchema>;

export const runMetricsSchema = z.object({ ...shapeOf(machineRows), ...shapeOf(driveRows) });
export type RunMetrics = z.output<typeof runMetricsSchema>;

export const machineMetrics = namesOf(machineRows);

/** Names of the metrics that only runs of a scenario with an estimate have. */
export const estimateMetrics = namesOf(estimateRows);
export type EstimateMetrics = Pick<DriveMetrics, keyof typeof estimateRows>;

type Rows = typeof driveRows & typeof machineRows;
export type RunMetricName = keyof Rows;

/** Every metric, in the order of lists. */
export const runMetrics: Readonly<Record<RunMetricName, RunMetricTexts>> = {
  ...driveRows,
  ...machineRows,
};
export const runMetricNames = namesOf(runMetrics);

/** Names of metrics in measures and conditions, each with the field that it reads. */
export const measureFields: ReadonlyMap<string, RunMetricName> = new Map(
  namesOf(runMetrics).flatMap((field) => {
    const { measure } = runMetrics[field];
    return measure === undefined ? [] : [[measure, field] as const];
  }),
);

/** The type of such a name; null: there is none. */
export function measureType(name: string): 'boolean' | 'number' | null {
  const field = measureFields.get(name);
  if (field === undefined) return null;
  return runMetricsSchema.shape[field] instanceof z.ZodBoolean ? 'boolean' : 'number';
}

/** Columns of lists of runs, in the order of the metrics. */
export const metricColumns = namesOf(runMetrics).flatMap((name) => {
  const { column, measure } = runMetrics[name];
  if (column === undefined) return [];
  // Why the cast: the key of a row that is found by its name is a string to the compiler.
  return [{ name, measure, title: column.title, sortKey: column.sortKey as MetricSortKey }];
});

type SortKeyOf<R> = R extends { column: { sortKey: infer K } } ? K : never;
export type MetricSortKey = SortKeyOf<Rows[RunMetricName]>;

function row<S extends z.ZodType, const T extends Omit<RunMetricTexts, 'title' | 'meaning'>>(
  schema: S,
  title: string,
  meaning: string,
  texts: T,
): { schema: S; title: string; meaning: string } & T {
  return { schema: schema.describe(meaning), title, meaning, ...texts };
}

function biasRow(estimator: string, measure: string) {
  const meaning = `leaf area by ${estimator} over its truth, less 1`;
  return row(ofEstimate, `Bias, ${estimator}`, meaning, { ...percent, measure });
}

function rmseRow(estimator: string, measure: string) {
  const meaning = `root mean square error of the density of voxels by ${estimator}, over their mean truth`;
  const texts = { ...percent, better: 'less', measure } as const;
  return row(ofEstimate, `Error, ${estimator}`, meaning, texts);
}

// Why the casts: Object.entries and Object.keys lose the names.
function shapeOf<T extends Record<string, { schema: z.ZodType }>>(
  rows: T,
): { [K in keyof T]: T[K]['schema'] } {
  const shape = Object.entries(rows).map(([name, { schema }]) => [name, schema]);
  return Object.fromEntries(shape) as { [K in keyof T]: T[K]['schema'] };
}

function namesOf<T extends object>(rows: T): (keyof T)[] {
  return Object.keys(rows) as (keyof T)[];
}
