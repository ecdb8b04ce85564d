// Measurements of an inertial measurement unit at the vehicle's origin in a drive: mean turning rates and specific
// force since the reading before, as units that integrate give them. Truth without noise: the vehicle's file has no
// model of it. The attitude is that of the compass reading of the same time, noise included.
import type { Pose } from '#contract/host/run.ts';
import {
  inverseOf,
  quaternionOf,
  rotate,
  rotationBetween,
  slerped,
  type Vector3,
} from '#domain/shared/pose.ts';
import type { CompassReading } from '#domain/autonomy/signals.ts';

/** Standard gravity (CGPM 1901). */
export const standardGravityMPerS2 = 9.80665;

/** A reading; vectors in the vehicle's frame (x forward, y left, z up). */
export interface ImuReading {
  timeNs: number;
  /** worldFromVehicle as the compass has it. */
  rotation: Pose['rotation'];
  angularRadPerS: Vector3;
  /** Acceleration less gravity: (0, 0, 9.80665) at rest on level ground (REP-145). */
  specificForceMPerS2: Vector3;
}

export interface Imu {
  /**
   * A reading for each of the compass's, in order; ticks one after the other. `poses` at `timesNs`: both ends of the
   * tick included.
   */
  read(
    compass: readonly CompassReading[],
    motion: { timesNs: readonly number[]; poses: readonly Pose[] },
  ): ImuReading[];
}

/** A unit at rest. */
export function createImu(): Imu {
  let last: { timeNs: number; rotation: Pose['rotation']; velocity: Vector3 } | null = null;
  /** In the step that ends at the start of the tick. */
  let carried: Vector3 = [0, 0, 0];
  return {
    read(compass, { timesNs, poses }) {
      const readings = compass.map(({ timeNs, headingRad, rollRad, pitchRad }): ImuReading => {
        const { rotation, velocity } = stateAt(timeNs, timesNs, poses, carried);
        const dtS = last === null ? 0 : (timeNs - last.timeNs) / 1e9;
        const rate = (to: number, from: number): number => (dtS > 0 ? (to - from) / dtS : 0);
        const from = last?.velocity ?? velocity;
        const force: Vector3 = [
          rate(velocity[0], from[0]),
          rate(velocity[1], from[1]),
          rate(velocity[2], from[2]) + standardGravityMPerS2,
        ];
        const turn =
          last === null ? ([0, 0, 0] as Vector3) : rotationBetween(last.rotation, rotation);
        last = { timeNs, rotation, velocity };
        return {
          timeNs,
          rotation: quaternionOf({ yawRad: headingRad, rollRad, pitchRad }),
          angularRadPerS: [rate(turn[0], 0), rate(turn[1], 0), rate(turn[2], 0)],
          specificForceMPerS2: rotate(inverseOf(rotation), force),
        };
      });
      carried = stateAt(Infinity, timesNs, poses, carried).velocity;
      return readings;
    },
  };
}

/** True rotation at a time, and velocity in the step that ends there or contains it. */
function stateAt(
  timeNs: number,
  timesNs: readonly number[],
  poses: readonly Pose[],
  carried: Vector3,
): { rotation: Pose['rotation']; velocity: Vector3 } {
  const found = timesNs.findIndex((time) => time >= timeNs);
  const end = found === -1 ? timesNs.length - 1 : found;
  const b = poses[end] as Pose;
  if (end === 0) return { rotation: b.rotation, velocity: carried };
  const a = poses[end - 1] as Pose;
  const [fromNs, toNs] = [timesNs[end - 1] as number, timesNs[end] as number];
  const share = Math.min(1, (timeNs - fromNs) / (toNs - fromNs));
  const perS = 1e9 / (toNs - fromNs);
  const velocity: Vector3 = [
    (b.positionM[0] - a.positionM[0]) * perS,
    (b.positionM[1] - a.positionM[1]) * perS,
    (b.positionM[2] - a.positionM[2]) * perS,
  ];
  return { rotation: slerped(a, b, share).rotation, velocity };
}
