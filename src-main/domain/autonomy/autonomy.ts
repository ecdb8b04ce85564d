// The computer that drives the vehicle: scans, GPS and compass in, wheel speeds out, once a tick. It sees
// nothing of the truth. Estimator, cost map, planner and follower in a row; no clock, no time budget.
import type { Pose } from '#contract/host/run.ts';
import type { SensorRecipe } from '#contract/worker/sensorRecipe.ts';
import { traitsOf } from '#contract/documents/scan/scanRecipe.ts';
import type { Mission, Navigation, Vehicle } from '#contract/documents/scenario.ts';
import { radians } from '#domain/shared/numbers.ts';
import { rotate, type PlanarPose } from '#domain/shared/pose.ts';
import { createPlanner } from './aStar.ts';
import { createCostMap } from './costMap.ts';
import { createEstimator, poseOf, type Estimate, type Estimator } from './estimator.ts';
import { createFollower } from './follower.ts';
import { mapGeometryOf } from '#contract/documents/scenarioPlaces.ts';
import type { WheelPlane } from './ground.ts';
import { arcEnd, drive, type WheelSpeeds } from './kinematics.ts';
import { createRecovery } from './recovery.ts';
import {
  createPointBuffer,
  registerReturns,
  samplePoses,
  selfFilterOf,
  type BodyBox,
} from './registration.ts';
import { createRouter, type Route } from './route.ts';
import {
  standstill,
  type CostMapView,
  type MotionEstimate,
  type TickInput,
  type TickOutput,
  type WheelCommand,
} from './signals.ts';
import { warmUp } from './warmUp.ts';

export interface AutonomyOptions {
  vehicle: Vehicle;
  mission: Mission;
  navigation: Navigation;
  /** `mount` is vehicleFromSensor. */
  sensors: { mount: Pose; recipe: SensorRecipe }[];
  /** The box of the vehicle's own body, which its sensors see; null: it states none. */
  body: BodyBox | null;
  /** Carries out each planning, to measure it: autonomy itself has no clock. */
  measurePlan?: <T>(plan: () => T) => T;
}

/** A vehicle's estimate of where it is and how it moves. */
export interface Located {
  /** worldFromVehicle. */
  estimate: Pose;
  /** Null before the first fix. */
  motion: MotionEstimate | null;
}

export interface Autonomy {
  /** The estimate of a tick, from its readings, for a decision before the step of the same tick. */
  locate(readings: Pick<TickInput, 'timeNs' | 'gps' | 'compass'>): Located;
  /** To be called for every tick, in order; the scans are those of the tick that ends at `timeNs`. */
  step(input: TickInput): TickOutput;
  /**
   * Makes the first plan as fast as the others; takes some 0.1 s. To be called before the first step, whose
   * results it does not change.
   */
  warmUp(): void;
  /** The map as it is; the array is replaced, never written again, when the map changes. */
  map(): CostMapView;
}

/** Between two plans, unless the route is blocked. */
const replanNs = 500e6;
/** The same while an obstacle blocks the path. */
const obstructedReplanNs = 200e6;
/** How far ahead a route is watched for new obstacles. */
const watchedM = 20;

