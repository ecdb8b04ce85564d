// The steps of a scene's motions over an interval, as the worker takes them.
import { motionStepNs, motionWindowNs, type MotionLaw } from '#contract/worker/motions.ts';
import { centreOf, turnAt } from './frames.ts';

export interface MotionSteps {
  /** Three numbers a motion. */
  motion_centre_m: Float64Array;
  /** Seven numbers a step, motion by motion. */
  motion_steps: Float64Array;
}

/**
 * Over the windows of the interval and one more: lasers that fire after their slot do so within it. At the same times
 * whatever the interval.
 */
export function stepsOver(
  laws: readonly MotionLaw[],
  { fromNs, toNs }: { fromNs: number; toNs: number },
): MotionSteps {
  const firstWindow = Math.floor(fromNs / motionWindowNs);
  const windows = Math.max(1, Math.ceil(toNs / motionWindowNs) - firstWindow) + 1;
  const count = windows * (motionWindowNs / motionStepNs) + 1;
  const steps = new Float64Array(laws.length * count * 7);
  for (const [index, law] of laws.entries()) {
    for (let step = 0; step < count; step += 1) {
      const timeNs = firstWindow * motionWindowNs + step * motionStepNs;
      const { positionM, rotation } = turnAt(law, timeNs / 1e9);
      steps.set([...positionM, ...rotation], (index * count + step) * 7);
    }
  }
  return { motion_centre_m: Float64Array.from(laws.flatMap(centreOf)), motion_steps: steps };
}
