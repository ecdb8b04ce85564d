// The simulated skid-steered vehicle: wheel speeds in, pose on the terrain out. Truth; autonomy never
// sees it. A step that would run into something (`isBlocked`) leaves it where it is, at a standstill.
import type { Pose } from '#contract/host/run.ts';
import type { Vehicle } from '#contract/documents/scenario.ts';
import { squared } from '#domain/shared/numbers.ts';
import { quaternionOf } from '#domain/shared/pose.ts';
import {
  arcEnd,
  drive,
  wheelBaseM,
  yawRateOf,
  type WheelSpeeds,
} from '#domain/autonomy/kinematics.ts';
import type { WheelCommand } from '#domain/autonomy/signals.ts';
import type { Terrain } from './terrain.ts';

export interface VehicleOptions {
  vehicle: Vehicle;
  start: { positionM: readonly [number, number]; yawRad: number };
  terrain: Terrain;
  /** True where the vehicle cannot be; asked once for each step, for the pose at its end. */
  isBlocked?: (pose: Pose) => boolean;
}

export interface VehicleState {
  /** worldFromVehicle; the origin lies on the ground below the vehicle's centre. */
  pose: Pose;
  /** Along the ground, forwards positive. */
  speedMPerS: number;
  yawRateRadPerS: number;
  /** Work done since the start. */
  energyJ: number;
}

export interface SimulatedVehicle {
  advance(command: WheelCommand, dtS: number): void;
  state(): VehicleState;
}

const gravityMPerS2 = 9.81;
/** Wheels on grass and soil. */
const rollingResistance = 0.08;
/** Sideways friction of the wheels that skid in a turn. */
const scrubFriction = 0.5;

/**
 * A stationary vehicle at `start`.
 *
 * The energy is a proxy, the work of one step: rolling resistance 0.08·m·g over the distance driven, scrub
 * 0.5·m·g over the mean sideways slide of the wheels (turn · half the wheel base), and the change of kinetic
 * and potential energy; never negative (brakes recover nothing).
 */
export function createVehicle(options: VehicleOptions): SimulatedVehicle {
  const { vehicle, terrain, isBlocked } = options;
  const weightN = vehicle.massKg * gravityMPerS2;
  let [xM, yM] = options.start.positionM;
  let yawRad = options.start.yawRad;
  let wheels: WheelSpeeds = { leftMPerS: 0, rightMPerS: 0 };
  let footing = standOn(terrain, vehicle, xM, yM, yawRad);
  let energyJ = 0;

  const speed = (of: WheelSpeeds): number => (of.leftMPerS + of.rightMPerS) / 2;

  return {
    advance(command, dtS) {
      const { speeds, step } = drive(vehicle, wheels, command, dtS);
      // The wheels measure length along the slope; the map is its projection.
      const level = { ...step, forwardM: step.forwardM / Math.hypot(1, footing.slopeAlong) };
      const end = arcEnd({ xM, yM, yawRad }, level);
      const next = standOn(terrain, vehicle, end.xM, end.yM, end.yawRad);
      if ((step.forwardM !== 0 || step.turnRad !== 0) && isBlocked?.(next.pose)) {
        wheels = { leftMPerS: 0, rightMPerS: 0 };
        return;
      }
      const rollingJ = rollingResistance * weightN * Math.abs(step.forwardM);
      const scrubJ = (scrubFriction * weightN * Math.abs(step.turnRad) * wheelBaseM(vehicle)) / 2;
      const kineticJ = (vehicle.massKg * (squared(speed(speeds)) - squared(speed(wheels)))) / 2;
      const potentialJ = weightN * (next.pose.positionM[2] - footing.pose.positionM[2]);
      energyJ += Math.max(0, rollingJ + scrubJ + kineticJ + potentialJ);
      ({ xM, yM, yawRad } = end);
      wheels = speeds;
      footing = next;
    },
    state: () => ({
      pose: footing.pose,
      speedMPerS: speed(wheels),
      yawRateRadPerS: yawRateOf(vehicle, wheels),
      energyJ,
    }),
  };
}

/** The plane of best fit through the ground under the four wheels, and the pose of a body on it. */
function standOn(
  terrain: Terrain,
  vehicle: Vehicle,
  xM: number,
  yM: number,
  yawRad: number,
): { pose: Pose; slopeAlong: number } {
  const halfBaseM = wheelBaseM(vehicle) / 2;
  const halfTrackM = vehicle.trackWidthM / 2;
  const [cos, sin] = [Math.cos(yawRad), Math.sin(yawRad)];
  const under = (forwardM: number, leftM: number): number =>
    terrain.heightM(xM + cos * forwardM - sin * leftM, yM + sin * forwardM + cos * leftM);
  const frontLeft = under(halfBaseM, halfTrackM);
  const frontRight = under(halfBaseM, -halfTrackM);
  const rearLeft = under(-halfBaseM, halfTrackM);
  const rearRight = under(-halfBaseM, -halfTrackM);
  const zM = (frontLeft + frontRight + rearLeft + rearRight) / 4;
  const slopeAlong = (frontLeft + frontRight - rearLeft - rearRight) / (4 * halfBaseM);
  const slopeLeft = (frontLeft + rearLeft - frontRight - rearRight) / (4 * halfTrackM);
  const pitchRad = -Math.atan(slopeAlong);
  const rollRad = Math.asin(slopeLeft / Math.hypot(1, slopeAlong, slopeLeft));
  return {
    pose: { positionM: [xM, yM, zM], rotation: quaternionOf({ yawRad, pitchRad, rollRad }) },
    slopeAlong,
  };
}
