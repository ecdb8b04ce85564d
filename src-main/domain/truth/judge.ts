// Ground truth judges a drive: what the footprint runs into, how long the path is, how much ground cover
// it leads through, how wrong the estimate is. Truth: nothing of this reaches autonomy.
import type { Pose } from '#contract/host/run.ts';
import type { Vehicle } from '#contract/documents/scenario.ts';
import { attitudeOf } from '#domain/shared/pose.ts';
import { circumscribedRadiusM } from '#domain/autonomy/kinematics.ts';
import { outlineAt, type GroundCover, type Obstacle } from './obstacles.ts';
import { createDiscIndex } from './discIndex.ts';
import { boundingDisc, distanceM, overlaps, rectangle, type Polygon } from './polygon.ts';

export interface JudgeOptions {
  vehicle: Vehicle;
  obstacles: Obstacle[];
  cover: GroundCover;
}

/** Metrics of the motion alone. */
export interface MotionMetrics {
  /** Episodes of contact; one lasts until the footprint is `releaseDistanceM` away from the obstacle. */
  collisions: number;
  /** Those of them with obstacles that move. */
  movingCollisions: number;
  /** Names of what was run into, in order, each once. */
  collidedWith: string[];
  pathLengthM: number;
  /** Smallest distance between the footprint and an obstacle, 0 after a contact; null: never nearer than `clearanceLimitM`. */
  clearanceM: number | null;
  /** Length of the path during which the footprint touched ground cover. */
  groundCoverLengthM: number;
}

export interface JudgeMetrics extends MotionMetrics {
  /** Mean distance in the plane between the estimated and the true position; 0 before any comparison. */
  meanPositionErrorM: number;
}

export interface Judge {
  /** Moving obstacles are where they are at this time from now on; at first they are where they are at 0. */
  advanceTo(timeS: number): void;
  /**
   * True where the footprint at this pose would cut into an obstacle. To be asked for poses that the
   * vehicle is about to take (`createVehicle`): a true answer is a contact, and is counted.
   */
  isBlocked(pose: Pose): boolean;
  /** The pose that the vehicle has now; to be called after every movement. */
  update(pose: Pose): void;
  /** Compares an estimate with the truth of the same time. */
  compare(truth: Pose, estimate: Pose): void;
  motionMetrics(): MotionMetrics;
  metrics(): JudgeMetrics;
}

/** A contact has ended when the footprint grown by this much is clear of the obstacle. */
const releaseDistanceM = 0.3;

/** Obstacles farther away are not measured. */
const clearanceLimitM = 10;

