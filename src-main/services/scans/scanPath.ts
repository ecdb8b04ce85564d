// Where the sensor of a single scan is over time, and for which interval: one pose, the poses of a file, or the legs of
// the scenario's survey.
import { oneScanNs, traitsOf } from '#contract/documents/scan/scanRecipe.ts';
import { UnderstoryError } from '#contract/errors.ts';
import type { RequestOf } from '#contract/host/methods.ts';
import type { Problem } from '#contract/documents/problems.ts';
import type { CompiledScenario } from '#contract/host/run.ts';
import type { Progress } from '#contract/worker/worker.ts';
import { trajectoryFromWorld } from '#domain/scene/georeference.ts';
import { poseFromDegrees } from '#domain/shared/pose.ts';
import { originOf, type OriginM } from '#contract/worldOrigin.ts';
import { withPoseNoise } from '#domain/trajectory/poseNoise.ts';
import { legOfTrajectory, type SurveyLeg } from '#domain/trajectory/surveyLegs.ts';
import { stationaryAt, withMount, type Trajectory } from '#domain/trajectory/trajectory.ts';
import type { LoadedScenario } from '#services/documents/documents.ts';
import { readTrajectory } from '#services/documents/trajectoryFile.ts';
import type { LoadedSurvey } from '#services/documents/survey.ts';
import { farPose } from '#domain/trajectory/farPose.ts';
import type { Files } from '#services/ports/files.ts';

/** [fromNs, toNs) of simulated time. */
export interface Interval {
  fromNs: number;
  toNs: number;
}

/** A scan: its legs one after another, and the interval of them that is asked for. */
export interface ScanPath extends Interval {
  /** Poses are sceneFromPlatform. */
  legs: SurveyLeg[];
  /** Everything that the legs cover. */
  whole: Interval;
  /** Legs are numbered in what is written. */
  isSurvey: boolean;
  /** Less than the whole is asked for, or a part by its number. */
  isPart: boolean;
}

/** Part of a leg that is scanned at once; `tick` counts from the start of the whole, `number` is the leg's, from 0. */
export interface ScanPiece extends Interval {
  leg: SurveyLeg;
  number: number;
  tick: number;
}

type PathRequest = Pick<
  RequestOf<'scan.start'>,
  'pose' | 'trajectory' | 'fromS' | 'toS' | 'seconds' | 'part'
>;

/**
 * The legs of a request in the scene: a pose, the poses of a file, or the survey of the scenario.
 * @throws 'bad-input' with every problem
 */
export async function legsOf(
  files: Files,
  request: PathRequest,
  { compiled, survey }: Pick<LoadedScenario, 'compiled' | 'survey'>,
  signal: AbortSignal,
): Promise<SurveyLeg[]> {
  const { pose, trajectory: file } = request;
  const { scenario, sensors } = compiled;
  const originM = originOf(scenario.scene);
  if (pose !== undefined) return [inScene(legAtPose(request, pose, sensors), originM, 'pose')];
  if (file === undefined) return legsOfSurvey(survey, scenario.seed);
  const { value, problems } = await readTrajectory(files, file, signal);
  if (value === null) throw unusable(problems);
  const { trajectory, epochS } = value;
  const leg = { ...legAlong(trajectory, 'trajectory.file'), ...(epochS > 0 && { epochS }) };
  return [inScene(leg, originM, 'trajectory.file')];
}

/** The leg from the first pose to the last. @param path of the poses in the request, for the problem @throws 'bad-input' where they have one time */
export function legAlong(trajectory: Trajectory, path: string): SurveyLeg {
  const leg = legOfTrajectory(trajectory);
  if (leg.toNs > leg.fromNs) return leg;
  const message = `expected poses that cover some time after ${leg.fromNs / 1e9} s`;
  throw unusable([problemAt(path, message)]);
}

/** The time that is asked for, or that of one panorama of the sensor. */
function legAtPose(
  { fromS = 0, toS, seconds }: PathRequest,
  pose: NonNullable<PathRequest['pose']>,
  [sensor]: CompiledScenario['sensors'],
): SurveyLeg {
  const fromNs = nanosecondsOf(fromS);
  const scan = sensor?.recipe.scan;
  let toNs: number;
  if (toS !== undefined) toNs = nanosecondsOf(toS);
  else if (seconds !== undefined) toNs = fromNs + nanosecondsOf(seconds);
  else if (scan !== undefined && traitsOf(scan).lines !== null) toNs = fromNs + oneScanNs(scan);
  else {
    const message = 'expected the simulated time, since there is no trajectory and no panorama';
    throw unusable([problemAt('seconds', message)]);
  }
  if (toNs <= fromNs) throw unusable([problemAt('toS', 'expected an end after the start')]);
  return { name: 'pose', fromNs, toNs, trajectory: stationaryAt(poseFromDegrees(pose)) };
}

/** A leg of the world in the scene. @param path of its poses in the request */
function inScene(leg: SurveyLeg, originM: OriginM, path: string): SurveyLeg {
  const message = farPose(leg.trajectory, originM);
  if (message !== null) throw unusable([{ path, code: 'too-far', message }]);
  return { ...leg, trajectory: trajectoryFromWorld(leg.trajectory, originM) };
}

