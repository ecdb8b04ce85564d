// The steps of a scene's motions over an interval, as the worker takes them.
import { motionStepNs, motionWindowNs, type MotionLaw } from '#contract/worker/motions.ts';
import type { Pose } from '#contract/pose.ts';
import type { BodyView } from '#contract/documents/vehicleBody.ts';
import { centreOf, frameAt, turnTo } from './frames.ts';

export interface MotionSteps {
  /** Three numbers a motion. */
  motion_centre_m: Float64Array;
  /** Seven numbers a step, motion by motion. */
  motion_steps: Float64Array;
}

/** The vehicle that carries the sensor of a scan, and how the sensor sees its body. */
export interface Carrier {
  view: BodyView;
  /** worldFromVehicle. */
  poseAt: (timeNs: number) => Pose;
}

/** Where a body is in scans that it is not part of: out of the range of every sensor. */
const elsewhere: Pose = { positionM: [0, 0, -1e6], rotation: [0, 0, 0, 1] };

/**
 * Over the windows of the interval and one more: lasers that fire after their slot do so within it. At the same times
 * whatever the interval. `carrier`: null for a sensor that no vehicle carries.
 */
export function stepsOver(
  laws: readonly MotionLaw[],
  { fromNs, toNs }: { fromNs: number; toNs: number },
  carrier: Carrier | null = null,
): MotionSteps {
  const frameOf = (law: MotionLaw, timeNs: number): Pose => {
    if (law.kind !== 'vehicle') return frameAt(law, timeNs / 1e9);
    return carrier?.view === law.view ? carrier.poseAt(timeNs) : elsewhere;
  };
  const firstWindow = Math.floor(fromNs / motionWindowNs);
  const windows = Math.max(1, Math.ceil(toNs / motionWindowNs) - firstWindow) + 1;
  const count = windows * (motionWindowNs / motionStepNs) + 1;
  const steps = new Float64Array(laws.length * count * 7);
  for (const [index, law] of laws.entries()) {
    for (let step = 0; step < count; step += 1) {
      const timeNs = firstWindow * motionWindowNs + step * motionStepNs;
      const { positionM, rotation } = turnTo(law, frameOf(law, timeNs));
      steps.set([...positionM, ...rotation], (index * count + step) * 7);
    }
  }
  return { motion_centre_m: Float64Array.from(laws.flatMap(centreOf)), motion_steps: steps };
}
