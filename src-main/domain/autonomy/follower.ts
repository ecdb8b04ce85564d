// Pure pursuit (Coulter 1992) for a skid-steered vehicle: it turns on the spot when the path leads far to
// the side, slows down for curves, obstacles and the goal. Pure: the pose at which the command will take
// effect in, wheel speeds out.
import type { Vehicle } from '#contract/documents/scenario.ts';
import { clamp, wrapAngle } from '#domain/shared/numbers.ts';
import type { PlanarPose } from '#domain/shared/pose.ts';
import { clearanceLimitM } from './clearances.ts';
import type { CostMap } from './costMap.ts';
import { cellAt } from './gridGeometry.ts';
import {
  arcEnd,
  circumscribedRadiusM,
  inscribedRadiusM,
  maxYawRate,
  yawRateOf,
  type WheelSpeeds,
} from './kinematics.ts';
import type { Route } from './route.ts';
import { standstill, type WheelCommand } from './signals.ts';

export interface FollowInput {
  /** Where the vehicle will be when the command takes effect, and its wheel speeds then. */
  pose: PlanarPose;
  wheels: WheelSpeeds;
  route: Route;
  map: CostMap;
}

export interface FollowOutput {
  command: WheelCommand;
  /** An obstacle lies within the stopping distance: the command is to stop. */
  isObstructed: boolean;
}

export interface Follower {
  follow(input: FollowInput): FollowOutput;
}

/** Beyond the first angle it turns on the spot until the second is reached. */
const turnInPlaceFromRad = 0.9;
const turnInPlaceToRad = 0.25;
const shortestLookaheadM = 1.4;
const lookaheadS = 0.8;
/** Share of the greatest braking that is counted on. */
const brakingShare = 0.6;
const slowMPerS = 0.8;
/** Time between the estimate and the end of the command's own tick. */
const reactionS = 0.2;

/** A follower; it remembers only whether it is turning on the spot. */
export function createFollower(vehicle: Vehicle): Follower {
  const brakingMPerS2 = brakingShare * vehicle.maxAccelerationMPerS2;
  const halfTrackM = vehicle.trackWidthM / 2;
  /** Angular acceleration that the wheels' acceleration allows. */
  const spinUpRadPerS2 =
    ((1 - vehicle.turnSlip) * 2 * vehicle.maxAccelerationMPerS2) / vehicle.trackWidthM;
  let isTurning = false;

  const wheelsFor = (speedMPerS: number, yawRateRadPerS: number): WheelCommand => {
    const differenceMPerS = (yawRateRadPerS * halfTrackM) / (1 - Math.min(vehicle.turnSlip, 0.95));
    const limited = clamp(differenceMPerS, -vehicle.maxSpeedMPerS, vehicle.maxSpeedMPerS);
    // The faster side must not be asked for more than it can do, or the curve would widen.
    const roomMPerS = vehicle.maxSpeedMPerS - Math.abs(limited);
    const speed = clamp(speedMPerS, -roomMPerS, roomMPerS);
    return { leftMPerS: speed - limited, rightMPerS: speed + limited };
  };

  return {
    follow({ pose, wheels, route, map }) {
      const speedMPerS = (wheels.leftMPerS + wheels.rightMPerS) / 2;
      const lookaheadM = Math.max(shortestLookaheadM, lookaheadS * Math.abs(speedMPerS));
      const target = lookAhead(route, pose, lookaheadM);
      const dx = target.xM - pose.xM;
      const dy = target.yM - pose.yM;
      const distanceM = Math.hypot(dx, dy);
      const errorRad = distanceM < 0.05 ? 0 : wrapAngle(Math.atan2(dy, dx) - pose.yawRad);

      const limitRad = isTurning ? turnInPlaceToRad : turnInPlaceFromRad;
      isTurning = Math.abs(errorRad) > limitRad;
      if (isTurning) {
        const rate = Math.min(
          maxYawRate(vehicle),
          Math.sqrt(spinUpRadPerS2 * Math.abs(errorRad)),
          2 * Math.abs(errorRad),
        );
        return { command: wheelsFor(0, Math.sign(errorRad) * rate), isObstructed: false };
      }

      const curvature = (2 * Math.sin(errorRad)) / Math.max(distanceM, shortestLookaheadM / 2);
      const clearanceM = Math.min(
        clearanceAt(map, pose.xM, pose.yM),
        clearanceAt(map, target.xM, target.yM),
      );
      const wanted = Math.min(
        vehicle.maxSpeedMPerS,
        (0.8 * maxYawRate(vehicle)) / Math.max(Math.abs(curvature), 1e-6),
        Math.sqrt(2 * brakingMPerS2 * Math.max(0, target.leftM)) + 0.15,
        speedForClearance(vehicle, clearanceM),
      );
      const command = wheelsFor(wanted, wanted * curvature);
      if (isWayFree(vehicle, pose, wheels, command, map, brakingMPerS2)) {
        return { command, isObstructed: false };
      }
      return { command: standstill, isObstructed: true };
    },
  };
}

