// How a skid-steered vehicle moves for given wheel speeds: shared by the simulated vehicle (truth) and by
// the follower's own prediction. Geometry that the vehicle file does not print is derived here, once.
import type { DriveCommand } from '#contract/host/run.ts';
import type { Vehicle } from '#contract/documents/scenario.ts';
import { clamp, radians } from '#domain/shared/numbers.ts';
import type { PlanarPose } from '#domain/shared/pose.ts';
import type { WheelCommand } from './signals.ts';

/** Speeds of the two sides as they are now, metres per second. */
export interface WheelSpeeds {
  leftMPerS: number;
  rightMPerS: number;
}

/** Movement in the plane during one step, in the frame at its start; an arc of constant curvature. */
export interface PlanarStep {
  forwardM: number;
  turnRad: number;
}

/** Distance between the front and the rear axle: the wheels stand at a fifth and four fifths of the length. */
export function wheelBaseM(vehicle: Vehicle): number {
  return 0.6 * vehicle.lengthM;
}

/** Half of the width: the circle of this radius about the centre lies within the footprint. */
export function inscribedRadiusM(vehicle: Vehicle): number {
  return Math.min(vehicle.lengthM, vehicle.widthM) / 2;
}

/** Half of the diagonal: the footprint lies within the circle of this radius at any heading. */
export function circumscribedRadiusM(vehicle: Vehicle): number {
  return Math.hypot(vehicle.lengthM, vehicle.widthM) / 2;
}

/** Turning rate in radians per second for wheel speeds; the skidding wheels lose the share `turnSlip`. */
export function yawRateOf(vehicle: Vehicle, { leftMPerS, rightMPerS }: WheelSpeeds): number {
  const rate = ((1 - vehicle.turnSlip) * (rightMPerS - leftMPerS)) / vehicle.trackWidthM;
  const limit = maxYawRate(vehicle);
  return clamp(rate, -limit, limit);
}

/** Greatest turning rate in radians per second. */
export function maxYawRate(vehicle: Vehicle): number {
  return radians(vehicle.maxYawRateDegPerS);
}

/** The wheel speeds for a command, which is held to what the vehicle can do; yawRateOf gives it back. */
export function wheelsFor(vehicle: Vehicle, command: DriveCommand): WheelCommand {
  const { speedMPerS, yawRateRadPerS } = heldCommand(vehicle, command);
  const halfM = (yawRateRadPerS * vehicle.trackWidthM) / (2 * (1 - vehicle.turnSlip));
  return { leftMPerS: speedMPerS - halfM, rightMPerS: speedMPerS + halfM };
}

/** The command that results in these wheel speeds. */
export function commandOf(vehicle: Vehicle, wheels: WheelCommand): DriveCommand {
  return {
    speedMPerS: (wheels.leftMPerS + wheels.rightMPerS) / 2,
    yawRateRadPerS: yawRateOf(vehicle, wheels),
  };
}

/** A command within the vehicle's greatest speed and turning rate. No zero in it is negative. */
export function heldCommand(
  vehicle: Vehicle,
  { speedMPerS, yawRateRadPerS }: DriveCommand,
): DriveCommand {
  const limit = maxYawRate(vehicle);
  // Why + 0: a negative zero would come back from JSON as another number than it went.
  return {
    speedMPerS: clamp(speedMPerS, -vehicle.maxSpeedMPerS, vehicle.maxSpeedMPerS) + 0,
    yawRateRadPerS: clamp(yawRateRadPerS, -limit, limit) + 0,
  };
}

/** Each side ramps to its command at the greatest acceleration and continues at that speed. */
export function drive(
  vehicle: Vehicle,
  speeds: WheelSpeeds,
  command: WheelCommand,
  dtS: number,
): { speeds: WheelSpeeds; step: PlanarStep } {
  const left = ramp(vehicle, speeds.leftMPerS, command.leftMPerS, dtS);
  const right = ramp(vehicle, speeds.rightMPerS, command.rightMPerS, dtS);
  const turnRad = ((1 - vehicle.turnSlip) * (right.lengthM - left.lengthM)) / vehicle.trackWidthM;
  const limitRad = maxYawRate(vehicle) * dtS;
  return {
    speeds: { leftMPerS: left.speedMPerS, rightMPerS: right.speedMPerS },
    step: {
      forwardM: (left.lengthM + right.lengthM) / 2,
      turnRad: clamp(turnRad, -limitRad, limitRad),
    },
  };
}

/** Where an arc ends: exact for constant curvature (the chord of an arc s about the angle a: s·sinc(a/2)). */
export function arcEnd(start: PlanarPose, { forwardM, turnRad }: PlanarStep): PlanarPose {
  const half = turnRad / 2;
  const chordM = Math.abs(half) < 1e-9 ? forwardM : (forwardM * Math.sin(half)) / half;
  return {
    xM: start.xM + chordM * Math.cos(start.yawRad + half),
    yM: start.yM + chordM * Math.sin(start.yawRad + half),
    yawRad: start.yawRad + turnRad,
  };
}

function ramp(
  vehicle: Vehicle,
  fromMPerS: number,
  commandMPerS: number,
  dtS: number,
): { speedMPerS: number; lengthM: number } {
  const wanted = clamp(commandMPerS, -vehicle.maxSpeedMPerS, vehicle.maxSpeedMPerS);
  const change = wanted - fromMPerS;
  const rampS = Math.abs(change) / vehicle.maxAccelerationMPerS2;
  if (rampS <= dtS) {
    const lengthM = ((fromMPerS + wanted) / 2) * rampS + wanted * (dtS - rampS);
    return { speedMPerS: wanted, lengthM };
  }
  const speedMPerS = fromMPerS + Math.sign(change) * vehicle.maxAccelerationMPerS2 * dtS;
  return { speedMPerS, lengthM: ((fromMPerS + speedMPerS) / 2) * dtS };
}
