// Inputs of measures: metrics, scans and ticks of a run, and their names in expressions.
import type { RunMetrics, TickRecord } from '#contract/host/run.ts';
import type { Value, ValueType } from './compileExpression.ts';

/** A scan with its ground truth. */
export interface MeasuredScan {
  tick: number;
  /** As the scenario names it. */
  sensor: string;
  /** End of the scan, simulated time. */
  timeS: number;
  pulses: number;
  returns: number;
  classReturns: Readonly<Record<string, number>>;
}

/** A run as measures read it. Scans, ticks and instances are read only where a measure needs them. */
export interface MeasuredRun {
  metrics: RunMetrics;
  /** By end, then sensor. */
  scans(): readonly MeasuredScan[];
  ticks(): readonly TickRecord[];
  /** Returns of a named instance in each scan that saw it, by scanKey. */
  instanceReturns(name: string): ReadonlyMap<string, number>;
}

/** The key of a scan in `instanceReturns`. */
export function scanKey({ tick, sensor }: Pick<MeasuredScan, 'tick' | 'sensor'>): string {
  return `${tick} ${sensor}`;
}

export interface NamedValue<T> {
  type: ValueType;
  of: (subject: T) => Value;
}

/** Names of a run's metrics in measures, with their meaning. */
export const runMeasures = {
  goal: { meaning: 'the goal was reached, 1 or 0', of: (run) => run.goalReached },
  simSeconds: { meaning: 'simulated time', of: (run) => run.simSeconds },
  ticks: { meaning: 'simulated ticks', of: (run) => run.ticks },
  pulses: { meaning: 'pulses of all sensors', of: (run) => run.pulses },
  points: { meaning: 'returns of all sensors', of: (run) => run.points },
  distanceToGoalM: { meaning: 'distance to the goal at the end', of: (run) => run.distanceToGoalM },
  collisions: { meaning: 'collisions with solid objects', of: (run) => run.collisions },
  clearanceM: {
    meaning:
      'smallest distance between hull and obstacle, 0 after a collision; unknown beyond 10 m',
    of: (run) => run.clearanceM ?? null,
  },
  mapErrorShare: {
    meaning: 'share of the known cells of the last cost map that are wrong about obstacles',
    of: (run) => run.mapErrorShare ?? null,
  },
  pathLengthM: { meaning: 'length of the path driven', of: (run) => run.pathLengthM },
  shortestLengthM: {
    meaning: 'straight line from start to goal',
    of: (run) => run.shortestLengthM,
  },
  energyJ: { meaning: 'energy of the drive', of: (run) => run.energyJ },
  groundCoverLengthM: {
    meaning: 'length of the path through ground cover',
    of: (run) => run.groundCoverLengthM,
  },
  positionErrorM: {
    meaning: 'mean error of the estimated position',
    of: (run) => run.meanPositionErrorM,
  },
} as const satisfies Record<
  string,
  { meaning: string; of: (metrics: RunMetrics) => number | boolean | null }
>;

/** Names in count(scans, …) and its like. */
export const scanNames: Record<string, NamedValue<MeasuredScan>> = {
  time: { type: 'number', of: (scan) => scan.timeS },
  tick: { type: 'number', of: (scan) => scan.tick },
  sensor: { type: 'text', of: (scan) => scan.sensor },
  pulses: { type: 'number', of: (scan) => scan.pulses },
  points: { type: 'number', of: (scan) => scan.returns },
};

/** Names in count(ticks, …) and its like. */
export const tickNames: Record<string, NamedValue<TickRecord>> = {
  time: { type: 'number', of: (tick) => tick.timeNs / 1e9 },
  tick: { type: 'number', of: (tick) => tick.tick },
  speedMPerS: { type: 'number', of: (tick) => tick.speedMPerS },
  distanceToGoalM: { type: 'number', of: (tick) => tick.distanceToGoalM },
  collisions: { type: 'number', of: (tick) => tick.collisions },
  activity: { type: 'text', of: (tick) => tick.activity },
  positionErrorM: { type: 'number', of: positionErrorM },
};

function positionErrorM({ truth, estimate }: TickRecord): number {
  const [x, y] = truth.positionM;
  const [estimatedX, estimatedY] = estimate.positionM;
  return Math.sqrt((estimatedX - x) * (estimatedX - x) + (estimatedY - y) * (estimatedY - y));
}
