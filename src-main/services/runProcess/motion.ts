// How the vehicle truly moves in one tick: sub-steps of 10 ms or less, the pose at each, and between them.
// Truth: it goes to the sensors, the instruments and the judge, never to autonomy.
import type { Pose } from '#contract/host/run.ts';
import type { Judge, MotionMetrics } from '#domain/truth/judge.ts';
import { compose, interpolate, rotationBetween } from '#domain/shared/pose.ts';
import type { WheelCommand } from '#domain/autonomy/signals.ts';
import type { SimulatedVehicle, VehicleState } from '#domain/truth/vehicle.ts';
import { trajectoryOf, type Trajectory } from '#domain/trajectory/trajectory.ts';

/** Tick k covers fromNs = k · tickNs <= t < toNs; `timesNs` and `poses` include both ends. */
export interface TickMotion {
  tick: number;
  fromNs: number;
  toNs: number;
  timesNs: number[];
  /** worldFromVehicle at `timesNs`. */
  poses: Pose[];
  /** At the end of the tick. */
  state: VehicleState;
}

/** The motion of a tick of a drive. */
export interface JudgedMotion extends TickMotion {
  /** As of the end of the tick: the vehicle may be ahead of what was recorded. */
  judged: MotionMetrics;
}

const longestStepNs = 10_000_000;

/** Moves the vehicle through tick `tick` under one command and passes every step to the judge. */
export function moveOneTick(
  tick: number,
  tickNs: number,
  command: WheelCommand,
  vehicle: SimulatedVehicle,
  judge: Judge,
): JudgedMotion {
  const fromNs = tick * tickNs;
  const steps = Math.ceil(tickNs / longestStepNs);
  const timeOf = (step: number): number => fromNs + Math.round((step * tickNs) / steps);
  const timesNs = [fromNs];
  const start = vehicle.state().pose;
  const poses = [start];
  if (tick === 0) judge.update(start);
  for (let step = 1; step <= steps; step++) {
    judge.advanceTo(timeOf(step) / 1e9);
    vehicle.advance(command, (timeOf(step) - timeOf(step - 1)) / 1e9);
    const { pose } = vehicle.state();
    judge.update(pose);
    timesNs.push(timeOf(step));
    poses.push(pose);
  }
  return {
    tick,
    fromNs,
    toNs: fromNs + tickNs,
    timesNs,
    poses,
    state: vehicle.state(),
    judged: judge.motionMetrics(),
  };
}

/** The true pose at a time in the tick: linear in position, normalised linear in rotation. */
export function poseAt({ timesNs, poses }: TickMotion, timeNs: number): Pose {
  let after = 0;
  while (after < timesNs.length && (timesNs[after] as number) <= timeNs) after += 1;
  if (after === 0) return poses[0] as Pose;
  const next = poses[after];
  if (next === undefined) return poses.at(-1) as Pose;
  const last = poses[after - 1] as Pose;
  const [fromNs, toNs] = [timesNs[after - 1] as number, timesNs[after] as number];
  return interpolate(last, next, (timeNs - fromNs) / (toNs - fromNs));
}

/** Turning rates in the vehicle's frame over the last sub-step, radians per second. */
export function turningRate({ timesNs, poses }: TickMotion): [number, number, number] {
  const [before, last] = poses.slice(-2);
  const [fromNs = 0, toNs = 0] = timesNs.slice(-2);
  if (before === undefined || last === undefined) return [0, 0, 0];
  const perS = 1e9 / (toNs - fromNs);
  const [x, y, z] = rotationBetween(before.rotation, last.rotation);
  return [x * perS, y * perS, z * perS];
}

/** The path of a sensor in the tick, one row at each sub-step; the worker interpolates. */
export function sensorTrajectory(
  { timesNs, poses }: Pick<TickMotion, 'timesNs' | 'poses'>,
  vehicleFromSensor: Pose,
): Trajectory {
  return trajectoryOf(
    timesNs,
    poses.map((pose) => compose(pose, vehicleFromSensor)),
  );
}
