// Where a ray of a pulse goes in the world.
import { radians } from '#domain/shared/numbers.ts';

/** A unit vector: the axis of the pulse in the sensor's frame, the ray's offsets on the plane 1 m ahead, the pose. */
export function rayDirection(
  axis: { azimuthRad: number; elevationRad: number },
  offsets: { left: number; up: number },
  pose: { yawDeg: number; pitchDeg?: number | undefined },
): [number, number, number] {
  const [cosA, sinA] = [Math.cos(axis.azimuthRad), Math.sin(axis.azimuthRad)];
  const [cosE, sinE] = [Math.cos(axis.elevationRad), Math.sin(axis.elevationRad)];
  const { left, up } = offsets;
  const x = cosE * cosA - left * sinA - up * sinE * cosA;
  const y = cosE * sinA + left * cosA - up * sinE * sinA;
  const z = sinE + up * cosE;
  const length = Math.hypot(x, y, z);
  // Rz(yaw) · Ry(pitch): a positive pitch lowers the nose.
  const [pitch, yaw] = [radians(pose.pitchDeg ?? 0), radians(pose.yawDeg)];
  const ahead = x * Math.cos(pitch) + z * Math.sin(pitch);
  const raised = z * Math.cos(pitch) - x * Math.sin(pitch);
  return [
    (ahead * Math.cos(yaw) - y * Math.sin(yaw)) / length,
    (ahead * Math.sin(yaw) + y * Math.cos(yaw)) / length,
    raised / length,
  ];
}
