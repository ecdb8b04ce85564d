// Points of driver clouds in the world, by the recorded poses of their tick: straight and turning evenly between them, as
// the pulses had it.
import type { Pose } from '#contract/host/run.ts';
import { aFromB, compose, rotate, slerped } from '#domain/shared/pose.ts';
import type { RecordedTick } from '#services/ports/recordings.ts';
import type { DriverPoints } from './driverCloud.ts';

/** worldFromSensor at rising times; held before the first and after the last. */
export interface SensorMotion {
  timesNs: number[];
  poses: Pose[];
}

/** The motion of a sensor in a tick; null: the tick does not know the sensor. */
export function motionOf(
  { timeNs, truth, sensorPoses, steps }: RecordedTick,
  sensor: number,
): SensorMotion | null {
  const end = sensorPoses[sensor];
  if (end === undefined) return null;
  const mount = aFromB(truth, end);
  const within = (steps?.poses ?? []).map((pose) => compose(pose, mount));
  return { timesNs: [...(steps?.timesNs ?? []), timeNs], poses: [...within, end] };
}

/** The table with x_m, y_m and z_m. */
export function inWorld(points: DriverPoints, motion: SensorMotion): DriverPoints {
  const { table, rows } = points;
  const { time_ns, x_sensor_m, y_sensor_m, z_sensor_m } = table;
  if (!time_ns || !x_sensor_m || !y_sensor_m || !z_sensor_m) return points;
  const [x_m, y_m, z_m] = [new Float32Array(rows), new Float32Array(rows), new Float32Array(rows)];
  const poseAt = followed(motion);
  let knownNs = time_ns[0] ?? 0n;
  let pose = poseAt(Number(knownNs));
  for (let row = 0; row < rows; row++) {
    const timeNs = time_ns[row] ?? 0n;
    if (timeNs !== knownNs) pose = poseAt(Number(timeNs));
    knownNs = timeNs;
    const [x, y, z] = rotate(pose.rotation, [
      x_sensor_m[row] ?? NaN,
      y_sensor_m[row] ?? NaN,
      z_sensor_m[row] ?? NaN,
    ]);
    x_m[row] = pose.positionM[0] + x;
    y_m[row] = pose.positionM[1] + y;
    z_m[row] = pose.positionM[2] + z;
  }
  return { ...points, table: { ...table, x_m, y_m, z_m } };
}

/** The pose at a time. */
function followed({ timesNs, poses }: SensorMotion): (timeNs: number) => Pose {
  return (timeNs) => {
    const after = timesNs.findIndex((time) => time > timeNs);
    const next = poses[after === -1 ? poses.length - 1 : after];
    const last = poses[after === -1 ? poses.length - 1 : Math.max(0, after - 1)];
    if (next === undefined || last === undefined) throw new RangeError('a motion has a pose');
    if (after <= 0) return next;
    const [fromNs, toNs] = [timesNs[after - 1] ?? 0, timesNs[after] ?? 0];
    return slerped(last, next, (timeNs - fromNs) / (toNs - fromNs));
  };
}