/** The legs of a survey as the worker needs them. @throws 'bad-input' for none, and where the sensor cannot run it */
function legsOfSurvey(survey: LoadedSurvey | null, seed: number): SurveyLeg[] {
  if (survey === null) {
    const message = 'expected a pose or a trajectory, since the scenario has no survey';
    throw new UnderstoryError('bad-input', message, {
      problems: [{ path: 'pose', code: 'missing', message }],
    });
  }
  const { legs, mount, noise, sensorProblems: problems } = survey;
  if (problems.length > 0) throw refused('the sensor cannot run the survey', problems);
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
  legs: SurveyLeg[],
  request: PathRequest,
  gridNs: number | null,
): ScanPath {
  const whole = { fromNs: legs[0]?.fromNs ?? 0, toNs: legs.at(-1)?.toNs ?? 0 };
  const { pose, trajectory, part } = request;
  let interval = whole;
  if (part !== undefined) interval = partOf(legs, part, gridNs);
  else if (pose === undefined) interval = requestedInterval(request, whole, legs, gridNs);
  const { fromNs, toNs } = interval;
  const isSurvey = pose === undefined && trajectory === undefined;
  const isPart = part !== undefined || fromNs !== whole.fromNs || toNs !== whole.toNs;
  return { legs, whole, isSurvey, isPart, fromNs, toNs };
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
      if (fromNs < toNs) yield { leg, number, tick: ticksBefore + tick, fromNs, toNs };
    }
    ticksBefore += ticks;
  }
}

/**
 * How much of the whole path is scanned, in simulated time. `progress`: of the piece. @param pass the pass over the
 * piece, from 0, of several
 */
export function progressOfPath(
  { fromNs, toNs }: Interval,
  piece: Interval,
  { phase, done, total }: Progress,
  pass = { index: 0, of: 1 },
): Progress {
  const share = (pass.index + (total > 0 ? done / total : 0)) / pass.of;
  const scannedNs = piece.fromNs - fromNs + share * (piece.toNs - piece.fromNs);
  return { phase, done: scannedNs, total: toNs - fromNs };
}

/** A part, in whole steps of the grid. @throws 'bad-input' where there are more parts than steps */
function partOf(
  legs: readonly SurveyLeg[],
  { index, of }: { index: number; of: number },
  gridNs: number | null,
): Interval {
  const stepNs = gridNs ?? 1;
  const counts = legs.map(({ fromNs, toNs }) => Math.ceil((toNs - fromNs) / stepNs));
  const steps = counts.reduce((sum, count) => sum + count, 0);
  if (of > steps) {
    const message = `expected at most as many parts as ticks, found ${of}`;
    throw unusable([problemAt('part', message)]);
  }
  const cut = (at: number): number => {
    let step = Math.floor((at * steps) / of);
    for (const [number, { fromNs }] of legs.entries()) {
      const count = counts[number] ?? 0;
      if (step < count) return fromNs + step * stepNs;
      step -= count;
    }
    return legs.at(-1)?.toNs ?? 0;
  };
  return { fromNs: cut(index - 1), toNs: cut(index) };
}

/** @throws 'bad-input' for ends outside of the whole, and off the grid: a recording cut within a tick cannot be joined */
function requestedInterval(
  { fromS, toS, seconds }: PathRequest,
  whole: Interval,
  legs: readonly SurveyLeg[],
  gridNs: number | null,
): Interval {
  const fromNs = fromS === undefined ? whole.fromNs : nanosecondsOf(fromS);
  let toNs = toS === undefined ? whole.toNs : nanosecondsOf(toS);
  if (seconds !== undefined) toNs = fromNs + nanosecondsOf(seconds);
  const problems: Problem[] = [];
  const add = (path: string, expected: string, foundNs: number): void =>
    void problems.push(problemAt(path, `expected ${expected}, found ${foundNs / 1e9} s`));
  const poses = `within the poses from ${whole.fromNs / 1e9} s to ${whole.toNs / 1e9} s`;
  const endPath = seconds === undefined ? 'toS' : 'seconds';
  if (fromNs < whole.fromNs || fromNs >= whole.toNs) add('fromS', `a time ${poses}`, fromNs);
  else {
    if (toNs > whole.toNs) add(endPath, `an end ${poses}`, toNs);
    if (toNs <= fromNs) add(endPath, `an end after ${fromNs / 1e9} s`, toNs);
  }
  if (gridNs !== null) {
    const isOnGrid = (timeNs: number): boolean =>
      legs.some((leg) => {
        const offsetNs = timeNs - leg.fromNs;
        return (
          timeNs === leg.toNs || (timeNs < leg.toNs && offsetNs >= 0 && offsetNs % gridNs === 0)
        );
      });
    const cut = `a recording cut between ticks of ${gridNs / 1e6} ms`;
    if (!isOnGrid(fromNs)) add('fromS', cut, fromNs);
    if (!isOnGrid(toNs)) add('toS', cut, toNs);
  }
  if (problems.length > 0) throw unusable(problems);
  return { fromNs, toNs };
}

function problemAt(path: string, message: string): Problem {
  return { path, code: 'custom', message };
}

/** The error for poses with these problems. */
export function unusable(problems: Problem[]): UnderstoryError {
  return refused('the poses of the sensor cannot be used', problems);
}

function refused(what: string, problems: Problem[]): UnderstoryError {
  const lines = problems.map(({ path, message }) => `  ${path}: ${message}`);
  return new UnderstoryError('bad-input', `${what}:\n${lines.join('\n')}`, { problems });
}

/** Whole nanoseconds. */
export function nanosecondsOf(seconds: number): number {
  return Math.round(seconds * 1e9);
}
