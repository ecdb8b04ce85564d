// Rigid transforms as positions and unit quaternions (x, y, z, w), and REP-103 angles. Pure arithmetic.
import type { Pose } from '#contract/host/run.ts';
import { clamp, radians } from './numbers.ts';

export type Quaternion = Pose['rotation'];
export type Vector3 = Pose['positionM'];

/**
 * REP-103, x forward, y left, z up: yaw counter-clockwise seen from above, positive pitch lowers the nose,
 * positive roll the right side.
 */
export interface Attitude {
  yawRad: number;
  pitchRad: number;
  rollRad: number;
}

/** A place in the plane, and the heading there. */
export interface PlanarPose {
  xM: number;
  yM: number;
  yawRad: number;
}

/** The rotation Rz(yaw) · Ry(pitch) · Rx(roll): worldFromBody. */
export function quaternionOf({ yawRad, pitchRad, rollRad }: Attitude): Quaternion {
  const [cy, sy] = [Math.cos(yawRad / 2), Math.sin(yawRad / 2)];
  const [cp, sp] = [Math.cos(pitchRad / 2), Math.sin(pitchRad / 2)];
  const [cr, sr] = [Math.cos(rollRad / 2), Math.sin(rollRad / 2)];
  return [
    sr * cp * cy - cr * sp * sy,
    cr * sp * cy + sr * cp * sy,
    cr * cp * sy - sr * sp * cy,
    cr * cp * cy + sr * sp * sy,
  ];
}

/** `quaternionOf` an attitude as people write it, in degrees. */
export function rotationFromDegrees(yawDeg: number, pitchDeg: number, rollDeg: number): Quaternion {
  return quaternionOf({
    yawRad: radians(yawDeg),
    pitchRad: radians(pitchDeg),
    rollRad: radians(rollDeg),
  });
}

/** A pose as people write it: metres, degrees, no roll. */
export function poseFromDegrees(pose: {
  positionM: Pose['positionM'];
  yawDeg: number;
  pitchDeg: number;
}): Pose {
  const { positionM, yawDeg, pitchDeg } = pose;
  return { positionM, rotation: rotationFromDegrees(yawDeg, pitchDeg, 0) };
}

/** The inverse of `quaternionOf`; yaw and roll in (−π, π], pitch in [−π/2, π/2]. */
export function attitudeOf([x, y, z, w]: Quaternion): Attitude {
  const sinPitch = clamp(2 * (w * y - z * x), -1, 1);
  return {
    yawRad: Math.atan2(2 * (w * z + x * y), 1 - 2 * (y * y + z * z)),
    pitchRad: Math.asin(sinPitch),
    rollRad: Math.atan2(2 * (w * x + y * z), 1 - 2 * (x * x + y * y)),
  };
}

/** The rotation that does `b` first and then `a`. */
export function multiply(a: Quaternion, b: Quaternion): Quaternion {
  const [ax, ay, az, aw] = a;
  const [bx, by, bz, bw] = b;
  return [
    aw * bx + ax * bw + ay * bz - az * by,
    aw * by - ax * bz + ay * bw + az * bx,
    aw * bz + ax * by - ay * bx + az * bw,
    aw * bw - ax * bx - ay * by - az * bz,
  ];
}

/**
 * The rotation that leads from `from` to `to`, as a vector in the frame of `from`: axis times angle in radians, at most
 * π.
 */
export function rotationBetween(from: Quaternion, to: Quaternion): Vector3 {
  const [x, y, z, w] = multiply(inverseOf(from), to);
  const sine = Math.hypot(x, y, z);
  if (sine === 0) return [0, 0, 0];
  // Why by the sign of w: q and -q are the same rotation, and one of them turns by at most π.
  const factor = (2 * Math.atan2(sine, Math.abs(w)) * (w < 0 ? -1 : 1)) / sine;
  return [x * factor, y * factor, z * factor];
}

/** The inverse of a unit quaternion. */
export function inverseOf([x, y, z, w]: Quaternion): Quaternion {
  return [-x, -y, -z, w];
}

