// Poses over time as columns: the form in which the worker gets the path of a sensor, and exports write it.
import type { Pose } from '#contract/host/run.ts';

/** worldFromSensor over time: positions in metres, unit quaternions, one row for each time. */
export interface Trajectory {
  time_ns: BigInt64Array;
  x_m: Float64Array;
  y_m: Float64Array;
  z_m: Float64Array;
  qx: Float64Array;
  qy: Float64Array;
  qz: Float64Array;
  qw: Float64Array;
}

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
