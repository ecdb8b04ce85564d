// Where a camera is and what it looks at, and what keys, modes and boxes make of that. Pure; z is up, lengths in
// metres.
import { type Box3, type PerspectiveCamera, Vector3 } from 'three';
import { eyesAboveVehicleM } from '#renderer/logic/viewer/viewSettings.ts';
import { distanceToFit } from './fitBox.ts';

export interface Viewpoint {
  positionM: Vector3;
  targetM: Vector3;
}

/** A vehicle to be followed: where it is and heads, counter-clockwise from x. */
export interface Followed {
  positionM: Vector3;
  yawRad: number;
}

const up = new Vector3(0, 0, 1);
/** Following: behind the vehicle and above it. */
const behindM = 13;
const aboveM = 5.5;
const lookAheadM = 5;
/** On board: so near before the eyes is what the camera turns about. */
const beforeEyesM = 0.5;
/** A key shifts the view by this share of the distance to the target. */
const shiftShare = 0.06;
/** Steeper than this there is no side from which to look. */
const minTiltRad = 0.05;
const maxTiltRad = 1.6;

/** Nearer by a factor below 1, farther above. */
export function approached({ positionM, targetM }: Viewpoint, factor: number): Viewpoint {
  const offset = positionM.clone().sub(targetM).multiplyScalar(factor);
  return { positionM: targetM.clone().add(offset), targetM: targetM.clone() };
}

/** Moved sideways and, level with the ground, ahead: 1 is one key. */
export function shifted(
  { positionM, targetM }: Viewpoint,
  right: number,
  ahead: number,
): Viewpoint {
  const stepM = shiftShare * positionM.distanceTo(targetM);
  const rightward = targetM.clone().sub(positionM).cross(up).normalize();
  const forward = new Vector3().crossVectors(up, rightward).normalize();
  const by = rightward.multiplyScalar(right * stepM).addScaledVector(forward, ahead * stepM);
  return { positionM: positionM.clone().add(by), targetM: targetM.clone().add(by) };
}

/** Turned about the target; never over the top, nor far below the horizon. */
export function turned(
  { positionM, targetM }: Viewpoint,
  rightRad: number,
  upRad: number,
): Viewpoint {
  const offset = positionM.clone().sub(targetM).applyAxisAngle(up, rightRad);
  const aside = new Vector3().crossVectors(up, offset).normalize();
  const lifted = offset.clone().applyAxisAngle(aside, -upRad);
  const fromUpRad = lifted.angleTo(up);
  const isUpright = fromUpRad > minTiltRad && fromUpRad < maxTiltRad;
  return {
    positionM: targetM.clone().add(isUpright ? lifted : offset),
    targetM: targetM.clone(),
  };
}

/** From straight above, a hair south of it, so that north is up on screen. */
export function fromAbove(targetM: Vector3, distanceM: number): Viewpoint {
  const offset = new Vector3(0, -1e-3 * distanceM, distanceM);
  return { positionM: targetM.clone().add(offset), targetM: targetM.clone() };
}

/** As it is; from straight above in `direction` of the target instead, as far away. */
export function tilted({ positionM, targetM }: Viewpoint, direction: Vector3): Viewpoint {
  const offset = positionM.clone().sub(targetM);
  const distanceM = offset.length();
  const isSteep = Math.hypot(offset.x, offset.y) < 0.05 * distanceM;
  if (isSteep) offset.copy(direction).normalize().multiplyScalar(distanceM);
  return { positionM: targetM.clone().add(offset), targetM: targetM.clone() };
}

/** All of a box, seen from the direction `backwards` (from the box to the camera). */
export function fitting(camera: PerspectiveCamera, box: Box3, backwards: Vector3): Viewpoint {
  const targetM = box.getCenter(new Vector3());
  const direction = backwards.clone().normalize();
  const distanceM = distanceToFit(camera, box, direction);
  return { positionM: targetM.clone().addScaledVector(direction, distanceM), targetM };
}

/** From on board of a vehicle, ahead. */
export function aboard({ positionM, yawRad }: Followed): Viewpoint {
  const ahead = new Vector3(Math.cos(yawRad), Math.sin(yawRad), 0);
  const eyes = positionM.clone().addScaledVector(up, eyesAboveVehicleM);
  return { positionM: eyes, targetM: eyes.clone().addScaledVector(ahead, beforeEyesM) };
}

/** Carried along by a vehicle from where it was before: moved and turned with it. */
export function carried(
  { positionM, targetM }: Viewpoint,
  before: Followed,
  now: Followed,
): Viewpoint {
  const turnRad = now.yawRad - before.yawRad;
  const carry = (placeM: Vector3): Vector3 =>
    placeM.clone().sub(before.positionM).applyAxisAngle(up, turnRad).add(now.positionM);
  return { positionM: carry(positionM), targetM: carry(targetM) };
}

/** Behind a vehicle and above it, looking a little ahead of it. */
export function behind({ positionM, yawRad }: Followed): Viewpoint {
  const ahead = new Vector3(Math.cos(yawRad), Math.sin(yawRad), 0);
  const from = positionM.clone().addScaledVector(ahead, -behindM);
  from.z += aboveM;
  return { positionM: from, targetM: positionM.clone().addScaledVector(ahead, lookAheadM) };
}
