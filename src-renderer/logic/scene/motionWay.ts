// The way of a motion through the scene, as a line, with the places of its keyframes.
import type { MotionLaw } from '#contract/worker/motions.ts';
import { frameAt } from '#domain/shared/motion/frames.ts';
import type { Vector3 } from '#domain/shared/pose.ts';
import type { TimeSpan } from './motionSpan.ts';

export interface MotionWay {
  pointsM: Vector3[];
  keyframesM: Vector3[];
}

const steps = 400;
/** More, as those of a file, would hide the line. */
const maxDots = 100;

/** Null: the motion turns about a fixed axis, and its frame has no way. */
export function motionWay(law: MotionLaw, { startS, endS }: TimeSpan): MotionWay | null {
  if (law.kind === 'path') {
    const { pointsM, isClosed } = law;
    return { pointsM: isClosed ? [...pointsM, ...pointsM.slice(0, 1)] : pointsM, keyframesM: [] };
  }
  if (law.kind !== 'keyframes') return null;
  const isDotted = law.keyframes.length <= maxDots;
  const keyframesM = isDotted ? law.keyframes.map(({ positionM }) => positionM) : [];
  const lastS = Math.min(law.keyframes.at(-1)?.timeS ?? startS, endS);
  const pointsM = Array.from({ length: steps + 1 }, (_, step) => {
    return frameAt(law, startS + ((lastS - startS) * step) / steps).positionM;
  });
  return { pointsM, keyframesM };
}