/** Turns a vector by a unit quaternion. */
export function rotate([x, y, z, w]: Quaternion, [vx, vy, vz]: Vector3): Vector3 {
  const tx = 2 * (y * vz - z * vy);
  const ty = 2 * (z * vx - x * vz);
  const tz = 2 * (x * vy - y * vx);
  return [
    vx + w * tx + y * tz - z * ty,
    vy + w * ty + z * tx - x * tz,
    vz + w * tz + x * ty - y * tx,
  ];
}

/** worldFromB from worldFromA and aFromB. */
export function compose(worldFromA: Pose, aFromB: Pose): Pose {
  const [x, y, z] = rotate(worldFromA.rotation, aFromB.positionM);
  const [ax, ay, az] = worldFromA.positionM;
  return {
    positionM: [ax + x, ay + y, az + z],
    rotation: multiply(worldFromA.rotation, aFromB.rotation),
  };
}

/** bFromA of aFromB. */
export function inverseOfPose({ positionM, rotation }: Pose): Pose {
  const back = inverseOf(rotation);
  const [x, y, z] = rotate(back, positionM);
  return { positionM: [-x, -y, -z], rotation: back };
}

/** aFromB of two bodies in the world: `compose(worldFromA, aFromB(worldFromA, worldFromB))` is worldFromB. */
export function aFromB(worldFromA: Pose, worldFromB: Pose): Pose {
  const back = inverseOf(worldFromA.rotation);
  const [ax, ay, az] = worldFromA.positionM;
  const [bx, by, bz] = worldFromB.positionM;
  return {
    positionM: rotate(back, [bx - ax, by - ay, bz - az]),
    rotation: multiply(back, worldFromB.rotation),
  };
}

/** Between two poses, at fraction `share`: linear in position, normalised linear in rotation, by the shorter arc. */
export function interpolate(a: Pose, b: Pose, share: number): Pose {
  const mix = (from: number, to: number): number => from + share * (to - from);
  const [ax, ay, az, aw] = a.rotation;
  // Why: q and -q are the same rotation; the nearer of the two gives the shorter arc.
  const [bx, by, bz, bw] = b.rotation;
  const isFar = ax * bx + ay * by + az * bz + aw * bw < 0;
  const sign = isFar ? -1 : 1;
  const [x, y] = [mix(ax, sign * bx), mix(ay, sign * by)];
  const [z, w] = [mix(az, sign * bz), mix(aw, sign * bw)];
  const norm = Math.hypot(x, y, z, w);
  return {
    positionM: [
      mix(a.positionM[0], b.positionM[0]),
      mix(a.positionM[1], b.positionM[1]),
      mix(a.positionM[2], b.positionM[2]),
    ],
    rotation: [x / norm, y / norm, z / norm, w / norm],
  };
}

/**
 * Between two poses, at fraction `share`: linear in position, along the shorter arc in rotation (slerp). The arithmetic
 * of the worker for the pose of a pulse (core/maths/maths.h), to the last digits.
 */
export function slerped(a: Pose, b: Pose, share: number): Pose {
  const [ax, ay, az, aw] = a.rotation;
  const [bx, by, bz, bw] = b.rotation;
  const dot = ax * bx + ay * by + az * bz + aw * bw;
  const sign = dot < 0 ? -1 : 1;
  const cosine = Math.abs(dot);
  let [shareA, shareB] = [1 - share, share];
  // Why: below this angle sin(angle) loses its digits, and the chord is the arc to double precision.
  if (cosine < 1 - 1e-10) {
    const angle = Math.acos(cosine);
    shareA = Math.sin((1 - share) * angle) / Math.sin(angle);
    shareB = Math.sin(share * angle) / Math.sin(angle);
  }
  shareB *= sign;
  const [x, y, z, w] = [
    shareA * ax + shareB * bx,
    shareA * ay + shareB * by,
    shareA * az + shareB * bz,
    shareA * aw + shareB * bw,
  ];
  const norm = Math.sqrt(x * x + y * y + z * z + w * w);
  const [px, py, pz] = a.positionM;
  const [rx, ry, rz] = b.positionM;
  return {
    positionM: [px + (rx - px) * share, py + (ry - py) * share, pz + (rz - pz) * share],
    rotation: [x / norm, y / norm, z / norm, w / norm],
  };
}
