// Where the sensor of a single scan is over time, and for which interval: one pose, the poses of a file, or the legs of
// the scenario's survey.
import { oneScanNs, traitsOf } from '#contract/documents/sensorScan.ts';
import { UnderstoryError } from '#contract/errors.ts';
import type { RequestOf } from '#contract/host/methods.ts';
import type { Problem } from '#contract/documents/problems.ts';
import type { SensorRecipe } from '#contract/worker/recipe.ts';
import type { Progress } from '#contract/worker/worker.ts';
import { trajectoryFromWorld } from '#domain/scene/georeference.ts';
import { poseFromDegrees } from '#domain/shared/pose.ts';
import type { OriginM } from '#contract/worldOrigin.ts';
import { withPoseNoise } from '#domain/trajectory/poseNoise.ts';
import { legOfTrajectory } from '#domain/trajectory/surveyLegs.ts';
import { stationaryAt, withMount, type Trajectory } from '#domain/trajectory/trajectory.ts';
import { readTrajectory } from '#services/documents/trajectoryFile.ts';
import { farPose, type LoadedSurvey } from '#services/documents/survey.ts';
import type { Files } from '#services/ports/files.ts';

/** [fromNs, toNs) of simulated time. */
export interface Interval {
  fromNs: number;
  toNs: number;
}

/** sceneFromSensor over an interval. */
export interface ScanLeg extends Interval {
  name: string;
  trajectory: Trajectory;
  /** Instant of its time 0, in whole seconds since 1970. Left out: it is simulated time. */
  epochS?: number;
  /** In place of the sensor that all legs share. */
  sensor?: SensorRecipe;
}

/** worldFromSensor over an interval: what a request gives, before the scene and its origin are known. */
export type WorldLeg = ScanLeg;

/** A scan: its legs one after another, and the interval of them that is asked for. */
export interface ScanPath extends Interval {
  legs: ScanLeg[];
  /** Everything that the legs cover. */
  whole: Interval;
  /** Legs are numbered in what is written. */
  isSurvey: boolean;
}

/** Part of a leg that is scanned at once; `tick` counts from the start of the whole. */
export interface ScanPiece extends Interval {
  leg: number;
  tick: number;
}

type PathRequest = Pick<
  RequestOf<'scan.start'>,
  'pose' | 'trajectory' | 'fromS' | 'toS' | 'seconds' | 'part'
>;

/**
 * The legs of a request that has some of its own; null: the scenario's survey is asked for. Why apart: a wrong file is
 * known before a scenario is read.
 * @throws 'bad-input' with every problem
 */
export async function requestedLegs(
  files: Files,
  { pose, trajectory: file, fromS, toS, seconds }: PathRequest,
  signal: AbortSignal,
): Promise<WorldLeg[] | null> {
  if (pose !== undefined) {
    const fromNs = nanosecondsOf(fromS ?? 0);
    const toNs = toS === undefined ? fromNs + nanosecondsOf(seconds ?? 0) : nanosecondsOf(toS);
    const isOneScan = toS === undefined && seconds === undefined;
    if (toNs <= fromNs && !isOneScan)
      throw unusable([problemAt('toS', 'expected an end after the start')]);
    return [{ name: 'pose', fromNs, toNs, trajectory: stationaryAt(poseFromDegrees(pose)) }];
  }
  if (file === undefined) return null;
  const { value, problems } = await readTrajectory(files, file, signal);
  if (value === null) throw unusable(problems);
  const { trajectory, epochS } = value;
  return [{ ...legAlong(trajectory, 'trajectory.file'), ...(epochS > 0 && { epochS }) }];
}

/** The leg from the first pose to the last. @param path of the poses in the request, for the problem @throws 'bad-input' where they have one time */
export function legAlong(trajectory: Trajectory, path: string): ScanLeg {
  const leg = legOfTrajectory(trajectory);
  if (leg.toNs > leg.fromNs) return leg;
  const message = `expected poses that cover some time after ${leg.fromNs / 1e9} s`;
  throw unusable([problemAt(path, message)]);
}

