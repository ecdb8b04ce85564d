// How the validation's sensors move: stationary, on a straight line, or from pose to pose.
import type { Pose } from '#contract/host/run.ts';
import { radians } from '#domain/shared/numbers.ts';
import { rotationFromDegrees } from '#domain/shared/pose.ts';
import { laserSlotNs } from './simpleSensors.ts';
import { trajectoryOf, type Trajectory } from '#domain/trajectory/trajectory.ts';

type Point = [xM: number, yM: number, zM: number];

/** At the origin, looking along x. */
export const atOrigin: Pose = { positionM: [0, 0, 0], rotation: [0, 0, 0, 1] };

/** From the origin, turned to the left. */
export function turnedLeft(yawDeg: number): Pose {
  return { positionM: [0, 0, 0], rotation: rotationFromDegrees(yawDeg, 0, 0) };
}

/** At the origin for a while. */
export function atRest(seconds: number): { trajectory: Trajectory; toNs: number } {
  return { trajectory: stationary(atOrigin), toNs: Math.round(seconds * 1e9) };
}

/** At one constant pose. */
export function stationary(pose: Pose): Trajectory {
  return throughPoses([{ timeNs: 0, pose }]);
}

/** From one place at t = 0 to another at `endNs`, at constant speed, looking along x. */
export function straight(fromM: Point, toM: Point, endNs: number): Trajectory {
  return throughPoses([
    { timeNs: 0, pose: { positionM: fromM, rotation: [0, 0, 0, 1] } },
    { timeNs: endNs, pose: { positionM: toM, rotation: [0, 0, 0, 1] } },
  ]);
}

/** At the n-th pose from n · stepNs until just before the next: one scan call for many poses. */
export function poseByPose(poses: readonly Pose[], stepNs: number): Trajectory {
  return throughPoses(
    poses.flatMap((pose, n) => [
      { timeNs: n * stepNs, pose },
      { timeNs: (n + 1) * stepNs - 1, pose },
    ]),
  );
}

/** Row by row over a grid, one pulse of a single laser from each place; places of a row lie on a line. */
export function raster(
  rows: number,
  perRow: number,
  placeAt: (row: number, pulse: number) => Point,
  rotation: Pose['rotation'] = [0, 0, 0, 1],
): { trajectory: Trajectory; toNs: number } {
  const sample = (row: number, pulse: number) => ({
    timeNs: (row * perRow + pulse) * laserSlotNs,
    pose: { positionM: placeAt(row, pulse), rotation },
  });
  const ends = Array.from({ length: rows }, (_, row) => [sample(row, 0), sample(row, perRow - 1)]);
  return { trajectory: throughPoses(ends.flat()), toNs: rows * perRow * laserSlotNs };
}

/**
 * Pulses of one direction, downwards at a zenith angle along x, over a square of `sideM` about the origin: each passes
 * the middle of its cell at the height `atM`.
 */
export function obliqueRaster(
  perSide: number,
  {
    sideM,
    fromM,
    atM,
    zenithDeg,
  }: { sideM: number; fromM: number; atM: number; zenithDeg: number },
): { trajectory: Trajectory; toNs: number } {
  const cellM = sideM / perSide;
  const backM = (fromM - atM) * Math.tan(radians(zenithDeg));
  return raster(
    perSide,
    perSide,
    (row, pulse) => [
      (pulse + 0.5) * cellM - sideM / 2 - backM,
      (row + 0.5) * cellM - sideM / 2,
      fromM,
    ],
    rotationFromDegrees(0, 90 - zenithDeg, 0),
  );
}

/** Samples in order of time: positions are interpolated linearly, rotations spherically. */
export function throughPoses(samples: readonly { timeNs: number; pose: Pose }[]): Trajectory {
  return trajectoryOf(
    samples.map(({ timeNs }) => timeNs),
    samples.map(({ pose }) => pose),
  );
}
