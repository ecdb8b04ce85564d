// Stuck or not: watches whether the vehicle gets anywhere while it is commanded to drive, and if not has it back
// out. After too many tries without leaving the place it reports that it is stuck.
import { wrapAngle } from '#domain/shared/numbers.ts';
import type { Estimate } from './estimator.ts';
import type { WheelCommand } from './signals.ts';

export interface RecoveryStep {
  state: 'going' | 'backing-out' | 'given-up';
  /** True in the one tick in which the vehicle was found to be stuck: what is ahead is to be marked. */
  isNewlyStuck: boolean;
  /** The command that replaces the follower's while backing out. */
  command: WheelCommand | null;
}

export interface Recovery {
  /**
   * @param wanted what the follower asks for; waiting counts as no progress
   * @param canGoOn false where there is no route that leads nearer to the goal
   */
  step(timeNs: number, estimate: Estimate, wanted: WheelCommand, canGoOn: boolean): RecoveryStep;
}

const noProgressNs = 3e9;
const progressM = 0.4;
const progressRad = 0.35;
const backOutNs = 2e9;
const backOutMPerS = 0.6;
const tries = 6;
/** Away from the place of the first try by this much, the tries are forgotten. */
const forgetM = 4;

/** A watch that starts at the first step. */
export function createRecovery(): Recovery {
  let since: { timeNs: number; estimate: Estimate } | null = null;
  let backingUntilNs = 0;
  let isBackingOut = false;
  let isGivenUp = false;
  let triesHere = 0;
  let firstTry: Estimate | null = null;

  return {
    step(timeNs, estimate, wanted, canGoOn) {
      if (isGivenUp) return { state: 'given-up', isNewlyStuck: false, command: null };
      if (isBackingOut) {
        if (timeNs < backingUntilNs) return backingOut(triesHere, false);
        isBackingOut = false;
        since = null;
      }
      if (firstTry && distanceM(firstTry, estimate) > forgetM) {
        firstTry = null;
        triesHere = 0;
      }
      if (!since || hasMoved(since.estimate, estimate)) since = { timeNs, estimate };
      if (timeNs - since.timeNs < noProgressNs) {
        return { state: 'going', isNewlyStuck: false, command: null };
      }
      firstTry ??= estimate;
      triesHere += 1;
      if (triesHere > tries || (!canGoOn && triesHere > 1)) {
        isGivenUp = true;
        return { state: 'given-up', isNewlyStuck: false, command: null };
      }
      isBackingOut = true;
      backingUntilNs = timeNs + backOutNs;
      const isDriving = wanted.leftMPerS !== 0 || wanted.rightMPerS !== 0;
      return backingOut(triesHere, isDriving);
    },
  };
}

/** Backwards, turning a little to one side and then to the other from try to try. */
function backingOut(attempt: number, isNewlyStuck: boolean): RecoveryStep {
  const bias = 0.25 * backOutMPerS * (attempt % 2 === 0 ? 1 : -1);
  const command = { leftMPerS: -backOutMPerS + bias, rightMPerS: -backOutMPerS - bias };
  return { state: 'backing-out', isNewlyStuck, command };
}

function hasMoved(from: Estimate, to: Estimate): boolean {
  const turnRad = Math.abs(wrapAngle(to.yawRad - from.yawRad));
  return distanceM(from, to) > progressM || turnRad > progressRad;
}

function distanceM(a: Estimate, b: Estimate): number {
  return Math.hypot(a.xM - b.xM, a.yM - b.yM);
}