/**
 * The legs that a request gives, in the scene; one that has no end yet has that of one panorama of the sensor.
 * @throws 'bad-input' where a pose is too far from the origin of the scene, or another sensor is to end
 */
export function legsInScene(
  legs: readonly WorldLeg[],
  originM: OriginM,
  request: Pick<PathRequest, 'trajectory'>,
  sensor: SensorRecipe | null,
): ScanLeg[] {
  return legs.map((given) => {
    const leg = given.toNs > given.fromNs ? given : { ...given, toNs: endOfScan(given, sensor) };
    const message = farPose(leg.trajectory, originM);
    if (message !== null) {
      const path = request.trajectory === undefined ? 'pose' : 'trajectory.file';
      throw unusable([{ path, code: 'too-far', message }]);
    }
    return { ...leg, trajectory: trajectoryFromWorld(leg.trajectory, originM) };
  });
}

function endOfScan({ fromNs }: WorldLeg, sensor: SensorRecipe | null): number {
  if (sensor !== null && traitsOf(sensor.scan).lines !== null) {
    return fromNs + oneScanNs(sensor.scan);
  }
  const message = 'expected the simulated time, since there is no trajectory and no panorama';
  throw unusable([problemAt('seconds', message)]);
}

/** The legs of a survey as the worker needs them. */
export function legsOfSurvey({ legs, mount, noise }: LoadedSurvey, seed: number): ScanLeg[] {
  return legs.map((leg, number) => {
    const trajectory = mount === null ? leg.trajectory : withMount(leg.trajectory, mount);
    return { ...leg, trajectory: withPoseNoise({ ...leg, trajectory }, noise, seed, number) };
  });
}

/**
 * The interval of the legs that a request asks for: all, from a time to another, or one of several equal parts.
 * @param gridNs where parts may end, from the start of each leg on; null: at any time
 * @throws 'bad-input' with every problem
 */
export function scanPathOf(
  legs: ScanLeg[],
  request: PathRequest,
  isSurvey: boolean,
  gridNs: number | null,
): ScanPath {
  const whole = { fromNs: legs[0]?.fromNs ?? 0, toNs: legs.at(-1)?.toNs ?? 0 };
  const { pose, fromS, toS, seconds, part } = request;
  const found: Problem[] = [];
  let { fromNs, toNs } = whole;
  if (part !== undefined) {
    const ends = partEnds(legs, part, gridNs);
    if (ends === null) {
      const message = `expected at most as many parts as ticks, found ${part.of}`;
      throw unusable([problemAt('part', message)]);
    }
    ({ fromNs, toNs } = ends);
  } else if (pose === undefined) {
    if (fromS !== undefined) fromNs = nanosecondsOf(fromS);
    if (toS !== undefined) toNs = nanosecondsOf(toS);
    if (seconds !== undefined) toNs = fromNs + nanosecondsOf(seconds);
    found.push(
      ...intervalProblems({ fromNs, toNs }, whole, seconds === undefined ? 'toS' : 'seconds'),
    );
    found.push(...gridProblems(legs, { fromNs, toNs }, gridNs));
  }
  if (found.length > 0) throw unusable(found);
  return { legs, whole, isSurvey, fromNs, toNs };
}

/** The pieces of the interval, in order. @param intervalNs their greatest length; null: a leg at once */
export function* piecesOf(path: ScanPath, intervalNs: number | null): Generator<ScanPiece> {
  let ticksBefore = 0;
  for (const [number, leg] of path.legs.entries()) {
    const stepNs = intervalNs ?? leg.toNs - leg.fromNs;
    const ticks = Math.ceil((leg.toNs - leg.fromNs) / stepNs);
    const first = Math.max(0, Math.floor((path.fromNs - leg.fromNs) / stepNs));
    for (let tick = first; tick < ticks; tick += 1) {
      const startNs = leg.fromNs + tick * stepNs;
      const fromNs = Math.max(path.fromNs, startNs);
      const toNs = Math.min(path.toNs, leg.toNs, startNs + stepNs);
      if (fromNs >= path.toNs) return;
      if (fromNs < toNs) yield { leg: number, tick: ticksBefore + tick, fromNs, toNs };
    }
    ticksBefore += ticks;
  }
}