/** Slow where the vehicle could touch something by turning, as fast as it likes from a metre beyond. */
function speedForClearance(vehicle: Vehicle, clearanceM: number): number {
  if (clearanceM >= clearanceLimitM) return Infinity;
  const tightM = circumscribedRadiusM(vehicle);
  const share = clamp((clearanceM - tightM) / (clearanceLimitM - tightM), 0, 1);
  return slowMPerS + share * (vehicle.maxSpeedMPerS - slowMPerS);
}

/** The point of the route at the given distance beyond the one nearest to the vehicle. */
function lookAhead(
  { xM, yM }: Route,
  pose: PlanarPose,
  lookaheadM: number,
): { xM: number; yM: number; leftM: number } {
  let nearestM = Infinity;
  let segment = 0;
  let alongM = 0;
  for (let n = 1; n < xM.length; n += 1) {
    const [ax, ay] = [xM[n - 1] as number, yM[n - 1] as number];
    const [ux, uy] = [(xM[n] as number) - ax, (yM[n] as number) - ay];
    const lengthM = Math.hypot(ux, uy);
    if (lengthM === 0) continue;
    const onSegmentM = clamp(((pose.xM - ax) * ux + (pose.yM - ay) * uy) / lengthM, 0, lengthM);
    const offX = ax + (ux * onSegmentM) / lengthM - pose.xM;
    const offY = ay + (uy * onSegmentM) / lengthM - pose.yM;
    const offM = Math.hypot(offX, offY);
    if (offM >= nearestM) continue;
    nearestM = offM;
    segment = n;
    alongM = onSegmentM;
  }
  let leftM = 0;
  let restM = lookaheadM + alongM;
  let found: { xM: number; yM: number } | null = null;
  for (let n = Math.max(1, segment); n < xM.length; n += 1) {
    const [ax, ay] = [xM[n - 1] as number, yM[n - 1] as number];
    const [bx, by] = [xM[n] as number, yM[n] as number];
    const lengthM = Math.hypot(bx - ax, by - ay);
    leftM += lengthM;
    if (!found && restM <= lengthM) {
      const share = lengthM === 0 ? 0 : restM / lengthM;
      found = { xM: ax + share * (bx - ax), yM: ay + share * (by - ay) };
    }
    restM -= lengthM;
  }
  const last = xM.length - 1;
  found ??= { xM: xM[last] as number, yM: yM[last] as number };
  return { ...found, leftM: leftM - alongM };
}

/**
 * Follows the arc of the command for as long as stopping takes. Three discs along the vehicle's axis stand
 * for the footprint. Only a path that leads closer to an obstacle than the vehicle is already counts.
 */
function isWayFree(
  vehicle: Vehicle,
  pose: PlanarPose,
  wheels: WheelSpeeds,
  command: WheelCommand,
  map: CostMap,
  brakingMPerS2: number,
): boolean {
  const speedMPerS = Math.max(
    (wheels.leftMPerS + wheels.rightMPerS) / 2,
    (command.leftMPerS + command.rightMPerS) / 2,
    0.1,
  );
  const stopM = speedMPerS * reactionS + (speedMPerS * speedMPerS) / (2 * brakingMPerS2);
  const yawRate = yawRateOf(vehicle, command);
  const neededM = inscribedRadiusM(vehicle);
  const presentM = footprintClearance(vehicle, pose, map);
  for (let alongM = 0.25; alongM <= stopM + 0.25; alongM += 0.25) {
    const turnRad = (yawRate * alongM) / speedMPerS;
    const at = arcEnd(pose, { forwardM: alongM, turnRad });
    const clearanceM = footprintClearance(vehicle, at, map);
    if (clearanceM < neededM && clearanceM < presentM) return false;
  }
  return true;
}

function footprintClearance(vehicle: Vehicle, pose: PlanarPose, map: CostMap): number {
  const reachM = Math.max(0, vehicle.lengthM - vehicle.widthM) / 2;
  const [cos, sin] = [Math.cos(pose.yawRad), Math.sin(pose.yawRad)];
  return Math.min(
    clearanceAt(map, pose.xM, pose.yM),
    clearanceAt(map, pose.xM + cos * reachM, pose.yM + sin * reachM),
    clearanceAt(map, pose.xM - cos * reachM, pose.yM - sin * reachM),
  );
}

function clearanceAt(map: CostMap, xM: number, yM: number): number {
  const cell = cellAt(map.geometry, xM, yM);
  return cell < 0 ? clearanceLimitM : (map.clearanceM[cell] as number);
}
