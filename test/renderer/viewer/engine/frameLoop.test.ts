// The loop that draws: on demand, one frame at a time on the graphics card, choices in slices.
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import {
  createFrameLoop,
  type FrameDetail,
  type FrameLoop,
} from '#renderer/viewer/engine/frameLoop.ts';
import { createFrameEffort } from '#renderer/logic/viewer/frameEffort.ts';
import type { Fence } from '#renderer/viewer/engine/fence.ts';

/** A screen whose frames a test asks for. */
let requests: ((nowMs: number) => void)[] = [];
let loops: FrameLoop[] = [];

beforeEach(() => {
  requests = [];
  loops = [];
  vi.stubGlobal('requestAnimationFrame', (request: (nowMs: number) => void) =>
    requests.push(request),
  );
  vi.stubGlobal('cancelAnimationFrame', () => (requests = []));
});

/** Why: a loop that has moved asks for a frame later, in the test of another file. */
afterEach(() => {
  for (const loop of loops) loop.dispose();
});

function showFrame(): void {
  const due = requests;
  requests = [];
  for (const request of due) request(performance.now());
}

/** A graphics card that finishes on a test's call. */
function fakeFence(): Fence & { finish: (tookMs?: number) => void } {
  let state: 'idle' | 'busy' | 'done' = 'idle';
  let tookMs = 5;
  return {
    start: () => (state = 'busy'),
    isPending: () => state === 'busy',
    poll() {
      if (state !== 'done') return null;
      state = 'idle';
      return tookMs;
    },
    finish(took = 5) {
      [state, tookMs] = ['done', took];
    },
  };
}

function startLoop(
  options: {
    detail?: FrameDetail;
    isMoving?: () => boolean;
    isHidden?: () => boolean;
    hasLastPass?: boolean;
    onDraw?: (isResting: boolean, isRefined: boolean) => void;
  } = {},
): {
  loop: FrameLoop;
  fence: ReturnType<typeof fakeFence>;
  draws: () => number;
  reports: () => boolean[];
} {
  let draws = 0;
  /** Whether the loop was idle, each time that it reported. */
  const reports: boolean[] = [];
  const fence = fakeFence();
  const loop = createFrameLoop(fence, {
    advance: () => options.isMoving?.() ?? false,
    detail: options.detail ?? null,
    effort: createFrameEffort(),
    isHidden: options.isHidden ?? (() => false),
    draw(isResting, isRefined) {
      draws += 1;
      options.onDraw?.(isResting, isRefined);
    },
    hasLastPass: () => options.hasLastPass ?? false,
    onFrame: () => void reports.push(loop.isIdle()),
  });
  loops.push(loop);
  return { loop, fence, draws: () => draws, reports: () => reports };
}

test('nothing is drawn, and no frame asked for, until something changes', () => {
  const { loop, fence, draws } = startLoop();
  expect(requests).toHaveLength(0);
  expect(loop.isIdle()).toBe(true);
  loop.invalidate();
  loop.invalidate();
  expect(requests).toHaveLength(1);
  showFrame();
  expect(draws()).toBe(1);
  fence.finish();
  showFrame();
  expect(draws()).toBe(1);
  expect(requests).toHaveLength(0);
  expect(loop.isIdle()).toBe(true);
});

test('what cannot be seen is not drawn before it can and something changes', async () => {
  let isHidden = true;
  const { loop, draws } = startLoop({ isHidden: () => isHidden });
  loop.invalidate();
  const drawn = loop.whenDrawn();
  showFrame();
  showFrame();
  await drawn;
  expect(draws()).toBe(0);
  expect(requests).toHaveLength(0);
  expect(loop.isIdle()).toBe(false);
  isHidden = false;
  loop.invalidate();
  showFrame();
  expect(draws()).toBe(1);
});

test('the next frame waits for the graphics card', () => {
  const { loop, fence, draws } = startLoop();
  loop.invalidate();
  showFrame();
  loop.invalidate();
  showFrame();
  showFrame();
  expect(draws()).toBe(1);
  fence.finish();
  showFrame();
  expect(draws()).toBe(2);
});

test('what moves by itself is drawn until it rests', () => {
  let steps = 3;
  const { loop, fence, draws } = startLoop({ isMoving: () => (steps -= 1) > 0 });
  loop.invalidate();
  for (let frame = 0; frame < 10; frame += 1) {
    showFrame();
    fence.finish();
  }
  expect(draws()).toBe(3);
});

