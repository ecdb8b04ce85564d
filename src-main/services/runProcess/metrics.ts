// The metrics of a run, from its drive, its judge and what was measured beside them.
import type { Mission } from '#contract/documents/scenario.ts';
import type { RunMetrics } from '#contract/host/run.ts';
import type { Judge } from '#domain/truth/judge.ts';
import type { ProcessMeter } from '#services/ports/system.ts';
import type { ScanWorker } from '#services/ports/workers.ts';
import type { DriveResult } from './driveLoop.ts';
import type { Durations } from './durations.ts';

/** The use of this process and its worker; null where the worker was started again, or the system does not report it. */
export interface MeteredUse {
  coreSeconds: number | null;
  mainThreadSeconds: number;
  mainThreadCpuSeconds: number;
  movedMB: number | null;
}

/** The use from here on. */
export function startMeter(meter: ProcessMeter, worker: ScanWorker): () => MeteredUse {
  const { pid } = worker;
  const cores = (): number => meter.cpuSeconds(meter.ownPid) + meter.cpuSeconds(pid);
  const moved = (): number => meter.movedBytes(meter.ownPid) + meter.movedBytes(pid);
  const [coresBefore, movedBefore, before] = [cores(), moved(), meter.mainThread()];
  const known = (passed: number): number | null =>
    worker.pid === pid && Number.isFinite(passed) ? passed : null;
  return () => {
    const { busy, cpu } = meter.mainThread();
    return {
      coreSeconds: known(cores() - coresBefore),
      mainThreadSeconds: busy - before.busy,
      mainThreadCpuSeconds: cpu - before.cpu,
      movedMB: known((moved() - movedBefore) / 1e6),
    };
  };
}

/** Measurements beside those of the drive itself. */
export interface MeasuredDrive extends MeteredUse {
  wallSeconds: number;
  buildSeconds: number;
  peakRssBytes: number;
  planning: Durations;
  mapErrorShare: number | null;
}

/** The metrics of a run that has ended. */
export function metricsOf(
  { end, ticks, pulses, points, last, distanceToGoalM, writerSeconds }: DriveResult,
  mission: Mission,
  judge: Pick<Judge, 'metrics'>,
  measured: MeasuredDrive,
): RunMetrics {
  const { wallSeconds, coreSeconds, buildSeconds, peakRssBytes } = measured;
  const { mainThreadSeconds, mainThreadCpuSeconds, movedMB } = measured;
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
    mainThreadSeconds,
    mainThreadCpuSeconds,
    writerSeconds,
    movedMB,
    plans: planning.count,
    planMedianMs: planning.medianMs,
    planP95Ms: planning.p95Ms,
    planMostMs: planning.maxMs,
  };
}
