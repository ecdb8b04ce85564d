// The passes that the worker times by itself: its own pipeline, and Embree alone on the same rays.
import type { ScanRequest } from '#contract/worker.ts';
import { driveColumns } from '#services/run/driveColumns.ts';
import { sensorTrajectory } from '#services/run/motion.ts';
import type { Trajectory } from '#services/ports.ts';
import type { Meters, Pass, ScanWork } from './scanWays.ts';

/** One pass of every packing. */
export interface RawPass {
  rays: number;
  hits: number;
  directionHash: string;
  packings: { name: string; seconds: number }[];
}

/** @throws 'worker-failed' where the packings do not agree on what was hit */
export async function rawPass({ worker, ...work }: ScanWork): Promise<RawPass> {
  const { request, trajectory } = wholeScan({ worker, ...work });
  return worker.benchRaw(request, trajectory, { signal: work.signal });
}

/** The pipeline without the hand-over. */
export async function nativePass(
  { meter }: Meters,
  work: ScanWork,
): Promise<Pass & { directionHash: string }> {
  const { worker, signal } = work;
  const { request, trajectory } = wholeScan(work);
  const coresAtStart = meter.cpuSeconds(worker.pid);
  const reply = await worker.benchNative(request, trajectory, { signal });
  return { ...reply, coreSeconds: meter.cpuSeconds(worker.pid) - coresAtStart };
}

/** All ticks as one scan, with the columns of a drive. */
function wholeScan({ sensor, compiled, motions }: ScanWork): {
  request: ScanRequest;
  trajectory: Trajectory;
} {
  const [first] = motions;
  const last = motions.at(-1);
  if (first === undefined || last === undefined) throw new RangeError('there is nothing to scan');
  return {
    request: {
      sensor: sensor.recipe,
      fromNs: first.fromNs,
      toNs: last.toNs,
      seed: compiled.scenario.seed,
      columns: driveColumns,
      misses: false,
    },
    trajectory: sensorTrajectory(first, sensor.mount),
  };
}