test('levels of detail are chosen before a frame; a finer one follows where they ask for it', () => {
  let slices = 0;
  let isLearning = true;
  const detail: FrameDetail = {
    choose: () => ({ isDone: (slices += 1) >= 2, isChanged: slices === 2 }),
    learn: () => isLearning && !(isLearning = false),
    move: () => undefined,
    rest: () => undefined,
    isIdle: () => slices >= 2,
  };
  const { loop, fence, draws } = startLoop({ detail });
  loop.invalidate();
  showFrame();
  fence.finish();
  showFrame();
  expect(slices).toBe(2);
  fence.finish();
  showFrame();
  fence.finish();
  showFrame();
  expect(draws()).toBeGreaterThanOrEqual(2);
  expect(loop.isIdle()).toBe(true);
});

test('a refined view is drawn once more, with a pass that refinement learns nothing from', () => {
  let refinements = 2;
  const learnt: number[] = [];
  const drawn: boolean[] = [];
  const detail: FrameDetail = {
    choose: () => ({ isDone: true, isChanged: false }),
    learn(tookMs) {
      learnt.push(tookMs);
      return (refinements -= 1) >= 0;
    },
    move: () => undefined,
    rest: () => undefined,
    isIdle: () => true,
  };
  const onDraw = (_: boolean, isRefined: boolean): void => void drawn.push(isRefined);
  const { loop, fence } = startLoop({ detail, onDraw, hasLastPass: true });
  const showAll = (): void => {
    for (let frame = 0; frame < 8; frame += 1) {
      showFrame();
      fence.finish();
    }
    showFrame();
  };
  loop.invalidate();
  showAll();
  expect(drawn).toEqual([false, false, false, true]);
  expect(learnt).toHaveLength(3);
  // A change of the picture alone keeps it refined; a moved camera begins again.
  loop.invalidate();
  showAll();
  expect(drawn.slice(4)).toEqual([true]);
  loop.move();
  showAll();
  expect(drawn.slice(5)).toEqual([false]);
});

describe('a stream', () => {
  const slowMs = 100;
  const share = 0.2;
  const pauseMs = slowMs / share - slowMs;

  beforeEach(
    () => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] }),
  );
  afterEach(() => void vi.useRealTimers());

  /** Draws frames that take long. Why two: a single one is not paused for. */
  function drawSlowly({ loop, fence }: ReturnType<typeof startLoop>, frames = 2): void {
    for (let frame = 0; frame < frames; frame += 1) {
      loop.invalidate();
      showFrame();
      fence.finish(slowMs);
      showFrame();
    }
  }

  test('is drawn in its share of the time', () => {
    const started = startLoop();
    started.loop.setStream(share);
    drawSlowly(started);
    started.loop.invalidate();
    showFrame();
    vi.advanceTimersByTime(pauseMs - 10);
    showFrame();
    expect(started.draws()).toBe(2);
    vi.advanceTimersByTime(20);
    showFrame();
    expect(started.draws()).toBe(3);
  });

  test('does not keep a camera waiting that is moved by input', () => {
    const started = startLoop();
    started.loop.setStream(share);
    drawSlowly(started);
    started.loop.move();
    started.loop.hurry();
    showFrame();
    expect(started.draws()).toBe(3);
  });

  test('gets the next instant when the one before is on screen and the pause is over', async () => {
    const started = startLoop();
    const { loop, fence } = started;
    let taken = 0;
    loop.setStream(share);
    drawSlowly(started, 1);
    loop.invalidate();
    const drawn = loop.whenDrawn().then(() => (taken += 1));
    showFrame();
    await Promise.resolve();
    expect(taken).toBe(0);
    fence.finish(slowMs);
    showFrame();
    vi.advanceTimersByTime(pauseMs - 10);
    showFrame();
    await Promise.resolve();
    expect(taken).toBe(0);
    vi.advanceTimersByTime(20);
    showFrame();
    await drawn;
    expect(taken).toBe(1);
  });

  test('never rests, and the view is drawn at rest after it', () => {
    const resting: boolean[] = [];
    const { loop, fence } = startLoop({ onDraw: (isResting) => resting.push(isResting) });
    loop.setStream(1);
    vi.advanceTimersByTime(5000);
    loop.invalidate();
    showFrame();
    fence.finish();
    showFrame();
    loop.setStream(null);
    vi.advanceTimersByTime(5000);
    showFrame();
    expect(resting).toEqual([false, true]);
  });
});

test('after dispose no frame is asked for', () => {
  const { loop } = startLoop();
  loop.dispose();
  loop.invalidate();
  expect(requests).toHaveLength(0);
});

test('reports a change at once, not with the frame that shows it', () => {
  const { loop, fence, reports } = startLoop();
  loop.invalidate();
  expect(reports()).toEqual([false]);
  loop.invalidate();
  expect(reports()).toHaveLength(1);
  showFrame();
  fence.finish();
  showFrame();
  expect(reports().at(-1)).toBe(true);
  loop.move();
  expect(reports().at(-1)).toBe(false);
});
