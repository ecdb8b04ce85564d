// Where the frame of a motion is at a time.
import type { Pose } from '#contract/host/run.ts';
import type { MotionLaw } from '#contract/worker/motions.ts';
import { cubed, wrapAngle } from '../numbers.ts';
import { compose, inverseOfPose, type Quaternion, rotate, slerped, type Vector3 } from '../pose.ts';

type Law<K extends MotionLaw['kind']> = Extract<MotionLaw, { kind: K }>;
type Keyframe = Law<'keyframes'>['keyframes'][number];

/** worldFromFrame at a time of the simulation, before 0 too. */
export function frameAt(law: MotionLaw, timeS: number): Pose {
  switch (law.kind) {
    case 'keyframes':
      return keyframesAt(law, timeS);
    case 'path':
      return pathAt(law, timeS);
    // Where the scene has it: a scan says where it is (steps.ts).
    case 'vehicle':
      return { positionM: law.positionM, rotation: law.rotation };
    case 'rotating':
      return turnedAbout(law, law.phaseRad + law.rateRadPerS * timeS);
    case 'swinging': {
      const phaseRad = law.phaseRad + (2 * Math.PI * timeS) / law.periodS;
      return turnedAbout(law, law.amplitudeRad * Math.sin(phaseRad));
    }
  }
}

/**
 * The point of a motion, at time 0, about which it turns: between two times of a step apart it moves almost straight,
 * while others may go round it.
 */
export function centreOf(law: MotionLaw): Vector3 {
  return law.kind === 'rotating' || law.kind === 'swinging'
    ? law.pivotM
    : frameAt(law, 0).positionM;
}

/** Takes a point of an instance from where the scene has it, at time 0, to where it is at a time. */
export function displacementAt(law: MotionLaw, timeS: number): Pose {
  return displacementTo(law, frameAt(law, timeS));
}

/** The same for a frame in place of that of a time. */
function displacementTo(law: MotionLaw, frame: Pose): Pose {
  return compose(frame, inverseOfPose(frameAt(law, 0)));
}

/** Half the time over which velocities are differences. */
const halfStepS = 0.0005;

/** Velocity, at a time, of the point that is then at a place of the scene and moves with the frame. */
export function velocityAt(law: MotionLaw, timeS: number, placeM: Vector3): Vector3 {
  const inFrame = compose(inverseOfPose(frameAt(law, timeS)), {
    positionM: placeM,
    rotation: [0, 0, 0, 1],
  });
  const [before, after] = [timeS - halfStepS, timeS + halfStepS].map(
    (atS) => compose(frameAt(law, atS), inFrame).positionM,
  ) as [Vector3, Vector3];
  return after.map((m, axis) => (m - (before[axis] ?? 0)) / (2 * halfStepS)) as Vector3;
}

/** Where the centre is while the frame is there, and the turn about it since time 0. */
export function turnTo(law: MotionLaw, frame: Pose): Pose {
  const { positionM: byM, rotation } = displacementTo(law, frame);
  const [x, y, z] = rotate(rotation, centreOf(law));
  return { positionM: [x + byM[0], y + byM[1], z + byM[2]], rotation };
}

function turnedAbout({ pivotM, axis }: Law<'rotating' | 'swinging'>, angleRad: number): Pose {
  const sine = Math.sin(angleRad / 2);
  const [ax, ay, az] = axis;
  const rotation: Quaternion = [ax * sine, ay * sine, az * sine, Math.cos(angleRad / 2)];
  const [px, py, pz] = pivotM;
  const [rx, ry, rz] = rotate(rotation, pivotM);
  return { positionM: [px - rx, py - ry, pz - rz], rotation };
}

function poseOf({ positionM, rotation }: Keyframe): Pose {
  return { positionM, rotation };
}

function keyframesAt({ keyframes, isSmooth, repeats }: Law<'keyframes'>, timeS: number): Pose {
  const [first] = keyframes;
  const last = keyframes.at(-1);
  if (first === undefined || last === undefined) throw new Error('a motion has no keyframes');
  const lengthS = last.timeS - first.timeS;
  const sinceS = timeS - first.timeS;
  const atS =
    first.timeS +
    (repeats && lengthS > 0 ? sinceS - lengthS * Math.floor(sinceS / lengthS) : sinceS);
  if (atS <= first.timeS) return poseOf(first);
  if (atS >= last.timeS) return poseOf(last);
  const after = firstAfter(keyframes, atS);
  const [from, to] = [keyframes[after - 1] ?? first, keyframes[after] ?? last];
  const share = (atS - from.timeS) / (to.timeS - from.timeS);
  if (!isSmooth) return slerped(poseOf(from), poseOf(to), share);
  return curved(
    { before: keyframes[after - 2] ?? null, from, to, after: keyframes[after + 1] ?? null },
    share,
  );
}

/** Index of the first keyframe after a time that lies before the last. */
function firstAfter(keyframes: readonly Keyframe[], timeS: number): number {
  let [from, to] = [0, keyframes.length - 1];
  while (from < to) {
    const middle = (from + to) >> 1;
    if ((keyframes[middle]?.timeS ?? 0) <= timeS) from = middle + 1;
    else to = middle;
  }
  return from;
}

