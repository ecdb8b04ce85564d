// Levels of detail of a scene: as many triangles as the machine draws in time, fewer while the camera moves, more each
// time it rests.
import { createDrawPace, type DrawPaceOptions } from '#renderer/logic/scene/drawPace.ts';
import type { LodChoice, LodLimits } from '#renderer/logic/scene/lodBudget.ts';
import type { FrameDetail } from '../engine/frameLoop.ts';

export interface SceneDetail extends FrameDetail {
  /** The drawn or the drawable instances changed. */
  rechoose: () => void;
  /** Full: as many triangles as any view may have, however long a frame takes. */
  setFull: (isFull: boolean) => void;
  /** Levels were chosen at least once. */
  hasChoice: () => boolean;
  /** Drops the choice. */
  forget: () => void;
  /** Instances that the last choice draws, and those among them that are stand-ins. */
  drawn: () => { instances: number; standIns: number };
  /** Triangles that this machine draws in the time of a frame of a moving view. */
  pace: () => number;
}

export interface DetailSource {
  /** Begins a choice of levels for what is seen now; null: there is nothing to choose. */
  begin: (limits: LodLimits) => Generator<void, LodChoice> | null;
  apply: (choice: LodChoice) => void;
}

/** Limits of any view. Calls: a few are left for overlays. */
const maxTriangles = 4_990_000;
const maxCalls = 240;
const sliceMs = 8;

/** Chooses levels of detail for the camera within the limits of triangles and calls. */
export function createSceneDetail(source: DetailSource, options?: DrawPaceOptions): SceneDetail {
  const pace = createDrawPace(maxTriangles, options);
  const chosen = { budget: 0, isLimited: false };
  let choosing: Generator<void, LodChoice> | null = null;
  let choice: LodChoice | null = null;
  let needsChoice = false;
  let isFull = false;

  return {
    choose(isResting) {
      if (needsChoice && choosing === null) begin(isResting);
      return choosing === null ? { isDone: true, isChanged: false } : runSlice(choosing);
    },
    learn(tookMs, isResting) {
      if (choice === null) return false;
      pace.learn(choice.triangles, tookMs);
      // Why: in a stream the camera may rest while frames are too slow.
      if (!isResting && choice.triangles > 1.5 * pace.budget(true)) needsChoice = true;
      // A frame at rest that could have had more triangles is drawn again with more.
      if (!isResting || isFull || !chosen.isLimited || !pace.refine(tookMs)) return false;
      needsChoice = true;
      return true;
    },
    move() {
      pace.move();
      rechoose();
    },
    rest: rechoose,
    isIdle: () => !needsChoice && choosing === null,
    rechoose,
    setFull(next) {
      isFull = next;
      rechoose();
    },
    hasChoice: () => choice !== null,
    forget() {
      choice = null;
      choosing = null;
    },
    pace: () => pace.budget(true),
    drawn: () => ({ instances: choice?.drawn ?? 0, standIns: choice?.standIns ?? 0 }),
  };

  function rechoose(): void {
    needsChoice = true;
  }

  function begin(isResting: boolean): void {
    const budget = isFull ? maxTriangles : pace.budget(!isResting);
    choosing = source.begin({ triangles: budget, calls: maxCalls });
    if (choosing !== null) needsChoice = false;
    Object.assign(chosen, { budget, isLimited: false });
  }

  function runSlice(running: Generator<void, LodChoice>): { isDone: boolean; isChanged: boolean } {
    const untilMs = performance.now() + sliceMs;
    do {
      const step = running.next();
      if (step.done !== true) continue;
      choosing = null;
      choice = step.value;
      chosen.isLimited = choice.triangles > 0.8 * chosen.budget;
      source.apply(choice);
      return { isDone: !needsChoice, isChanged: true };
    } while (performance.now() < untilMs);
    return { isDone: false, isChanged: false };
  }
}
