// Where the sensor of a single scan is over time, and for which interval: one pose, or the poses of a file.
import { UnderstoryError } from '#contract/errors.ts';
import type { RequestOf } from '#contract/host/methods.ts';
import type { Problem } from '#contract/documents/problems.ts';
import { distanceProblem, trajectoryFromWorld } from '#domain/scene/georeference.ts';
import { poseFromDegrees } from '#domain/shared/pose.ts';
import type { OriginM } from '#contract/worldOrigin.ts';
import { standingAt, type Trajectory } from '#domain/trajectory/trajectory.ts';
import { readTrajectory } from '#services/documents/trajectoryFile.ts';
import type { Files } from '#services/ports/files.ts';

/** worldFromSensor over [fromNs, toNs) of simulated time; relative to the origin of the scene after pathInScene. */
export interface ScanPath {
  trajectory: Trajectory;
  fromNs: number;
  toNs: number;
}

type PathRequest = Pick<RequestOf<'scan.start'>, 'pose' | 'trajectory' | 'fromS' | 'seconds'>;

/**
 * The path relative to the origin of the scene. @throws 'bad-input' where a pose is too far from it
 */
export function pathInScene(
  path: ScanPath,
  originM: OriginM,
  request: Pick<PathRequest, 'trajectory'>,
): ScanPath {
  const { time_ns, x_m, y_m, z_m } = path.trajectory;
  for (const [row, x] of x_m.entries()) {
    const found = distanceProblem(originM, [x, y_m[row] ?? 0, z_m[row] ?? 0]);
    if (found === null) continue;
    const isFile = request.trajectory !== undefined;
    const message = isFile ? `at ${Number(time_ns[row] ?? 0n) / 1e9} s: ${found}` : found;
    throw unusable([{ path: isFile ? 'trajectory.file' : 'pose', code: 'too-far', message }]);
  }
  return { ...path, trajectory: trajectoryFromWorld(path.trajectory, originM) };
}

/**
 * The path that a request asks for, in world coordinates. Along a trajectory the interval is that of its poses where the request names none,
 * and lies within it. @throws 'bad-input' with every problem
 */
export async function scanPathOf(
  files: Files,
  request: PathRequest,
  signal: AbortSignal,
): Promise<ScanPath> {
  const { pose, trajectory: file, fromS, seconds } = request;
  if (file === undefined) {
    if (pose === undefined || seconds === undefined) {
      throw new UnderstoryError('internal', 'the schema lets no scan pass without its pose');
    }
    const fromNs = nanosecondsOf(fromS ?? 0);
    const toNs = fromNs + nanosecondsOf(seconds);
    return { trajectory: standingAt(poseFromDegrees(pose)), fromNs, toNs };
  }
  const { value, problems } = await readTrajectory(files, file, signal);
  if (value === null) throw unusable(problems);
  return pathAlong(value.trajectory, { fromS, seconds }, 'trajectory.file');
}

/**
 * The path along poses, from the first to the last of them where the request names no interval.
 * @param path of the poses in the request, for problems @throws 'bad-input' where the interval is not within the poses
 */
export function pathAlong(
  trajectory: Trajectory,
  { fromS, seconds }: Pick<PathRequest, 'fromS' | 'seconds'>,
  path: string,
): ScanPath {
  const { time_ns: times } = trajectory;
  const [firstNs, lastNs] = [Number(times[0]), Number(times.at(-1))];
  const fromNs = fromS === undefined ? firstNs : nanosecondsOf(fromS);
  const toNs = seconds === undefined ? lastNs : fromNs + nanosecondsOf(seconds);
  const found = intervalProblems({ fromNs, toNs }, { firstNs, lastNs }, { seconds }, path);
  if (found.length > 0) throw unusable(found);
  return { trajectory, fromNs, toNs };
}

function intervalProblems(
  { fromNs, toNs }: { fromNs: number; toNs: number },
  { firstNs, lastNs }: { firstNs: number; lastNs: number },
  { seconds }: Pick<PathRequest, 'seconds'>,
  ofPoses: string,
): Problem[] {
  const problems: Problem[] = [];
  const add = (path: string, message: string): void =>
    void problems.push({ path, code: 'custom', message });
  const poses = `poses from ${firstNs / 1e9} s to ${lastNs / 1e9} s`;
  if (fromNs < firstNs) {
    add('fromS', `expected a time within the ${poses}, found ${fromNs / 1e9} s`);
  }
  if (toNs > lastNs) {
    add('seconds', `expected an end within the ${poses}, found ${toNs / 1e9} s`);
  }
  if (toNs <= fromNs && seconds === undefined) {
    add(ofPoses, `expected poses that cover some time after ${fromNs / 1e9} s`);
  }
  return problems;
}

/** The error for a path with these problems. */
export function unusable(problems: Problem[]): UnderstoryError {
  const lines = problems.map(({ path, message }) => `  ${path}: ${message}`);
  const message = `the poses of the sensor cannot be used:\n${lines.join('\n')}`;
  return new UnderstoryError('bad-input', message, { problems });
}

/** Whole nanoseconds. */
export function nanosecondsOf(seconds: number): number {
  return Math.round(seconds * 1e9);
}
