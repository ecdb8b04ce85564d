// The passes that the worker times by itself: its own pipeline, and Embree alone on the same rays.
import { UnderstoryError } from '#contract/errors.ts';
import type { ScanRequest } from '#contract/worker/worker.ts';
import type { RawPart } from '#contract/host/bench.ts';
import type { Pose } from '#contract/host/run.ts';
import type { SceneRecipe } from '#contract/worker/recipe.ts';
import type { BenchRawReply } from '#contract/worker/workerBench.ts';
import { autonomyColumns } from '#domain/autonomy/signals.ts';
import { hashedColumnsOf } from '#domain/sensor/recordedColumns.ts';
import { sensorTrajectory, type TickMotion } from '#services/runProcess/motion.ts';
import type { Trajectory } from '#domain/trajectory/trajectory.ts';
import type { Pass, ScanWork } from './scanVariants.ts';

/** A scan in one call. */
export interface WholeScan {
  request: ScanRequest;
  trajectory: Trajectory;
}

export type RawPass = Pick<
  BenchRawReply,
  'rays' | 'hits' | 'directionHash' | 'scanPacking' | 'packings'
>;

/** As the worker leaves instances out of the scene that it traces raw. */
export function rawPartOf({
  instances,
  scatters,
  landscapes = [],
  models,
  wind,
}: SceneRecipe): RawPart {
  const sways = ({ model }: { model: number }): boolean => {
    return wind !== undefined && models[model]?.sways === true;
  };
  const isPart =
    instances.some((instance) => instance.motion !== undefined || sways(instance)) ||
    landscapes.length > 0 ||
    scatters.some(sways);
  return isPart ? 'stationary part' : 'whole scene';
}

/** One pass of each of `packings`, or of all that the instruction set has. */
export async function rawPass(work: ScanWork, packings?: string[]): Promise<RawPass> {
  const { worker, signal } = work;
  const { request, trajectory } = wholeScan(work);
  const asked = packings === undefined ? request : { ...request, packings };
  return (await worker.call('bench.raw', asked, trajectory, { signal })).body;
}

/** The fastest packings, best first. */
export function fastest({ packings }: RawPass, most: number): string[] {
  const ordered = [...packings].sort((a, b) => a.seconds - b.seconds);
  return ordered.slice(0, most).map(({ name }) => name);
}

/** Variants that are worth repeating: ray by ray, the one of the pipeline, and the four fastest. */
export function worthRepeating(pass: RawPass): string[] {
  return [...new Set(['single', pass.scanPacking, ...fastest(pass, 4)])];
}

/** A pass of the pipeline, and what identifies its rays and rows. */
export interface NativePass extends Pass {
  hash: string;
  directionHash: string;
}

/** The pipeline without the hand-over. */
export async function nativePass(work: ScanWork): Promise<NativePass> {
  const { worker, signal } = work;
  const { request, trajectory } = wholeScan(work);
  const { body } = await worker.call('bench.native', request, trajectory, { signal });
  const { cpuSeconds, ...reply } = body;
  return { ...reply, coreSeconds: cpuSeconds };
}

/**
 * Proves that the scans that are sent have the rays of the native pass: the rows of the same
 * interval have the same hash.
 * @throws UnderstoryError 'worker-failed' where they have not
 */
export async function proveSameRows(work: ScanWork, native: NativePass): Promise<void> {
  const { worker, signal } = work;
  const { request, trajectory } = wholeScan(work);
  const { hash } = (await worker.call('scan', request, trajectory, { signal })).body;
  if (hash === native.hash) return;
  const message = `the scan differs from the native pass: ${hash}, ${native.hash}`;
  throw new UnderstoryError('worker-failed', message);
}

/** The poses of all ticks, each once. */
function joinedPath(motions: readonly TickMotion[]): Pick<TickMotion, 'timesNs' | 'poses'> {
  const poses = new Map(
    motions.flatMap((motion) =>
      motion.timesNs.map((timeNs, step) => [timeNs, motion.poses[step] as Pose] as const),
    ),
  );
  return { timesNs: [...poses.keys()], poses: [...poses.values()] };
}

/** All ticks as one scan, with the columns and the hash of a drive. */
export function wholeScan({ sensor, compiled, motions }: ScanWork): WholeScan {
  const [first] = motions;
  const last = motions.at(-1);
  if (first === undefined || last === undefined) throw new RangeError('there is nothing to scan');
  return {
    request: {
      sensor: sensor.recipe,
      fromNs: first.fromNs,
      toNs: last.toNs,
      seed: compiled.scenario.seed,
      columns: [...autonomyColumns],
      hashColumns: hashedColumnsOf({ ...compiled, sensors: [sensor] }),
      misses: false,
    },
    trajectory: sensorTrajectory(joinedPath(motions), sensor.mount),
  };
}
