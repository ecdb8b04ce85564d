// Results of a drive: one entry of the JSON report, and the table for people.
import type { Replies } from '#contract/host/methods.ts';
import type { RunDetails } from '#contract/host/runMethods.ts';
import type { RunEnd, RunMetrics, RunState } from '#contract/host/run.ts';
import { countText } from '#domain/shared/formats.ts';
import { tableLines } from './table.ts';

/** An entry of the array that `drive --json FILE` writes. */
export interface DriveReport {
  /** As asked for: id or file. */
  sensor: string;
  instancedTriangles: number | null;
  uniqueTriangles: number | null;
  grassBlades: number | null;
  trees: number | null;
  simSeconds: number | null;
  /** From the first tick to the last byte on disk; building apart. */
  wallSeconds: number | null;
  /** simSeconds / wallSeconds. */
  realTimeFactor: number | null;
  points: number | null;
  pulses: number | null;
  goalReached: boolean;
  distanceToGoalM: number | null;
  collisions: number | null;
  /** Sum over all processes. */
  peakRssMB: number | null;
  runId: string;
  /** Absolute paths; null where there was nothing to draw. */
  costMapPng: string | null;
  finalCostMapPng: string | null;
  cloudPng: string | null;
  seed: number;
  state: RunState;
  end: RunEnd | null;
  error: string | null;
  collidedWith: string[];
  pathLengthM: number | null;
  shortestLengthM: number | null;
  energyJ: number | null;
  groundCoverLengthM: number | null;
  meanPositionErrorM: number | null;
  buildSeconds: number | null;
  ticks: number | null;
  /** Ticks whose command came late; null: no external planner drove. */
  lateCommands: number | null;
  recordingFile: string;
  recordingBytes: number | null;
}

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
  return {
    sensor,
    instancedTriangles: scene?.instancedTriangles ?? null,
    uniqueTriangles: scene?.uniqueTriangles ?? null,
    grassBlades: scene?.grassBlades ?? null,
    trees: scene?.trees ?? null,
    simSeconds: metrics.simSeconds ?? null,
    wallSeconds: metrics.wallSeconds ?? null,
    realTimeFactor: metrics.realTimeFactor ?? null,
    points: metrics.points ?? null,
    pulses: metrics.pulses ?? null,
    goalReached: metrics.goalReached ?? false,
    distanceToGoalM: metrics.distanceToGoalM ?? null,
    collisions: metrics.collisions ?? null,
    peakRssMB: metrics.peakRssMB == null ? null : metrics.peakRssMB + hostPeakRssMB,
    runId: run.id,
    ...pictures,
    seed: run.seed,
    state: ending.state,
    end: ending.end,
    error: ending.error,
    collidedWith: metrics.collidedWith ?? [],
    pathLengthM: metrics.pathLengthM ?? null,
    shortestLengthM: metrics.shortestLengthM ?? null,
    energyJ: metrics.energyJ ?? null,
    groundCoverLengthM: metrics.groundCoverLengthM ?? null,
    meanPositionErrorM: metrics.meanPositionErrorM ?? null,
    buildSeconds: metrics.buildSeconds ?? null,
    ticks: metrics.ticks ?? null,
    lateCommands: metrics.lateCommands ?? null,
    recordingFile: run.recordingFile,
    recordingBytes: run.recordingBytes,
  };
}

/** The table of one or several drives. */
export function reportLines(reports: readonly DriveReport[]): string[] {
  const number = (of: (report: DriveReport) => number | null, digits: number) => {
    return (report: DriveReport): string => of(report)?.toFixed(digits) ?? '-';
  };
  const count = (of: (report: DriveReport) => number | null) => {
    return (report: DriveReport): string => {
      const value = of(report);
      return value === null ? '-' : countText(value);
    };
  };
  const hasPlanner = reports.some(({ lateCommands }) => lateCommands !== null);
  return tableLines(reports, [
    { title: 'sensor', value: ({ sensor }) => sensor },
    { title: 'goal', value: goalText },
    { title: 'to goal m', value: number((r) => r.distanceToGoalM, 1), align: 'right' },
    { title: 'path m', value: number((r) => r.pathLengthM, 1), align: 'right' },
    { title: 'collisions', value: count((r) => r.collisions), align: 'right' },
    ...(hasPlanner
      ? [{ title: 'late', value: count((r) => r.lateCommands), align: 'right' } as const]
      : []),
    { title: 'sim s', value: number((r) => r.simSeconds, 1), align: 'right' },
    { title: 'wall s', value: number((r) => r.wallSeconds, 1), align: 'right' },
    { title: 'x real time', value: number((r) => r.realTimeFactor, 2), align: 'right' },
    { title: 'pulses', value: count((r) => r.pulses), align: 'right' },
    { title: 'points', value: count((r) => r.points), align: 'right' },
    { title: 'memory MB', value: number((r) => r.peakRssMB, 0), align: 'right' },
  ]);
}

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
