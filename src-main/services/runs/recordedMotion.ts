// The motion of a recorded run: the poses between which those of its pulses lie. Recordings of earlier versions hold
// those at the ends of ticks only.
import { aFromB, compose } from '#domain/shared/pose.ts';
import {
  createGrowingTrajectory,
  type GrowingTrajectory,
} from '#domain/trajectory/growingTrajectory.ts';
import type { RecordedTick } from '#services/ports/recordings.ts';

export interface RecordedPaths {
  /** worldFromVehicle. */
  vehicle: GrowingTrajectory;
  /** worldFromSensor, by sensor. */
  sensors: GrowingTrajectory[];
  /** Takes in the next tick. */
  take(tick: RecordedTick): void;
}

/** Paths without a pose, of a run with so many sensors. */
export function createRecordedPaths(sensors: number): RecordedPaths {
  const paths = {
    vehicle: createGrowingTrajectory(),
    sensors: Array.from({ length: sensors }, createGrowingTrajectory),
  };
  return {
    ...paths,
    take({ timeNs, truth, sensorPoses, steps }) {
      const mounts = sensorPoses.map((pose) => aFromB(truth, pose));
      for (const [step, stepNs] of (steps?.timesNs ?? []).entries()) {
        const pose = steps?.poses[step];
        if (pose === undefined) continue;
        paths.vehicle.add(stepNs, pose);
        for (const [index, mount] of mounts.entries()) {
          paths.sensors[index]?.add(stepNs, compose(pose, mount));
        }
      }
      paths.vehicle.add(timeNs, truth);
      for (const [index, pose] of sensorPoses.entries()) paths.sensors[index]?.add(timeNs, pose);
    },
  };
}
