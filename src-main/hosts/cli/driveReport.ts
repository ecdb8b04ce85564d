// Results of a drive: one entry of the JSON report, and the table for people.
import type { Replies } from '#contract/host/methods.ts';
import type { RunDetails } from '#contract/host/runMethods.ts';
import type { RunEnd, RunState } from '#contract/host/run.ts';
import {
  runMetricNames,
  runMetrics,
  type RunMetricName,
  type RunMetrics,
} from '#contract/host/runMetrics.ts';
import { countText } from '#domain/shared/formats.ts';
import { metricValue } from '#domain/shared/runMetrics.ts';
import { tableLines } from './table.ts';

/** Metrics of a drive; null where they are not known. */
type ReportedMetrics = {
  [N in Exclude<RunMetricName, 'goalReached' | 'collidedWith'>]: number | null;
};

/** An entry of the array that `drive --json FILE` writes: with every metric of contract/host/runMetrics.ts. */
export interface DriveReport extends ReportedMetrics, DrivePictureFiles {
  /** As asked for: id or file. */
  sensor: string;
  instancedTriangles: number | null;
  uniqueTriangles: number | null;
  grassBlades: number | null;
  trees: number | null;
  goalReached: boolean;
  collidedWith: string[];
  runId: string;
  seed: number;
  state: RunState;
  end: RunEnd | null;
  error: string | null;
  recordingFile: string;
  recordingBytes: number | null;
}

/** Absolute paths; null where there was nothing to draw. */
export interface DrivePictureFiles {
  costMapPng: string | null;
  finalCostMapPng: string | null;
  cloudPng: string | null;
}

/** Puts an entry together; `hostPeakRssMB` is this process's share of the memory. */
export function driveReport(
  sensor: string,
  run: RunDetails,
  ending: Replies['drive.watch'],
  pictures: DrivePictureFiles,
  hostPeakRssMB: number,
): DriveReport {
  const { scene } = run;
  const metrics: Partial<RunMetrics> = ending.metrics ?? {};
  // Why the cast: Object.fromEntries loses the names.
  const known = Object.fromEntries(
    runMetricNames.map((name) => [name, metrics[name] ?? null]),
  ) as ReportedMetrics;
  return {
    sensor,
    instancedTriangles: scene?.instancedTriangles ?? null,
    uniqueTriangles: scene?.uniqueTriangles ?? null,
    grassBlades: scene?.grassBlades ?? null,
    trees: scene?.trees ?? null,
    ...known,
    goalReached: metrics.goalReached ?? false,
    collidedWith: metrics.collidedWith ?? [],
    // Sum over all processes.
    peakRssMB: metrics.peakRssMB == null ? null : metrics.peakRssMB + hostPeakRssMB,
    runId: run.id,
    ...pictures,
    seed: run.seed,
    state: ending.state,
    end: ending.end,
    error: ending.error,
    recordingFile: run.recordingFile,
    recordingBytes: run.recordingBytes,
  };
}

/** The table of one or several drives. */
export function reportLines(reports: readonly DriveReport[]): string[] {
  const metric = (title: string, name: keyof ReportedMetrics) => {
    const { unit, decimals } = runMetrics[name];
    const value = (report: DriveReport): string => {
      const number = metricValue(name, report);
      if (number === null) return '-';
      return decimals === undefined ? countText(number) : number.toFixed(decimals);
    };
    const hasUnit = unit !== undefined && unit !== '×';
    return { title: hasUnit ? `${title} ${unit}` : title, value, align: 'right' } as const;
  };
  const hasPlanner = reports.some(({ lateCommands }) => lateCommands !== null);
  const hasEstimate = reports.some(({ estimatedVoxels }) => estimatedVoxels !== null);
  return tableLines(reports, [
    { title: 'sensor', value: ({ sensor }) => sensor },
    { title: 'goal', value: goalText },
    metric('to goal', 'distanceToGoalM'),
    metric('path', 'pathLengthM'),
    metric('collisions', 'collisions'),
    ...(hasPlanner ? [metric('late', 'lateCommands')] : []),
    metric('sim', 'simSeconds'),
    metric('wall', 'wallSeconds'),
    metric('x real time', 'realTimeFactor'),
    metric('pulses', 'pulses'),
    metric('points', 'points'),
    metric('memory', 'peakRssMB'),
    ...(hasEstimate ? estimateColumns.map(([title, name]) => metric(title, name)) : []),
  ]);
}

const estimateColumns = [
  ['voxels', 'estimatedVoxels'],
  ['occluded', 'occludedShare'],
  ['contact bias', 'contactBias'],
  ['likelihood bias', 'likelihoodBias'],
  ['Beer-Lambert bias', 'beerLambertBias'],
] as const;

/** One sentence on why a drive did not arrive; null where it did, or was not asked to. */
export function shortfallText(report: DriveReport): string | null {
  const { sensor, state, end, error, distanceToGoalM, collisions, collidedWith } = report;
  if (state === 'failed' || state === 'interrupted') return `${sensor}: ${error ?? state}`;
  const away = distanceToGoalM === null ? '' : ` ${distanceToGoalM.toFixed(1)} m from the goal`;
  const bumps = collisions === 0 ? '' : `, after running into ${collidedWith.join(', ')}`;
  if (end === 'stuck') return `${sensor}: stuck${away}${bumps}`;
  if (end === 'timeout') return `${sensor}: timed out${away}${bumps}`;
  if (collisions !== null && collisions > 0)
    return `${sensor}: ran into ${collidedWith.join(', ')}`;
  return null;
}

function goalText({ goalReached, end, state }: DriveReport): string {
  if (goalReached) return 'reached';
  if (end === 'seconds') return 'not yet';
  return end ?? state;
}
