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
