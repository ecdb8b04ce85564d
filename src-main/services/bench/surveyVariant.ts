// The variant of a survey: the rays of the other variants along a trajectory with a pose for each time at which pulses
// leave, in one call, into typed arrays of this process, as `scan` asks for a leg of a survey. No pulse has a pose nearer
// in time, so that denser poses change nothing.
import { trajectoryOf, trajectoryPoseAt } from '#domain/trajectory/trajectory.ts';
import { wholeScan, type NativePass, type WholeScan } from './nativeVariants.ts';
import { timed, type Meters, type Pass, type ScanWork } from './scanVariants.ts';

/** The scan along a dense trajectory. `pulses`: of the interval. */
export function surveyOf(work: ScanWork, pulses: number): WholeScan {
  const { request, trajectory } = wholeScan(work);
  const { banks } = work.sensor.recipe;
  const lasers = banks.reduce((sum, { elevationsRad }) => sum + elevationsRad.length, 0);
  const firings = Math.max(1, Math.round((pulses * banks.length) / Math.max(1, lasers)));
  const stepNs = (request.toNs - request.fromNs) / firings;
  const timesNs = Array.from({ length: firings + 1 }, (_, firing) =>
    Math.round(request.fromNs + firing * stepNs),
  );
  const distinct = [...new Set(timesNs)];
  const poses = distinct.map((timeNs) => trajectoryPoseAt(trajectory, timeNs));
  return { request, trajectory: trajectoryOf(distinct, poses) };
}

/** The native pipeline along it: for the hash of its rays. */
export async function surveyRays(
  { worker, signal }: ScanWork,
  { request, trajectory }: WholeScan,
): Promise<Pick<NativePass, 'directionHash'>> {
  return (await worker.call('bench.native', request, trajectory, { signal })).body;
}

/** One pass, as `scan` asks for a leg. */
export async function surveyPass(
  meters: Meters,
  { worker, signal }: ScanWork,
  { request, trajectory }: WholeScan,
): Promise<Pass> {
  return timed(meters, { worker }, async () => {
    const { body } = await worker.call('scan', request, trajectory, { signal });
    const { rays, pulses, hits } = body;
    return { rays, pulses, hits };
  });
}
