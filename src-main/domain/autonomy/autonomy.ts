// The computer that drives the vehicle: scans, GPS and compass in, wheel speeds out, once a tick. It sees
// nothing of the truth. Estimator, cost map, planner and follower in a row; no clock, no time budget.
import type { MapGeometry, Pose } from '#contract/host/run.ts';
import type { SensorRecipe } from '#contract/worker/sensorRecipe.ts';
import { traitsOf } from '#contract/documents/scan/scanRecipe.ts';
import type { Mission, Navigation, Vehicle } from '#contract/documents/scenario.ts';
import { radians } from '#domain/shared/numbers.ts';
import { rotate, type PlanarPose } from '#domain/shared/pose.ts';
import { createPlanner } from './aStar.ts';
import { createCostMap, clearingLimits, lethalCost, tiltMarginM } from './costMap.ts';
import { createEstimator, poseOf, type Estimate, type Estimator } from './estimator.ts';
import { createFollower } from './follower.ts';
import { mapGeometryOf } from '#contract/documents/scenarioPlaces.ts';
import { arcEnd, drive, type WheelSpeeds } from './kinematics.ts';
import { createRecovery } from './recovery.ts';
import { createRouter, type Route } from './route.ts';
import {
  standstill,
  type CostMapView,
  type MotionEstimate,
  type Sightings,
  type TickOutput,
  type TickReadings,
  type WheelCommand,
} from './signals.ts';
import {
  bodyFilterOf,
  ownFootprint,
  samplePoses,
  sampleStepNs,
  wheelPlaneOf,
  type BodyBox,
  type TickMapping,
} from './tickMapping.ts';
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
  pose: Pose;
  /** Null before the first fix, as are the others. */
  motion: MotionEstimate | null;
  state: Estimate | null;
  /** For the scans of the tick. */
  mapping: TickMapping | null;
}

/** Everything autonomy gets in one tick beside its readings. */
export interface TickInput {
  timeNs: number;
  /** By the readings of the tick. */
  located: Located;
  /** Null: nothing was scanned, or mapped. */
  sightings: Sightings | null;
  /** Given where another drives the vehicle: applied instead of what autonomy would decide. */
  command?: WheelCommand;
}

export interface Autonomy {
  /**
   * The estimate of a tick, from its readings; to be called once for every tick, in order, when it begins: it says how the
   * returns of its scans are mapped.
   */
  locate(readings: TickReadings): Located;
  /** To be called for every tick, in order, however many have been located since. */
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
  const { vehicle, mission, navigation, measurePlan = (plan) => plan() } = options;
  const tickNs = navigation.tickMs * 1e6;
  const tickS = tickNs / 1e9;
  const [goalX, goalY] = mission.goalM;
  const estimator = createEstimator(vehicle);
  const map = createCostMap(mapGeometryOf(mission, navigation), {
    clears: navigation.costMap.clearing === true,
  });
  const mappingOf = createTickMapping(options, map.geometry, estimator);
  const router = createRouter(vehicle, map, createPlanner(map.geometry.cells));
  const follower = createFollower(vehicle);
  const recovery = createRecovery();
  let route: Route | null = null;
  let plannedNs = -Infinity;
  let hasArrived = false;
  /** The command of the step before: it drives the tick that begins at this step's end of tick. */
  let pending: WheelCommand = standstill;
  /** Where the wheels must be by now if they followed their commands. */
  let wheels: WheelSpeeds = standstill;

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
    locate({ timeNs, gps, compass }) {
      estimator.advance(gps, compass, timeNs);
      if (!estimator.isReady()) {
        return { pose: waiting(mission).estimate, motion: null, state: null, mapping: null };
      }
      const state = estimator.at(timeNs);
      const mapping = mappingOf(timeNs, state);
      return { pose: poseOf(state), motion: estimator.motion(), state, mapping };
    },
    step({ timeNs, located, sightings, command: given }) {
      const estimate = located.state;
      if (estimate === null) {
        pending = given ?? standstill;
        return { ...waiting(mission), command: pending };
      }
      const isChanged = sightings !== null && map.integrate(sightings);
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
          estimate: located.pose,
          motion: located.motion,
          distanceToGoalM,
          path: path && { xM: path.xM, yM: path.yM },
          mapChanged: isChanged,
        };
      };
      if (hasArrived && given === undefined) return output(standstill, 'arrived', null);

      let planned = replan(timeNs, ahead, false);
      route = planned ?? route;
      if (given !== undefined) return output(given, 'driving', planned);
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

/** How the returns of a tick are mapped, by the estimates of its end. */
function createTickMapping(
  { vehicle, navigation, sensors, body }: AutonomyOptions,
  geometry: MapGeometry,
  estimator: Estimator,
): (timeNs: number, state: Estimate) => TickMapping {
  const { maxHeightM, clearing = false } = navigation.costMap;
  const always = {
    ...geometry,
    maxHeightM,
    seesGround: sensors.some(looksDown),
    stepNs: sampleStepNs,
    ...ownFootprint(vehicle),
    ...(clearing ? { clearing: clearingLimits } : { repeatFromCost: lethalCost }),
  };
  const bodies = sensors.map(({ mount }) => body && bodyFilterOf(body, mount));
  const poseAt = (timeNs: number): Pose => poseOf(estimator.at(timeNs));
  return (timeNs, state) => {
    const fromNs = timeNs - navigation.tickMs * 1e6;
    const marginPerM = tiltMarginM(estimator.sigma().tiltRad, 1);
    return {
      map: { ...always, marginPerM, plane: wheelPlaneOf(state), fromNs },
      sensors: sensors.map(({ mount }, sensor) => ({
        samples: samplePoses(fromNs, timeNs, poseAt, mount),
        body: bodies[sensor] ?? null,
      })),
    };
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