/** An autonomy at the start of its mission; nothing is known yet. */
export function createAutonomy(options: AutonomyOptions): Autonomy {
  const { vehicle, mission, navigation, sensors, body, measurePlan = (plan) => plan() } = options;
  const tickNs = navigation.tickMs * 1e6;
  const tickS = tickNs / 1e9;
  const [goalX, goalY] = mission.goalM;
  const estimator = createEstimator(vehicle);
  const map = createCostMap(mapGeometryOf(mission, navigation), navigation.costMap.maxHeightM, {
    seesGround: sensors.some(looksDown),
    clears: navigation.costMap.clearing === true,
  });
  const router = createRouter(vehicle, map, createPlanner(map.geometry.cells));
  const follower = createFollower(vehicle);
  const recovery = createRecovery();
  const points = createPointBuffer();
  const selfFilters = sensors.map(({ mount }) => body && selfFilterOf(body, mount));
  let route: Route | null = null;
  let plannedNs = -Infinity;
  let hasArrived = false;
  /** The command of the step before: it drives the tick that begins at this step's end of tick. */
  let pending: WheelCommand = standstill;
  /** Where the wheels must be by now if they followed their commands. */
  let wheels: WheelSpeeds = standstill;
  const advance = advancedOnce(estimator);

  const integrate = (input: TickInput, estimate: Estimate): boolean => {
    points.count = 0;
    const poseAt = (timeNs: number): Pose => poseOf(estimator.at(timeNs));
    for (const { sensor, table } of input.scans) {
      const mount = sensors[sensor]?.mount;
      if (!mount) throw new RangeError(`there is no sensor ${sensor}`);
      const samples = samplePoses(input.timeNs - tickNs, input.timeNs, poseAt, mount);
      const isOwn = selfFilters[sensor] ?? null;
      for (const part of table) registerReturns(points, part, samples, vehicle, isOwn);
    }
    return map.integrate(points, wheelPlaneOf(estimate), estimator.sigma().tiltRad);
  };

  /** Plans again where it is time to, or where the path has been blocked; null: the route stays. */
  const replan = (timeNs: number, from: PlanarPose, isForced: boolean): Route | null => {
    const isDue = timeNs - plannedNs >= replanNs;
    const current = isDue || isForced ? null : route;
    if (current && !router.isBlocked(current, [from.xM, from.yM], watchedM)) return null;
    plannedNs = timeNs;
    return measurePlan(() => {
      router.refresh(map);
      return router.plan([from.xM, from.yM], [goalX, goalY]);
    });
  };

  /** The obstacle that stopped the vehicle is at its bumper: three cells across its width. */
  const markAhead = ({ xM, yM, yawRad }: PlanarPose): void => {
    const aheadM = vehicle.lengthM / 2 + map.geometry.cellM / 2;
    const [cos, sin] = [Math.cos(yawRad), Math.sin(yawRad)];
    for (const sideM of [-vehicle.widthM / 3, 0, vehicle.widthM / 3]) {
      map.mark(xM + cos * aheadM - sin * sideM, yM + sin * aheadM + cos * sideM);
    }
  };

  return {
    locate(readings) {
      advance(readings);
      if (!estimator.isReady()) return waiting(mission);
      return { estimate: poseOf(estimator.at(readings.timeNs)), motion: estimator.motion() };
    },
    step(input) {
      const { timeNs } = input;
      advance(input);
      if (!estimator.isReady()) {
        pending = input.command ?? standstill;
        return { ...waiting(mission), command: pending };
      }
      const estimate = estimator.at(timeNs);
      const isChanged = integrate(input, estimate);
      const distanceToGoalM = Math.hypot(goalX - estimate.xM, goalY - estimate.yM);
      // A little inside the tolerance, so that the truth is inside as well.
      const arriveM = Math.max(mission.goalToleranceM - 0.3, mission.goalToleranceM / 2);
      hasArrived ||= distanceToGoalM <= arriveM;

      // The pending command drives the coming tick; this step's command starts where that one ends.
      const coming = drive(vehicle, wheels, pending, tickS);
      const ahead = arcEnd(estimate, coming.step);
      wheels = coming.speeds;

      const output = (
        command: WheelCommand,
        activity: TickOutput['activity'],
        path: Route | null,
      ): TickOutput => {
        pending = command;
        return {
          command,
          activity,
          estimate: poseOf(estimate),
          motion: estimator.motion(),
          distanceToGoalM,
          path: path && { xM: path.xM, yM: path.yM },
          mapChanged: isChanged,
        };
      };
      if (hasArrived && input.command === undefined) return output(standstill, 'arrived', null);

      let planned = replan(timeNs, ahead, false);
      route = planned ?? route;
      if (input.command !== undefined) return output(input.command, 'driving', planned);
      const follow = (): { command: WheelCommand; isObstructed: boolean } =>
        route
          ? follower.follow({ pose: ahead, wheels, route, map })
          : { command: standstill, isObstructed: false };
      let followed = follow();
      if (followed.isObstructed && timeNs - plannedNs >= obstructedReplanNs) {
        planned = replan(timeNs, ahead, true);
        route = planned ?? route;
        followed = follow();
      }
      const canGoOn = route !== null && (route.isGoalReached || route.xM.length > 2);
      const recovering = recovery.step(timeNs, estimate, followed.command, canGoOn);
      if (recovering.state === 'given-up') return output(standstill, 'given-up', planned);
      if (recovering.isNewlyStuck) {
        markAhead(estimate);
        planned = replan(timeNs, ahead, true);
        route = planned ?? route;
      }
      if (recovering.command) return output(recovering.command, 'stuck', planned);
      return output(followed.command, 'driving', planned);
    },
    warmUp: () => warmUp(router, map.geometry),
    map: () => map.view(),
  };
}

/** Takes the readings of a tick, each once, however often they are given. */
function advancedOnce(
  estimator: Estimator,
): (readings: Pick<TickInput, 'timeNs' | 'gps' | 'compass'>) => void {
  let locatedNs = -Infinity;
  return ({ gps, compass, timeNs }) => {
    if (timeNs > locatedNs) estimator.advance(gps, compass, timeNs);
    locatedNs = Math.max(locatedNs, timeNs);
  };
}

/** True where a laser of the sensor, as it is mounted, points more than 2° below the horizon. */
function looksDown({ mount, recipe }: AutonomyOptions['sensors'][number]): boolean {
  const [fromRad, toRad] = traitsOf(recipe.scan).spanRad;
  const lowestRad = Math.min(...recipe.banks.flatMap(({ elevationsRad }) => elevationsRad));
  const steps = 36;
  for (let step = 0; step <= steps; step += 1) {
    const azimuthRad = fromRad + (step / steps) * (toRad - fromRad);
    const level = Math.cos(lowestRad);
    const [, , z] = rotate(mount.rotation, [
      level * Math.cos(azimuthRad),
      level * Math.sin(azimuthRad),
      Math.sin(lowestRad),
    ]);
    if (z < -Math.sin(radians(2))) return true;
  }
  return false;
}

/** Before the first fix and reading: the mission's start is all that is known. */
function waiting(mission: Mission): TickOutput {
  const [xM, yM] = mission.startM;
  const [goalX, goalY] = mission.goalM;
  const halfYawRad = (mission.startYawDeg * Math.PI) / 360;
  return {
    command: standstill,
    activity: 'waiting',
    estimate: {
      positionM: [xM, yM, 0],
      rotation: [0, 0, Math.sin(halfYawRad), Math.cos(halfYawRad)],
    },
    motion: null,
    distanceToGoalM: Math.hypot(goalX - xM, goalY - yM),
    path: null,
    mapChanged: false,
  };
}

/** The plane on which the wheels stand, by the estimated attitude (REP-103 angles). */
function wheelPlaneOf(estimate: Estimate): WheelPlane {
  const { xM, yM, zM, yawRad, pitchRad, rollRad } = estimate;
  const along = -Math.tan(pitchRad);
  const left = Math.tan(rollRad) / Math.cos(pitchRad);
  const [cos, sin] = [Math.cos(yawRad), Math.sin(yawRad)];
  return { xM, yM, zM, slopeX: cos * along - sin * left, slopeY: sin * along + cos * left };
}
