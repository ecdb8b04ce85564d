// When a view is drawn: only when something changed, and not before the graphics card has done the last frame. What a
// frame needs first (levels of detail) is worked out in slices of a few milliseconds.
import type { Fence } from './fence.ts';

/** How fine a frame is drawn: chosen in slices, learnt from how long frames took. */
export interface FrameDetail {
  /** Continues the choice for one slice. `isDone`: nothing is left to choose; `isChanged`: a choice was applied. */
  choose: (isResting: boolean) => { isDone: boolean; isChanged: boolean };
  /** The last frame was on screen after so long. True where a finer one is to follow. */
  learn: (tookMs: number, isResting: boolean) => boolean;
  /** The camera moves, or has stopped. */
  move: () => void;
  rest: () => void;
  isIdle: () => boolean;
}

export interface FrameWork {
  /** Continues what moves by itself by so many seconds; true while it does. */
  advance: (seconds: number) => boolean;
  detail: FrameDetail | null;
  draw: () => void;
  /** A frame is due, was begun, or is done by the graphics card. */
  onFrame: () => void;
}

export interface FrameLoop {
  /** Something to be seen changed. */
  invalidate: () => void;
  /** The camera moved. */
  move: () => void;
  /** At once, without waiting for the screen. */
  draw: () => void;
  /** Nothing is left to choose, to refine or to draw. */
  isIdle: () => boolean;
  dispose: () => void;
}

const restAfterMs = 180;
/** Choosing may take so much of a frame that is drawn in it too. */
const longChoiceMs = 12;

/** Draws frames while something changes, and pauses otherwise. */
export function createFrameLoop(fence: Fence, work: FrameWork): FrameLoop {
  const { detail } = work;
  let isStale = false;
  /** Choosing took long: the next frame only draws. */
  let isDrawingDue = false;
  let movedAtMs = -Infinity;
  let lastFrameMs = 0;
  let frameRequest = 0;
  let restTimer: ReturnType<typeof setTimeout> | undefined;
  let isDisposed = false;

  return {
    invalidate,
    move() {
      movedAtMs = performance.now();
      invalidate();
      if (detail === null) return;
      detail.move();
      clearTimeout(restTimer);
      restTimer = setTimeout(rest, restAfterMs + 20);
    },
    draw,
    isIdle: () => (detail?.isIdle() ?? true) && !isStale && !fence.isPending() && isResting(),
    dispose() {
      isDisposed = true;
      cancelAnimationFrame(frameRequest);
      clearTimeout(restTimer);
    },
  };

  function invalidate(): void {
    requestFrame();
    if (isStale) return;
    isStale = true;
    // Why at once: until the frame comes, which may take long, what is on screen is not what was asked for.
    work.onFrame();
  }

  function rest(): void {
    detail?.rest();
    invalidate();
  }

  function requestFrame(): void {
    if (frameRequest === 0 && !isDisposed) frameRequest = requestAnimationFrame(onAnimationFrame);
  }

  function onAnimationFrame(nowMs: number): void {
    frameRequest = 0;
    const seconds = Math.min((nowMs - lastFrameMs) / 1000, 0.1);
    lastFrameMs = nowMs;
    const tookMs = fence.poll();
    if (tookMs !== null && detail?.learn(tookMs, isResting()) === true) isStale = true;
    if (fence.isPending()) {
      requestFrame();
      return;
    }
    if (isDrawingDue) {
      isDrawingDue = false;
      draw();
      requestFrame();
    } else advance(seconds);
    if (tookMs !== null) work.onFrame();
  }

  function advance(seconds: number): void {
    const fromMs = performance.now();
    const isMoving = work.advance(seconds);
    const { isDone, isChanged } = detail?.choose(isResting()) ?? { isDone: true, isChanged: false };
    isStale ||= isChanged;
    isDrawingDue = isStale && performance.now() - fromMs > longChoiceMs;
    if (isStale && !isDrawingDue) draw();
    if (isDrawingDue || fence.isPending()) requestFrame();
    if (!isDrawingDue && (!isDone || isMoving)) invalidate();
  }

  function draw(): void {
    isStale = false;
    work.draw();
    fence.start();
    work.onFrame();
  }

  function isResting(): boolean {
    return performance.now() - movedAtMs > restAfterMs;
  }
}
