// When a view is drawn: only when something changed, and not before the graphics card has done the last frame. What a
// frame needs first (levels of detail) is worked out in slices of a few milliseconds. While a stream is shown, slow frames
// are drawn less often, so that what sends the stream keeps its speed.
import type { FrameEffort } from '#renderer/logic/viewer/frameEffort.ts';
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
  /** Learns from every frame how fine and how often to draw. */
  effort: FrameEffort;
  /** Nothing can be seen: changes are drawn with the first one after. */
  isHidden: () => boolean;
  /** `isRefined`: the camera rests, and nothing is left to choose or to refine. */
  draw: (isResting: boolean, isRefined: boolean) => void;
  /** A view that is refined is drawn once more. */
  hasLastPass: () => boolean;
  /** A frame is due, was begun, or is done by the graphics card. */
  onFrame: () => void;
}

export interface FrameLoop {
  /** Something to be seen changed. */
  invalidate: () => void;
  /** The camera moved. */
  move: () => void;
  /** The camera was moved by input: the next frames do not wait for a share of the time. */
  hurry: () => void;
  /** A stream is shown, so that nothing rests, in at most this share of the time; null: none is. */
  setStream: (maxShare: number | null) => void;
  /** Resolves once what has changed so far is on screen and another frame may be drawn. */
  whenDrawn: () => Promise<void>;
  /** At once, without waiting for the screen, where it can be seen. */
  draw: () => void;
  /** Nothing is left to choose, to refine or to draw. */
  isIdle: () => boolean;
  dispose: () => void;
}

const restAfterMs = 180;
/** Choosing may take so much of a frame that is drawn in it too. */
const longChoiceMs = 12;
/** After input, frames follow one another for so long. */
const hurryMs = 400;

/** Draws frames while something changes, and pauses otherwise. */
export function createFrameLoop(fence: Fence, work: FrameWork): FrameLoop {
  const { detail } = work;
  let isStale = false;
  /** Choosing took long: the next frame only draws. */
  let isDrawingDue = false;
  let movedAtMs = -Infinity;
  let hurriedAtMs = -Infinity;
  let pausedUntilMs = -Infinity;
  let streamShare: number | null = null;
  const waiters = createWaiters();
  let [hasDrawn, lastFrameMs] = [false, 0];
  const frames = createFrameRequests(onAnimationFrame);
  let restTimer: ReturnType<typeof setTimeout> | undefined;
  let [isRefined, isDisposed] = [false, false];

  return {
    invalidate,
    move() {
      movedAtMs = performance.now();
      isRefined = false;
      invalidate();
      if (detail === null) return;
      detail.move();
      restSoon();
    },
    hurry() {
      hurriedAtMs = performance.now();
      pausedUntilMs = -Infinity;
      requestFrame();
    },
    setStream(next) {
      const hasEnded = streamShare !== null && next === null;
      streamShare = next;
      isRefined &&= next === null;
      pausedUntilMs = -Infinity;
      if (hasEnded) restSoon();
    },
    whenDrawn() {
      const drawn = waiters.add();
      if (isDisposed) waiters.release();
      else requestFrame();
      return drawn;
    },
    draw: () => (work.isHidden() ? invalidate() : draw()),
    isIdle: () => (detail?.isIdle() ?? true) && !isStale && !fence.isPending() && isResting(),
    dispose() {
      isDisposed = true;
      frames.cancel();
      clearTimeout(restTimer);
      waiters.release();
    },
  };

  function invalidate(): void {
    requestFrame();
    if (isStale) return;
    isStale = true;
    // Why at once: until the frame comes, which may take long, what is on screen is not what was asked for.
    work.onFrame();
  }

  function restSoon(): void {
    clearTimeout(restTimer);
    restTimer = setTimeout(rest, restAfterMs + 20);
  }

  function rest(): void {
    if (streamShare !== null) return;
    detail?.rest();
    invalidate();
  }

  function requestFrame(): void {
    if (!isDisposed) frames.request(pausedUntilMs);
  }

  function onAnimationFrame(nowMs: number): void {
    const seconds = Math.min((nowMs - lastFrameMs) / 1000, 0.1);
    lastFrameMs = nowMs;
    const tookMs = fence.poll();
    if (tookMs !== null) learn(nowMs, tookMs);
    if (fence.isPending() || pausedUntilMs > nowMs) {
      requestFrame();
      return;
    }
    // Why not when all is on screen: it never is while the camera moves.
    if (hasDrawn || !isStale) waiters.release();
    hasDrawn = false;
    if (isDrawingDue) {
      isDrawingDue = false;
      draw();
      requestFrame();
    } else advance(seconds);
    if (tookMs !== null) work.onFrame();
  }

  function learn(nowMs: number, tookMs: number): void {
    hasDrawn = true;
    // Why not else: a frame with a pass more says little about the others.
    if (!isRefined) {
      if (detail?.learn(tookMs, isResting()) === true) isStale = true;
      work.effort.learn(tookMs, isResting());
      isRefined = !isStale && isResting() && (detail?.isIdle() ?? true);
      isStale ||= isRefined && work.hasLastPass();
    }
    if (streamShare === null || nowMs - hurriedAtMs < hurryMs) return;
    pausedUntilMs = nowMs + work.effort.pauseMs(streamShare);
  }

  function advance(seconds: number): void {
    const fromMs = performance.now();
    const isMoving = work.advance(seconds);
    const { isDone, isChanged } = detail?.choose(isResting()) ?? { isDone: true, isChanged: false };
    isStale ||= isChanged;
    isRefined &&= !isChanged;
    const isHidden = work.isHidden();
    isDrawingDue = isStale && !isHidden && performance.now() - fromMs > longChoiceMs;
    if (isHidden) waiters.release();
    else if (isStale && !isDrawingDue) draw();
    if (isDrawingDue || fence.isPending() || waiters.areThere()) requestFrame();
    if (!isDrawingDue && (!isDone || isMoving)) invalidate();
  }

  function draw(): void {
    isStale = false;
    work.draw(isResting(), isRefined);
    fence.start();
    work.onFrame();
  }

  function isResting(): boolean {
    return streamShare === null && performance.now() - movedAtMs > restAfterMs;
  }
}

/** One frame of the screen at a time, the last request's. */
function createFrameRequests(onFrame: (nowMs: number) => void): {
  request: (notBeforeMs: number) => void;
  cancel: () => void;
} {
  let frame = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;
  return {
    request,
    cancel() {
      cancelAnimationFrame(frame);
      clearTimeout(timer);
    },
  };

  function request(notBeforeMs: number): void {
    if (frame !== 0) return;
    clearTimeout(timer);
    const pauseMs = notBeforeMs - performance.now();
    if (pauseMs > 0) timer = setTimeout(() => request(notBeforeMs), pauseMs);
    else frame = requestAnimationFrame(onScreen);
  }

  function onScreen(nowMs: number): void {
    frame = 0;
    onFrame(nowMs);
  }
}

/** Promises that are resolved together. */
function createWaiters(): {
  add: () => Promise<void>;
  areThere: () => boolean;
  release: () => void;
} {
  let waiting: (() => void)[] = [];
  return {
    add: () => new Promise((resolve) => void waiting.push(resolve)),
    areThere: () => waiting.length > 0,
    release() {
      const released = waiting;
      waiting = [];
      for (const resolve of released) resolve();
    },
  };
}
