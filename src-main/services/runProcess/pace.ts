// The pace of a run in wall time: paused, tick by tick, at a speed, or as fast as it can. It waits between
// ticks and does nothing else, so that it never changes a byte of a recording.
import type { RunControl, RunPace } from '#contract/host/run.ts';
import type { Clock, Timer } from '#services/ports/system.ts';

export interface Pace extends Readonly<RunPace> {
  control(change: Extract<RunControl, { kind: 'pace' }>): void;
  /** Waits at this time for others; until then it does not pause. Null: waits for no other run. */
  hold(untilNs: number | null): void;
  /**
   * To be awaited after a tick that ended at `timeNs`: resolves when the next is due, and at once when the
   * run is to end. `onPaused` is called whenever the run has paused here.
   */
  pass(timeNs: number, onPaused: () => void): Promise<void>;
  /** How long the run has been paused in all, or waited for others. */
  pausedSeconds(): number;
}

export interface PaceOptions {
  clock: Clock;
  timer: Timer;
  /** The run is to end: nothing waits any more. */
  stop: AbortSignal;
  start: RunPace;
}

/** A pause is checked this often, unless it is ended before. */
const longestPauseS = 3600;
/** A run that is later than this continues from where it is, and does not hurry to catch up. */
const slackS = 0.2;

/** A pace at the start of a run. */
export function createPace({ clock, timer, stop, start }: PaceOptions): Pace {
  let { isPaused, speed } = start;
  /** Ticks that may still pass while it is paused. */
  let steps = 0;
  let heldAtNs: number | null = null;
  /** End of the last tick. */
  let passedNs = 0;
  /** From where the speed is counted. */
  let anchor: { simS: number; wallS: number } | null = null;
  let pausedS = 0;
  let pausedFromS: number | null = null;
  let waiting = new AbortController();

  const wait = async (seconds: number): Promise<void> => {
    waiting = new AbortController();
    await timer.pause(seconds, AbortSignal.any([waiting.signal, stop]));
  };
  const pause = (): void => {
    pausedFromS ??= clock.seconds();
    anchor = null;
  };
  const goOn = (): void => {
    if (pausedFromS !== null) pausedS += clock.seconds() - pausedFromS;
    pausedFromS = null;
  };

  return {
    // Why not at once: a run that is held continues to the time of the others.
    get isPaused() {
      return isPaused && (heldAtNs === null || passedNs >= heldAtNs);
    },
    get speed() {
      return speed;
    },
    control(change) {
      if (change.isPaused !== undefined) {
        isPaused = change.isPaused;
        steps = 0;
      }
      if (change.speed !== undefined) {
        speed = change.speed;
        anchor = null;
      }
      if (change.steps !== undefined) {
        isPaused = true;
        steps += change.steps;
      }
      waiting.abort();
    },
    hold(untilNs) {
      heldAtNs = untilNs;
      waiting.abort();
    },
    async pass(timeNs, onPaused) {
      let isHeld = false;
      passedNs = timeNs;
      while (!stop.aborted) {
        if (isPaused && steps > 0) {
          steps -= 1;
          break;
        }
        const isThere = heldAtNs === null || timeNs >= heldAtNs;
        if (isPaused && isThere) {
          pause();
          onPaused();
          await wait(longestPauseS);
          continue;
        }
        if (heldAtNs !== null && isThere) {
          // Why the speed is still counted: a run that waits for others is not late.
          pausedFromS ??= clock.seconds();
          if (!isHeld) onPaused();
          isHeld = true;
          await wait(longestPauseS);
          continue;
        }
        goOn();
        if (speed === null) break;
        const [simS, nowS] = [timeNs / 1e9, clock.seconds()];
        anchor ??= { simS, wallS: nowS };
        const leftS = anchor.wallS + (simS - anchor.simS) / speed - nowS;
        if (leftS > 0) {
          await wait(leftS);
          continue;
        }
        if (leftS < -slackS) anchor = { simS, wallS: nowS };
        break;
      }
      goOn();
    },
    pausedSeconds: () => pausedS + (pausedFromS === null ? 0 : clock.seconds() - pausedFromS),
  };
}
