// Poses over time as columns: how the worker takes the way of a sensor, and how poses leave for other programs.
import type { Pose } from '#contract/host/run.ts';
import type { Trajectory } from '#services/ports/workers.ts';

/** One row for each time (to the nanosecond) and the pose then; as many times as poses. */
export function trajectoryOf(timesNs: readonly number[], poses: readonly Pose[]): Trajectory {
  const position = (axis: 0 | 1 | 2): Float64Array =>
    Float64Array.from(poses, ({ positionM }) => positionM[axis]);
  const rotation = (part: 0 | 1 | 2 | 3): Float64Array =>
    Float64Array.from(poses, (pose) => pose.rotation[part]);
  return {
    time_ns: BigInt64Array.from(timesNs, (timeNs) => BigInt(Math.round(timeNs))),
    x_m: position(0),
    y_m: position(1),
    z_m: position(2),
    qx: rotation(0),
    qy: rotation(1),
    qz: rotation(2),
    qw: rotation(3),
  };
}

/** A trajectory of one sample: the worker holds a pose before the first and after the last. */
export function standingAt(pose: Pose): Trajectory {
  return trajectoryOf([0], [pose]);
}
