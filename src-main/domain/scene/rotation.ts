// Attitude as people write it: yaw, pitch, roll in degrees.
import { quaternionOf, type Quaternion } from '#domain/navigation/pose.ts';

/**
 * Quaternion x, y, z, w of R = Rz(yaw)·Ry(pitch)·Rx(roll), worldFromBody with x forward, y left, z up
 * (REP-103): yaw counter-clockwise seen from above, positive pitch lowers the nose, positive roll the
 * right side.
 */
export function rotationFromDegrees(yawDeg: number, pitchDeg: number, rollDeg: number): Quaternion {
  return quaternionOf({
    yawRad: radians(yawDeg),
    pitchRad: radians(pitchDeg),
    rollRad: radians(rollDeg),
  });
}

/** Degrees to radians. */
export function radians(degrees: number): number {
  return (degrees * Math.PI) / 180;
}
