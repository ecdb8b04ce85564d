// Poses over time as columns: the form in which the worker gets the path of a sensor, and exports write it.
import type { Pose } from '#contract/host/run.ts';
import { compose, slerped } from '#domain/shared/pose.ts';
import { filled } from '#domain/shared/filledArrays.ts';

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
  /** platformFromSensor as x, y, z, qx, qy, qz, qw: the poses above are the platform's. Left out: the sensor's own. */
  mount?: Float64Array;
  /** The platform's poses as its navigation reports them, seven numbers for each time. Left out: the true ones. */
  reported?: Float64Array;
}

/** One row for each time (to the nanosecond) and the pose then; as many times as poses. */
export function trajectoryOf(timesNs: readonly number[], poses: readonly Pose[]): Trajectory {
  // Why not Float64Array.from: its iterator takes longer than all else of a small scan.
  const column = (valueOf: (pose: Pose) => number): Float64Array => {
    const values = new Float64Array(poses.length);
    for (let row = 0; row < poses.length; row += 1) values[row] = valueOf(poses[row] as Pose);
    return values;
  };
  const position = (axis: 0 | 1 | 2): Float64Array => column(({ positionM }) => positionM[axis]);
  const rotation = (part: 0 | 1 | 2 | 3): Float64Array => column((pose) => pose.rotation[part]);
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

/** Its poses, without the mount, each with its time. */
export function posesOf(trajectory: Trajectory): (Pose & { timeS: number })[] {
  return Array.from(trajectory.time_ns, (timeNs, row) => {
    return { timeS: Number(timeNs) / 1e9, ...poseOfRow(trajectory, row) };
  });
}

/** A trajectory of one sample: the worker holds a pose before the first and after the last. */
export function stationaryAt(pose: Pose): Trajectory {
  return trajectoryOf([0], [pose]);
}

/** A pose as seven numbers: x, y, z, qx, qy, qz, qw. */
function poseNumbers({ positionM, rotation }: Pose): Float64Array {
  return Float64Array.of(...positionM, ...rotation);
}

/** The trajectory of the sensor that is mounted on what moves along `trajectory`. */
export function withMount(trajectory: Trajectory, platformFromSensor: Pose): Trajectory {
  return { ...trajectory, mount: poseNumbers(platformFromSensor) };
}

/** The part that says where everything is in [fromNs, toNs]: the poses within, one before and one after. */
export function trajectoryWithin(trajectory: Trajectory, fromNs: number, toNs: number): Trajectory {
  const { time_ns: times, mount, reported } = trajectory;
  const first = Math.max(0, firstAfter(times, BigInt(Math.floor(fromNs))) - 1);
  const end = Math.min(times.length, firstAfter(times, BigInt(Math.ceil(toNs))) + 1);
  if (first === 0 && end === times.length) return trajectory;
  return {
    time_ns: times.slice(first, end),
    x_m: trajectory.x_m.slice(first, end),
    y_m: trajectory.y_m.slice(first, end),
    z_m: trajectory.z_m.slice(first, end),
    qx: trajectory.qx.slice(first, end),
    qy: trajectory.qy.slice(first, end),
    qz: trajectory.qz.slice(first, end),
    qw: trajectory.qw.slice(first, end),
    ...(mount && { mount }),
    ...(reported && { reported: reported.slice(7 * first, 7 * end) }),
  };
}

/** worldFromSensor at a time: the platform's pose followed by the mount. */
export function sensorPoseAt(trajectory: Trajectory, timeNs: number): Pose {
  const platform = trajectoryPoseAt(trajectory, timeNs);
  const { mount } = trajectory;
  if (mount === undefined) return platform;
  const [x = 0, y = 0, z = 0, qx = 0, qy = 0, qz = 0, qw = 1] = mount;
  return compose(platform, { positionM: [x, y, z], rotation: [qx, qy, qz, qw] });
}

/**
 * The pose of a trajectory, without its mount, at a time, as the worker computes it for a pulse: straight and turning
 * evenly between poses, bit for bit at the time of one.
 */
export function trajectoryPoseAt(trajectory: Trajectory, timeNs: number): Pose {
  const { time_ns: times } = trajectory;
  const after = firstAfter(times, BigInt(Math.round(timeNs)));
  if (after === 0) return poseOfRow(trajectory, 0);
  if (after === times.length) return poseOfRow(trajectory, times.length - 1);
  const fromNs = times[after - 1] ?? 0n;
  if (fromNs === BigInt(Math.round(timeNs))) return poseOfRow(trajectory, after - 1);
  const stepNs = Number((times[after] ?? 0n) - fromNs);
  const share = Number(BigInt(Math.round(timeNs)) - fromNs) / stepNs;
  return slerped(poseOfRow(trajectory, after - 1), poseOfRow(trajectory, after), share);
}

/**
 * As trajectoryPoseAt, but up to `stepNs` before the first pose and after the last it moves on as it did between.
 * Why: steps of motions need not lie at the ends of a trajectory, and are interpolated across them.
 */
export function extendedPoseAt(trajectory: Trajectory, timeNs: number, stepNs: number): Pose {
  const { time_ns: times } = trajectory;
  const [firstNs, lastNs] = [Number(times[0] ?? 0n), Number(times.at(-1) ?? 0n)];
  const heldNs = Math.min(lastNs, Math.max(firstNs, timeNs));
  const beyondNs = timeNs - heldNs;
  if (beyondNs === 0 || Math.abs(beyondNs) >= stepNs || lastNs - firstNs < stepNs) {
    return trajectoryPoseAt(trajectory, timeNs);
  }
  const insideNs = heldNs - Math.sign(beyondNs) * stepNs;
  const [inside, end] = [insideNs, heldNs].map((at) => trajectoryPoseAt(trajectory, at));
  if (inside === undefined || end === undefined) throw new Error('a trajectory has no poses');
  return slerped(inside, end, 1 + Math.abs(beyondNs) / stepNs);
}

/** The trajectory that the navigation reports, with the same mount; without errors of poses the trajectory itself. */
export function reportedTrajectory(trajectory: Trajectory): Trajectory {
  const { time_ns, reported, mount } = trajectory;
  if (reported === undefined) return trajectory;
  const column = (place: number): Float64Array =>
    filled(new Float64Array(time_ns.length), (row) => reported[7 * row + place] ?? NaN);
  return {
    time_ns,
    x_m: column(0),
    y_m: column(1),
    z_m: column(2),
    qx: column(3),
    qy: column(4),
    qz: column(5),
    qw: column(6),
    ...(mount && { mount }),
  };
}

/** Slower than this between two poses is at rest, in metres from one to the next. */
const restM = 1e-6;

/** Horizontal direction, of length 1, in which a trajectory leads at a time; null where it is at rest. */
export function travelDirectionAt(
  { time_ns: times, x_m: xM, y_m: yM }: Trajectory,
  timeNs: number,
): [x: number, y: number] | null {
  const after = Math.min(
    Math.max(1, firstAfter(times, BigInt(Math.round(timeNs)))),
    times.length - 1,
  );
  if (after < 1) return null;
  const x = (xM[after] ?? 0) - (xM[after - 1] ?? 0);
  const y = (yM[after] ?? 0) - (yM[after - 1] ?? 0);
  const length = Math.hypot(x, y);
  return length > restM ? [x / length, y / length] : null;
}

/** Index of the first time after `timeNs`; as many as there are, where there is none. */
function firstAfter(times: BigInt64Array, timeNs: bigint): number {
  let from = 0;
  let to = times.length;
  while (from < to) {
    const middle = (from + to) >> 1;
    if ((times[middle] ?? 0n) <= timeNs) from = middle + 1;
    else to = middle;
  }
  return from;
}

function poseOfRow({ x_m, y_m, z_m, qx, qy, qz, qw }: Trajectory, row: number): Pose {
  return {
    positionM: [x_m[row] ?? 0, y_m[row] ?? 0, z_m[row] ?? 0],
    rotation: [qx[row] ?? 0, qy[row] ?? 0, qz[row] ?? 0, qw[row] ?? 1],
  };
}
