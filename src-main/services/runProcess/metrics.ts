// The metrics of a run, from its drive, its judge and what was measured beside them.
import type { Mission } from '#contract/documents/scenario.ts';
import type { RunMetrics } from '#contract/host/run.ts';
import type { Judge } from '#domain/truth/judge.ts';
import type { ProcessMeter } from '#services/ports/system.ts';
import type { ScanWorker } from '#services/ports/workers.ts';
import type { DriveResult } from './driveLoop.ts';
import type { Durations } from './durations.ts';

/** Core-seconds of this process and the worker from here on; null where the worker was started again. */
export function startCoreMeter(meter: ProcessMeter, worker: ScanWorker): () => number | null {
  const { pid } = worker;
  const now = (): number => meter.cpuSeconds(meter.ownPid) + meter.cpuSeconds(pid);
  const start = now();
  return () => {
    const passed = now() - start;
    return worker.pid === pid && Number.isFinite(passed) ? passed : null;
  };
}

/** Measurements beside those of the drive itself. */
export interface MeasuredDrive {
  wallSeconds: number;
  coreSeconds: number | null;
  buildSeconds: number;
  peakRssBytes: number;
  planning: Durations;
  mapErrorShare: number | null;
}

/** The metrics of a run that has ended. */
export function metricsOf(
  { end, ticks, pulses, points, last, distanceToGoalM }: DriveResult,
  mission: Mission,
  judge: Pick<Judge, 'metrics'>,
  measured: MeasuredDrive,
): RunMetrics {
  const { wallSeconds, coreSeconds, buildSeconds, peakRssBytes } = measured;
  const planning = measured.planning.metrics();
  const [[startX, startY], [goalX, goalY]] = [mission.startM, mission.goalM];
  const simSeconds = last.toNs / 1e9;
  return {
    simSeconds,
    wallSeconds,
    realTimeFactor: simSeconds / wallSeconds,
    buildSeconds,
    ticks,
    pulses,
    points,
    goalReached: end === 'goal',
    distanceToGoalM,
    ...last.judged,
    mapErrorShare: measured.mapErrorShare,
    shortestLengthM: Math.hypot(goalX - startX, goalY - startY),
    energyJ: last.state.energyJ,
    meanPositionErrorM: judge.metrics().meanPositionErrorM,
    peakRssMB: peakRssBytes / 1e6,
    coreSeconds,
    plans: planning.count,
    planMedianMs: planning.medianMs,
    planP95Ms: planning.p95Ms,
    planMostMs: planning.maxMs,
  };
}
