// How fine and how often a view is drawn while it changes, learnt from how long frames took. A machine that draws in
// software takes a tenth of a second and more for a frame; one with a graphics card is never limited.

export interface FrameEffort {
  /** A frame was on screen after so long. */
  learn: (tookMs: number, isResting: boolean) => void;
  /** Pixels along each side as a share of those of the screen; 1 at rest. */
  resolution: (isResting: boolean) => number;
  /** Pause after the last frame so that drawing takes at most this share of the time; 0 where it was quick. */
  pauseMs: (maxShare: number) => number;
  /** Frames have been so quick that each may have a pass more. */
  isQuick: () => boolean;
  /** Mean time of frames while the view changes, where it is drawn coarser for it; null: it is not. */
  slowFrameMs: () => number | null;
}

const resolutions = [1, 0.7, 0.5] as const;
/** Slower than this, a frame gets fewer pixels; quicker than the other, more again. */
const slowMs = 60;
const quickMs = 12;
/** A frame that took less costs others nothing that matters. */
const freeMs = 20;
/** So slow that no more frames are waited for. */
const verySlowMs = 200;
/** Frames before a change of the resolution, so that a single slow one changes nothing. */
const minFrames = 4;
/** Longer pauses would look like a view that is stuck. Frames that take less than a tenth of it cost a tenth of the time. */
const maxPauseMs = 20_000;
/** A frame that takes more than so many times the one before says nothing about the next. */
const outlierFactor = 3;

/** Begins at the full resolution. */
export function createFrameEffort(): FrameEffort {
  let level = 0;
  let frames = 0;
  let meanMs = 0;
  let [lastMs, beforeMs] = [0, 0];
  let isQuick = false;
  /** Why permanently: with passes and without them in turns, the view would flicker. */
  let hasBeenSlow = false;
  return {
    learn(tookMs, isResting) {
      [beforeMs, lastMs] = [lastMs, tookMs];
      // A view that has not moved yet is judged by how it rests.
      if (frames === 0 && level === 0) isQuick = tookMs <= slowMs;
      if (isResting) return;
      frames += 1;
      meanMs = frames === 1 ? tookMs : meanMs + 0.3 * (tookMs - meanMs);
      if (frames < (meanMs > verySlowMs ? 2 : minFrames)) return;
      if (meanMs > slowMs && level < resolutions.length - 1) change(level + 1);
      else if (meanMs < quickMs && level > 0) change(level - 1);
      hasBeenSlow ||= level > 0;
      isQuick = !hasBeenSlow;
    },
    resolution: (isResting) => (isResting ? 1 : (resolutions[level] ?? 1)),
    pauseMs(maxShare) {
      // Why: a single slow frame, say of a shader that is compiled, is seldom followed by another.
      const expectedMs = lastMs > outlierFactor * beforeMs ? beforeMs : lastMs;
      return expectedMs <= freeMs ? 0 : Math.min(expectedMs * (1 / maxShare - 1), maxPauseMs);
    },
    isQuick: () => isQuick,
    slowFrameMs: () => (level === 0 ? null : meanMs),
  };

  function change(next: number): void {
    level = next;
    frames = 0;
  }
}
