// The legs of a survey: where its platform is over time. Legs follow one another without a pause; what lies between
// them (turns of an aircraft, the walk with a tripod) takes no simulated time.
import type { Survey } from '#contract/documents/survey.ts';
import type { Pose } from '#contract/host/run.ts';
import type { SensorRecipe } from '#contract/worker/sensorRecipe.ts';
import { degrees } from '#domain/shared/numbers.ts';
import { rotationFromDegrees } from '#domain/shared/pose.ts';
import { placeToScene, type OriginM } from '#contract/worldOrigin.ts';
import type { Terrain } from '#domain/truth/terrain.ts';
import { stationaryAt, trajectoryOf, type Trajectory } from './trajectory.ts';

/** One leg: the platform's poses, and the pulses [fromNs, toNs) that belong to it. */
export interface SurveyLeg {
  name: string;
  fromNs: number;
  toNs: number;
  /** worldFromPlatform. */
  trajectory: Trajectory;
  /** Instant of its time 0, in whole seconds since 1970. Left out: it is simulated time. */
  epochS?: number;
  /** In place of the sensor that all legs share. */
  sensor?: SensorRecipe;
}

type Strips = Extract<Survey, { kind: 'strips' }>;
type Positions = Extract<Survey, { kind: 'positions' }>;

/** Most samples of the ground below a strip. */
const maxGroundSamples = 10_000;

/** The leg along the poses of a file: all of them. */
export function legOfTrajectory(trajectory: Trajectory): SurveyLeg {
  const { time_ns: times } = trajectory;
  const [fromNs, toNs] = [Number(times[0]), Number(times.at(-1))];
  return { name: 'trajectory', fromNs, toNs, trajectory };
}

/**
 * The legs of positions or strips from time 0 on, relative to the origin of the scene, over a terrain that is, too.
 * @param scanNs time of one scan at each position, for those that have no time; default: a second
 */
export function surveyLegs(
  survey: Strips | Positions,
  terrain: Terrain,
  originM: OriginM,
  scanNs: readonly number[] = [],
): SurveyLeg[] {
  if (survey.kind === 'positions') return positionLegs(survey, terrain, originM, scanNs);
  return stripLegs(survey, terrain, originM);
}

function positionLegs(
  { positions, above, seconds }: Positions,
  terrain: Terrain,
  originM: OriginM,
  scanNs: readonly number[],
): SurveyLeg[] {
  let fromNs = 0;
  return positions.map((position, index) => {
    const [x, y] = placeToScene(originM, [position.positionM[0], position.positionM[1]]);
    const zeroM = above === 'ground' ? terrain.heightM(x, y) : -originM[2];
    const pose: Pose = {
      positionM: [x, y, zeroM + position.positionM[2]],
      rotation: rotationFromDegrees(position.yawDeg, position.pitchDeg, position.rollDeg),
    };
    const givenS = position.seconds ?? seconds;
    const durationNs = givenS === undefined ? scanNs[index] : Math.round(givenS * 1e9);
    const toNs = fromNs + (durationNs ?? 1e9);
    const name = position.name ?? `position-${index + 1}`;
    const leg = { name, fromNs, toNs, trajectory: stationaryAt(pose) };
    fromNs = toNs;
    return leg;
  });
}

interface Line {
  name: string;
  fromM: readonly [number, number];
  toM: readonly [number, number];
}

function stripLegs(survey: Strips, terrain: Terrain, originM: OriginM): SurveyLeg[] {
  let fromNs = 0;
  return linesOf(survey).map(({ name, ...line }) => {
    const [fromM, toM] = [placeToScene(originM, line.fromM), placeToScene(originM, line.toM)];
    const [east, north] = [toM[0] - fromM[0], toM[1] - fromM[1]];
    const lengthM = Math.hypot(east, north);
    const zeroM = survey.above === 'ground' ? highestM(terrain, fromM, toM, lengthM) : -originM[2];
    const z = zeroM + survey.heightM;
    const yawDeg = degrees(Math.atan2(north, east));
    const rotation = rotationFromDegrees(yawDeg, 0, 0);
    const toNs = fromNs + Math.max(1, Math.round((lengthM / survey.speedMPerS) * 1e9));
    const ends: Pose[] = [
      { positionM: [...fromM, z], rotation },
      { positionM: [...toM, z], rotation },
    ];
    const leg = { name, fromNs, toNs, trajectory: trajectoryOf([fromNs, toNs], ends) };
    fromNs = toNs;
    return leg;
  });
}

/**
 * The lines of a flight. An area is covered by as few lines as the spacing allows, evenly apart, each in the middle of
 * its strip; every second one is flown backwards.
 */
function linesOf({ strips, areaM, spacingM }: Strips): Line[] {
  if (strips !== undefined) {
    return strips.map(({ name, fromM, toM }, index) => {
      return { name: name ?? `strip-${index + 1}`, fromM, toM };
    });
  }
  if (areaM === undefined || spacingM === undefined) return [];
  const [[ax, ay], [bx, by]] = areaM;
  const [west, east, south, north] = [
    Math.min(ax, bx),
    Math.max(ax, bx),
    Math.min(ay, by),
    Math.max(ay, by),
  ];
  const isAlongX = east - west >= north - south;
  const widthM = isAlongX ? north - south : east - west;
  const count = Math.max(1, Math.ceil(widthM / spacingM));
  return Array.from({ length: count }, (_, index) => {
    const across = (isAlongX ? south : west) + ((index + 0.5) * widthM) / count;
    const ends: [number, number][] = isAlongX
      ? [
          [west, across],
          [east, across],
        ]
      : [
          [across, south],
          [across, north],
        ];
    const [fromM, toM] = index % 2 === 0 ? ends : ends.reverse();
    return { name: `strip-${index + 1}`, fromM: fromM ?? [0, 0], toM: toM ?? [0, 0] };
  });
}

/** The highest ground below a line, sampled every metre at most. */
function highestM(
  terrain: Terrain,
  [x0, y0]: readonly [number, number],
  [x1, y1]: readonly [number, number],
  lengthM: number,
): number {
  const steps = Math.min(maxGroundSamples, Math.max(1, Math.ceil(lengthM)));
  let highest = -Infinity;
  for (let step = 0; step <= steps; step += 1) {
    const share = step / steps;
    highest = Math.max(highest, terrain.heightM(x0 + share * (x1 - x0), y0 + share * (y1 - y0)));
  }
  return highest;
}