interface Neighbours {
  before: Keyframe | null;
  from: Keyframe;
  to: Keyframe;
  after: Keyframe | null;
}

/**
 * A cubic Hermite curve through two keyframes, whose slope at each is that of the parabola through it and its
 * neighbours; at the ends that of the chord. Rotations: the same of quaternions in one hemisphere, of length 1 again.
 */
function curved({ before, from, to, after }: Neighbours, share: number): Pose {
  const lengthS = to.timeS - from.timeS;
  const [t2, t3] = [share * share, cubed(share)];
  const weights = [2 * t3 - 3 * t2 + 1, t3 - 2 * t2 + share, -2 * t3 + 3 * t2, t3 - t2] as const;
  const along = (value: (keyframe: Keyframe) => number): number => {
    const chord = (value(to) - value(from)) / lengthS;
    const slope = (at: Keyframe, other: Keyframe | null): number => {
      if (other === null) return chord;
      const ownS = Math.abs(at.timeS - other.timeS);
      const own = (value(at) - value(other)) / (at.timeS - other.timeS);
      return (own * lengthS + chord * ownS) / (lengthS + ownS);
    };
    return (
      weights[0] * value(from) +
      weights[1] * lengthS * slope(from, before) +
      weights[2] * value(to) +
      weights[3] * lengthS * slope(to, after)
    );
  };
  const position = (axis: 0 | 1 | 2): number => along(({ positionM }) => positionM[axis]);
  const turn = (part: 0 | 1 | 2 | 3): number =>
    along(({ rotation }) => sameHemisphere(rotation, from.rotation) * rotation[part]);
  const rotation: Quaternion = [turn(0), turn(1), turn(2), turn(3)];
  const length = Math.hypot(...rotation);
  const [x, y, z, w] = rotation;
  return {
    positionM: [position(0), position(1), position(2)],
    rotation: [x / length, y / length, z / length, w / length],
  };
}

/** 1, or −1 where the other quaternion of the same rotation is nearer. */
function sameHemisphere(a: Quaternion, b: Quaternion): number {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3] < 0 ? -1 : 1;
}

function pathAt(law: Law<'path'>, timeS: number): Pose {
  const { pointsM, isClosed, speedMPerS, startS, turnM } = law;
  const [first] = pointsM;
  if (first === undefined) throw new Error('a path has no points');
  const corners = isClosed ? [...pointsM, first] : pointsM;
  const legs = corners.slice(1).map((toM, index) => legOf(corners[index] ?? first, toM));
  const wholeM = legs.reduce((sum, { lengthM }) => sum + lengthM, 0);
  const goneM = Math.max(0, speedMPerS * (timeS - startS));
  let leftM = isClosed ? goneM % wholeM : Math.min(goneM, wholeM);
  let at = 0;
  while (at < legs.length - 1 && leftM > (legs[at]?.lengthM ?? 0)) {
    leftM -= legs[at]?.lengthM ?? 0;
    at += 1;
  }
  const leg = legs[at];
  if (leg === undefined) throw new Error('a path has no legs');
  const [x, y, z] = leg.fromM;
  const [dx, dy, dz] = leg.direction;
  const neighbour = (step: 1 | -1): Leg | undefined =>
    isClosed ? legs[(at + step + legs.length) % legs.length] : legs[at + step];
  const yawRad = headingOn(leg, leftM, turnM, neighbour(-1), neighbour(1));
  return {
    positionM: [x + dx * leftM, y + dy * leftM, z + dz * leftM],
    rotation: [0, 0, Math.sin(yawRad / 2), Math.cos(yawRad / 2)],
  };
}

interface Leg {
  fromM: Vector3;
  lengthM: number;
  direction: Vector3;
  yawRad: number;
}

function legOf(fromM: Vector3, toM: Vector3): Leg {
  const [dx, dy, dz] = [toM[0] - fromM[0], toM[1] - fromM[1], toM[2] - fromM[2]];
  const lengthM = Math.hypot(dx, dy, dz);
  const direction: Vector3 = [dx / lengthM, dy / lengthM, dz / lengthM];
  return { fromM, lengthM, direction, yawRad: Math.atan2(dy, dx) };
}

/** The heading on a leg: its own, and near a corner evenly on the way to that of the neighbour, half of it at the corner. */
function headingOn(
  leg: Leg,
  alongM: number,
  turnM: number,
  before: Leg | undefined,
  after: Leg | undefined,
): number {
  const turn = (other: Leg, wayM: number): number => {
    const reachM = Math.min(turnM, leg.lengthM / 2, other.lengthM / 2);
    if (wayM >= reachM) return 0;
    return (wrapAngle(other.yawRad - leg.yawRad) / 2) * (1 - wayM / reachM);
  };
  return (
    leg.yawRad +
    (before === undefined ? 0 : turn(before, alongM)) +
    (after === undefined ? 0 : turn(after, leg.lengthM - alongM))
  );
}
