// The survey of a scenario, read and laid out: its legs with their poses, the sensor's mount, the platform's errors.
import type { Parsed, Problem } from '#contract/documents/problems.ts';
import type { Scenario } from '#contract/documents/scenario.ts';
import type { Pose } from '#contract/host/run.ts';
import { trajectoryFromWorld, trajectoryToWorld } from '#domain/scene/georeference.ts';
import { radians } from '#domain/shared/numbers.ts';
import { rotationFromDegrees } from '#domain/shared/pose.ts';
import { originOf, type OriginM } from '#contract/worldOrigin.ts';
import { farPose } from '#domain/trajectory/farPose.ts';
import { legSensors } from '#domain/trajectory/legSensors.ts';
import { noiseSamples, type PoseNoise } from '#domain/trajectory/poseNoise.ts';
import { legOfTrajectory, surveyLegs, type SurveyLeg } from '#domain/trajectory/surveyLegs.ts';
import { terrainOf } from '#domain/truth/terrain.ts';
import { oneScanNs } from '#contract/documents/scan/scanRecipe.ts';
import type { Files } from '#services/ports/files.ts';
import { failed, problem } from './documentFiles.ts';
import { positionSensors } from './positionSensors.ts';
import type { SensorSource } from './rig.ts';
import type { LoadedScene } from './sceneFiles.ts';
import { readTrajectory } from './trajectoryFile.ts';

/** A survey as a scan runs it. */
export interface LoadedSurvey {
  /** One at least, in the order of their times. */
  legs: SurveyLeg[];
  /** platformFromSensor; null: poses are the sensor's own. */
  mount: Pose | null;
  /** The platform is the vehicle of the scenario: its sensor is where the vehicle carries it. */
  isOnVehicle: boolean;
  noise: PoseNoise;
  /** Why the sensor cannot run it; legs may have any length then. */
  sensorProblems: Problem[];
}

/** Most samples of pose errors in all legs. */
const maxNoiseSamples = 4_000_000;

/**
 * Null: the scenario has none. Without a `source` the sensor is not known: a position whose time it decides has a
 * second. Problems at their paths in the scenario, those of a file with its name and line.
 */
export async function loadSurvey(
  files: Files,
  { survey, sensors, scene }: Pick<Scenario, 'survey' | 'sensors' | 'scene'>,
  from: string,
  { recipe, heights }: Pick<LoadedScene, 'recipe' | 'heights'>,
  source: SensorSource | undefined,
  signal?: AbortSignal,
): Promise<Parsed<LoadedSurvey | null>> {
  if (survey === undefined) return { value: null, problems: [] };
  const originM = originOf(scene);
  const mounted = survey.mount ?? sensors.find(({ name }) => name === survey.sensor)?.mount;
  const { position, attitude } = survey.noise ?? {};
  const noise: PoseNoise = {
    ...(position && { position: { ...position, sigma: position.sigmaM } }),
    ...(attitude && { attitude: { ...attitude, sigma: radians(attitude.sigmaDeg) } }),
  };
  let legs: SurveyLeg[];
  let sensorProblems: Problem[] = [];
  if (survey.kind === 'trajectory') {
    const { format, maxGapS } = survey;
    const file = files.resolveFrom(from, survey.file);
    const read = await readTrajectory(files, { file, format, maxGapS }, signal, 'survey.file');
    if (read.value === null) return read;
    const far = farPose(read.value.trajectory, originM);
    if (far !== null) return failed([{ path: 'survey.file', code: 'too-far', message: far }]);
    const { trajectory, epochS } = read.value;
    const leg = legOfTrajectory(trajectoryFromWorld(trajectory, originM));
    legs = [{ ...leg, ...(epochS > 0 && { epochS }) }];
  } else {
    const own = survey.kind === 'positions' && source ? positionSensors(survey, source) : null;
    sensorProblems = own?.problems ?? [];
    const scanNs = (own?.value ?? []).map(({ scan }) => oneScanNs(scan));
    legs = surveyLegs(survey, terrainOf(recipe, heights), originM, scanNs);
    const sensors = legSensors(legs, own?.value ?? []);
    legs = legs.map((leg, index) => ({
      ...leg,
      ...(sensors[index] && { sensor: sensors[index] }),
    }));
  }
  const problems = legProblems(legs, noise, originM);
  if (problems.length > 0) return failed(problems);
  const mount = mounted === undefined ? null : poseOf(mounted);
  const isOnVehicle = mount !== null && survey.mount === undefined;
  return { value: { legs, mount, isOnVehicle, noise, sensorProblems }, problems: [] };
}

function legProblems(legs: readonly SurveyLeg[], noise: PoseNoise, originM: OriginM): Problem[] {
  const problems: Problem[] = [];
  if (legs.some(({ fromNs, toNs }) => toNs <= fromNs)) {
    problems.push(problem('survey', 'expected poses that cover some time, found one time'));
  }
  for (const { name, trajectory } of legs) {
    const message = farPose(trajectoryToWorld(trajectory, originM), originM);
    if (message === null) continue;
    problems.push({ path: 'survey', code: 'too-far', message: `leg ${name} ${message}` });
    break;
  }
  const samples = legs.reduce((sum, leg) => sum + noiseSamples(leg, noise), 0);
  if (samples > maxNoiseSamples) {
    const message = `expected correlation times that make ${maxNoiseSamples} samples at most (20 in each), found ${Math.round(samples)}`;
    problems.push(problem('survey.noise', message));
  }
  return problems;
}

function poseOf(mount: NonNullable<NonNullable<Scenario['survey']>['mount']>): Pose {
  const { positionM, yawDeg, pitchDeg, rollDeg } = mount;
  return { positionM, rotation: rotationFromDegrees(yawDeg, pitchDeg, rollDeg) };
}
