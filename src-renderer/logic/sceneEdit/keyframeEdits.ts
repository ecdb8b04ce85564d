// Edits of the keyframes of a motion: added, moved in time, removed. Their times stay in order.
import { field, items } from '#contract/documents/unknownData.ts';
import type { DocumentEdit } from '#contract/host/documentMethods.ts';
import type { MotionLaw } from '#contract/worker/motions.ts';
import { toWorld, type OriginM } from '#contract/worldOrigin.ts';
import { clamp } from '#domain/shared/numbers.ts';
import { frameAt } from '#domain/shared/motion/frames.ts';
import { anglesDeg, rounded } from './gizmoEdits.ts';

/** Keyframes are no nearer to each other in time, and are rounded to it. */
const keyframeStepS = 0.01;

/** The times of a motion's keyframes; none where it has no such. */
export function keyframeTimes(motion: unknown): number[] {
  return items(field(motion, 'keyframes')).flatMap((one) => {
    const timeS = field(one, 'timeS');
    return typeof timeS === 'number' ? [timeS] : [];
  });
}

/** Another time of a keyframe, between those of its neighbours. */
export function moveKeyframe(
  name: string,
  timesS: readonly number[],
  index: number,
  toS: number,
): DocumentEdit {
  const earliestS = (timesS[index - 1] ?? -Infinity) + keyframeStepS;
  const latestS = (timesS[index + 1] ?? Infinity) - keyframeStepS;
  const value = rounded(clamp(toS, earliestS, latestS), 2);
  return { path: [...keyframesPath(name), index, 'timeS'], op: 'set', value };
}

/** A keyframe where the frame is at a time, and its index; null: there is one at this time. */
export function addKeyframe(
  name: string,
  timesS: readonly number[],
  law: MotionLaw,
  atS: number,
  originM: OriginM,
): { edit: DocumentEdit; index: number } | null {
  const timeS = rounded(atS, 2);
  if (timesS.some((one) => Math.abs(one - timeS) < keyframeStepS / 2)) return null;
  const index = timesS.filter((one) => one < timeS).length;
  const { positionM, rotation } = frameAt(law, timeS);
  const value = {
    timeS,
    positionM: toWorld(originM, positionM).map((one) => rounded(one, 3)),
    ...turned(anglesDeg(rotation)),
  };
  return { edit: { path: [...keyframesPath(name), index], op: 'insert', value }, index };
}

export function removeKeyframe(name: string, index: number): DocumentEdit {
  return { path: [...keyframesPath(name), index], op: 'remove' };
}

function keyframesPath(name: string): (string | number)[] {
  return ['scene', 'motions', name, 'keyframes'];
}

/** Angles that are not 0. */
function turned(angles: Record<string, number>): Record<string, number> {
  const all = Object.entries(angles).map(([key, value]) => [key, rounded(value, 2)] as const);
  return Object.fromEntries(all.filter(([, value]) => value !== 0));
}