/** A judge for one drive. */
export function createJudge({ vehicle, obstacles, cover }: JudgeOptions): Judge {
  const reachM = circumscribedRadiusM(vehicle) + releaseDistanceM;
  const placed = createPlacedObstacles(obstacles);
  const coverIndex = createDiscIndex(
    Array.from(cover.radiusM, (radiusM, n) => ({
      xM: cover.xM[n] as number,
      yM: cover.yM[n] as number,
      radiusM,
    })),
  );
  /** Names for sets: that of its body, or its own. */
  const bodyOf = (number: number): string => {
    const { body } = obstacles[number] as Obstacle;
    return body === undefined ? `obstacle ${number}` : `body ${body}`;
  };
  const touching = new Set<string>();
  const collidedWith = new Set<string>();
  let collisions = 0;
  let movingCollisions = 0;
  let clearanceM = clearanceLimitM;
  let last: readonly [number, number] | null = null;
  let pathLengthM = 0;
  let groundCoverLengthM = 0;
  let errorSumM = 0;
  let comparisons = 0;

  const footprint = (pose: Pose, marginM: number): Polygon => {
    const [xM, yM] = pose.positionM;
    const { yawRad } = attitudeOf(pose.rotation);
    return rectangle({ xM, yM, yawRad }, vehicle.lengthM, vehicle.widthM, marginM);
  };
  const contact = (pose: Pose): boolean => {
    const [xM, yM] = pose.positionM;
    const near = placed.near(xM, yM, reachM);
    if (near.length === 0) return false;
    const corners = footprint(pose, 0);
    let isInContact = false;
    for (const number of near) {
      if (!overlaps(corners, placed.outline(number))) continue;
      isInContact = true;
      // Why here too: a vehicle that is about to cut into an obstacle stays up to one step away from it.
      clearanceM = 0;
      if (touching.has(bodyOf(number))) continue;
      touching.add(bodyOf(number));
      const { name, motion } = obstacles[number] as Obstacle;
      collidedWith.add(name);
      collisions += 1;
      if (motion !== undefined) movingCollisions += 1;
    }
    return isInContact;
  };

  /** Looks no farther than the smallest distance so far. */
  const measureClearance = (pose: Pose): void => {
    const [xM, yM] = pose.positionM;
    const near = placed.near(xM, yM, circumscribedRadiusM(vehicle) + clearanceM);
    if (near.length === 0) return;
    const hull = footprint(pose, 0);
    for (const number of near) {
      clearanceM = Math.min(clearanceM, distanceM(hull, placed.outline(number)));
    }
  };

  const motionMetrics = (): MotionMetrics => ({
    collisions,
    movingCollisions,
    collidedWith: [...collidedWith],
    pathLengthM,
    clearanceM: clearanceM < clearanceLimitM ? clearanceM : null,
    groundCoverLengthM,
  });

  return {
    advanceTo: (timeS) => placed.advanceTo(timeS),
    isBlocked: contact,
    update(pose) {
      contact(pose);
      if (touching.size > 0) {
        const grown = footprint(pose, releaseDistanceM);
        const near = placed.near(pose.positionM[0], pose.positionM[1], reachM);
        const isTouched = (number: number): boolean => overlaps(grown, placed.outline(number));
        const touched = new Set(near.filter(isTouched).map(bodyOf));
        for (const body of touching) if (!touched.has(body)) touching.delete(body);
      }
      const [xM, yM] = pose.positionM;
      if (clearanceM > 0) measureClearance(pose);
      const stepM = last ? Math.hypot(xM - last[0], yM - last[1]) : 0;
      last = [xM, yM];
      if (stepM === 0) return;
      pathLengthM += stepM;
      if (coverIndex.near(xM, yM, vehicle.widthM / 2).length > 0) groundCoverLengthM += stepM;
    },
    compare(truth, estimate) {
      const [x, y] = truth.positionM;
      errorSumM += Math.hypot(estimate.positionM[0] - x, estimate.positionM[1] - y);
      comparisons += 1;
    },
    motionMetrics,
    metrics: () => ({
      ...motionMetrics(),
      meanPositionErrorM: comparisons === 0 ? 0 : errorSumM / comparisons,
    }),
  };
}

/** Outlines of obstacles by number: stationary ones by an index, moving ones where they are. */
function createPlacedObstacles(obstacles: readonly Obstacle[]) {
  const numbers = obstacles.map((_, number) => number);
  const still = numbers.filter((number) => obstacles[number]?.motion === undefined);
  const moving = numbers.filter((number) => obstacles[number]?.motion !== undefined);
  const index = createDiscIndex(still.map((n) => boundingDisc((obstacles[n] as Obstacle).outline)));
  const moved = new Map<number, Polygon>();
  const outline = (number: number): Polygon =>
    moved.get(number) ?? (obstacles[number] as Obstacle).outline;
  return {
    outline,
    /** Numbers of obstacles that may lie within `withinM` of a place. */
    near(xM: number, yM: number, withinM: number): number[] {
      const near = index.near(xM, yM, withinM).map((place) => still[place] as number);
      const reached = moving.filter((number) => {
        const disc = boundingDisc(outline(number));
        return Math.hypot(disc.xM - xM, disc.yM - yM) <= withinM + disc.radiusM;
      });
      return [...near, ...reached];
    },
    advanceTo(timeS: number): void {
      for (const number of moving)
        moved.set(number, outlineAt(obstacles[number] as Obstacle, timeS));
    },
  };
}