/** How much of the whole path is scanned, in simulated time. `progress`: of the piece. */
export function progressOfPath(
  { fromNs, toNs }: Interval,
  piece: Interval,
  { phase, done, total }: Progress,
): Progress {
  const share = total > 0 ? done / total : 0;
  const scannedNs = piece.fromNs - fromNs + share * (piece.toNs - piece.fromNs);
  return { phase, done: scannedNs, total: toNs - fromNs };
}

/** Whether a request asks for less than the whole, or names a part. */
export function isPart({ fromNs, toNs, whole }: ScanPath, { part }: PathRequest): boolean {
  return part !== undefined || fromNs !== whole.fromNs || toNs !== whole.toNs;
}

/** The ends of a part, in whole steps of the grid; null: there are more parts than steps. */
function partEnds(
  legs: readonly ScanLeg[],
  { index, of }: { index: number; of: number },
  gridNs: number | null,
): Interval | null {
  const stepNs = gridNs ?? 1;
  const counts = legs.map(({ fromNs, toNs }) => Math.ceil((toNs - fromNs) / stepNs));
  const steps = counts.reduce((sum, count) => sum + count, 0);
  if (of > steps) return null;
  const timeOf = (step: number): number => {
    let before = 0;
    for (const [number, leg] of legs.entries()) {
      const count = counts[number] ?? 0;
      if (step < before + count) return leg.fromNs + (step - before) * stepNs;
      before += count;
    }
    return legs.at(-1)?.toNs ?? 0;
  };
  const cut = (at: number): number => timeOf(Math.floor((at * steps) / of));
  return { fromNs: cut(index - 1), toNs: cut(index) };
}

function intervalProblems(
  { fromNs, toNs }: Interval,
  whole: Interval,
  endPath: 'toS' | 'seconds',
): Problem[] {
  const problems: Problem[] = [];
  const poses = `poses from ${whole.fromNs / 1e9} s to ${whole.toNs / 1e9} s`;
  if (fromNs < whole.fromNs || fromNs >= whole.toNs) {
    const message = `expected a time within the ${poses}, found ${fromNs / 1e9} s`;
    return [problemAt('fromS', message)];
  }
  if (toNs > whole.toNs) {
    const message = `expected an end within the ${poses}, found ${toNs / 1e9} s`;
    problems.push(problemAt(endPath, message));
  }
  if (toNs <= fromNs) {
    const message = `expected an end after ${fromNs / 1e9} s, found ${toNs / 1e9} s`;
    problems.push(problemAt(endPath, message));
  }
  return problems;
}

/** Recordings hold whole ticks: a cut within one could not be joined. */
function gridProblems(
  legs: readonly ScanLeg[],
  { fromNs, toNs }: Interval,
  gridNs: number | null,
): Problem[] {
  if (gridNs === null) return [];
  const isOnGrid = (timeNs: number): boolean =>
    legs.some((leg) => {
      if (timeNs === leg.toNs) return true;
      return timeNs >= leg.fromNs && timeNs < leg.toNs && (timeNs - leg.fromNs) % gridNs === 0;
    });
  const ends = [
    { path: 'fromS', timeNs: fromNs },
    { path: 'toS', timeNs: toNs },
  ];
  return ends.flatMap(({ path, timeNs }) => {
    if (isOnGrid(timeNs)) return [];
    const message = `expected a recording cut between ticks of ${gridNs / 1e6} ms, found ${timeNs / 1e9} s`;
    return [problemAt(path, message)];
  });
}

function problemAt(path: string, message: string): Problem {
  return { path, code: 'custom', message };
}

/** The error for poses with these problems. */
export function unusable(problems: Problem[]): UnderstoryError {
  const lines = problems.map(({ path, message }) => `  ${path}: ${message}`);
  const message = `the poses of the sensor cannot be used:\n${lines.join('\n')}`;
  return new UnderstoryError('bad-input', message, { problems });
}

/** Whole nanoseconds. */
export function nanosecondsOf(seconds: number): number {
  return Math.round(seconds * 1e9);
}
