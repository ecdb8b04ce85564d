// When a picture of a scene is drawn, and with how many triangles: only when something changed, fewer while the
// camera moves if the machine is slow, more each time when it rests. Levels of detail are chosen in slices of a few
// milliseconds; the next frame waits until the graphics card has done the last one.
import { createDrawPace } from '#renderer/logic/scene/drawPace.ts';
import type { LodChoice, LodLimits } from '#renderer/logic/scene/lodBudget.ts';
import type { Fence } from '../engine/fence.ts';

export interface FrameWork {
  /** Advances by so many seconds; true while something moves by itself. */
  advance(seconds: number): boolean;
  /** Begins a choice of levels for what is seen now; null: there is nothing to choose. */
  choose(limits: LodLimits): Generator<void, LodChoice> | null;
  apply(choice: LodChoice): void;
  /** Draws the picture as it stands. */
  draw(): void;
  /** A frame was begun, or the graphics card has done one. */
  told(): void;
}

export interface SceneFrames {
  /** Something to be seen changed. */
  invalidate: () => void;
  /** What is seen, or what there is to be seen, changed: levels are chosen again. */
  rechoose: () => void;
  /** The camera moved. */
  move: () => void;
  /** Full: as many triangles as any view may have, however long a frame takes. */
  setFullDetail: (isFull: boolean) => void;
  /** At once, without waiting for the screen. */
  draw: () => void;
  /** What was chosen is gone. */
  forget: () => void;
  /** Rows of the last choice that are drawn. */
  drawn: () => number;
  /** Nothing is left to choose, to refine or to draw. */
  isIdle: () => boolean;
  dispose: () => void;
}

/** Of any view. Calls: a few are left for what is not the scene. */
const mostTriangles = 4_990_000;
const mostCalls = 240;
const restAfterMs = 180;
const sliceMs = 8;
/** Choosing may take so much of a frame that is drawn in it too. */
const longChoiceMs = 12;

export function createSceneFrames(fence: Fence, work: FrameWork): SceneFrames {
  const pace = createDrawPace(mostTriangles);
  const chosen = { budget: 0, isLimited: false };
  let choosing: Generator<void, LodChoice> | null = null;
  let choice: LodChoice | null = null;
  let needsChoice = false;
  let isFullDetail = false;
  let isPictureStale = false;
  /** Choosing took long: the next frame only draws. */
  let isDrawingDue = false;
  let movedAtMs = -Infinity;
  let lastFrameMs = 0;
  let frameRequest = 0;
  let restTimer: ReturnType<typeof setTimeout> | undefined;
  let isDisposed = false;

  return {
    invalidate,
    rechoose,
    move() {
      movedAtMs = performance.now();
      pace.move();
      rechoose();
      clearTimeout(restTimer);
      restTimer = setTimeout(rechoose, restAfterMs + 20);
    },
    setFullDetail(isFull) {
      isFullDetail = isFull;
      rechoose();
    },
    draw,
    forget() {
      choice = null;
      choosing = null;
    },
    drawn: () => choice?.drawn ?? 0,
    isIdle: () =>
      !needsChoice && choosing === null && !isPictureStale && !fence.isPending() && isResting(),
    dispose() {
      isDisposed = true;
      cancelAnimationFrame(frameRequest);
      clearTimeout(restTimer);
    },
  };

  function invalidate(): void {
    isPictureStale = true;
    askForFrame();
  }

  function askForFrame(): void {
    if (frameRequest === 0 && !isDisposed) frameRequest = requestAnimationFrame(onAnimationFrame);
  }

  function rechoose(): void {
    needsChoice = true;
    invalidate();
  }

  function onAnimationFrame(nowMs: number): void {
    frameRequest = 0;
    const seconds = Math.min((nowMs - lastFrameMs) / 1000, 0.1);
    lastFrameMs = nowMs;
    const tookMs = fence.poll();
    if (tookMs !== null && choice !== null) learn(choice.triangles, tookMs);
    if (fence.isPending()) {
      askForFrame();
      return;
    }
    if (isDrawingDue) {
      isDrawingDue = false;
      draw();
      askForFrame();
    } else goOn(seconds);
    if (tookMs !== null) work.told();
  }

  function goOn(seconds: number): void {
    const fromMs = performance.now();
    const goesOn = work.advance(seconds);
    const isChosen = chooseLevels();
    isDrawingDue = isPictureStale && performance.now() - fromMs > longChoiceMs;
    if (isPictureStale && !isDrawingDue) draw();
    if (isDrawingDue || fence.isPending()) askForFrame();
    if (!isDrawingDue && (!isChosen || goesOn)) invalidate();
  }

  function draw(): void {
    isPictureStale = false;
    work.draw();
    fence.start();
    work.told();
  }

  function isResting(): boolean {
    return performance.now() - movedAtMs > restAfterMs;
  }

  /** A frame at rest that could have had more triangles is drawn again with more. */
  function learn(triangles: number, tookMs: number): void {
    pace.learn(triangles, tookMs);
    if (!isResting() || isFullDetail || !chosen.isLimited || !pace.refine(tookMs)) return;
    needsChoice = true;
    isPictureStale = true;
  }

  /** True when there is nothing (more) to choose. */
  function chooseLevels(): boolean {
    if (needsChoice && choosing === null) {
      const budget = isFullDetail ? mostTriangles : pace.budget(!isResting());
      choosing = work.choose({ triangles: budget, calls: mostCalls });
      if (choosing !== null) needsChoice = false;
      Object.assign(chosen, { budget, isLimited: false });
    }
    if (choosing === null) return true;
    const untilMs = performance.now() + sliceMs;
    do {
      const step = choosing.next();
      if (step.done !== true) continue;
      choosing = null;
      choice = step.value;
      chosen.isLimited = choice.triangles > 0.8 * chosen.budget;
      work.apply(choice);
      isPictureStale = true;
      return !needsChoice;
    } while (performance.now() < untilMs);
    return false;
  }
}
