// The loop that draws: on demand, one frame at a time on the graphics card, choices in slices.
import { beforeEach, expect, test, vi } from 'vitest';
import {
  createFrameLoop,
  type FrameDetail,
  type FrameLoop,
} from '#renderer/viewer/engine/frameLoop.ts';
import { createFrameEffort } from '#renderer/logic/viewer/frameEffort.ts';
import type { Fence } from '#renderer/viewer/engine/fence.ts';

/** A screen whose frames a test asks for. */
let requests: ((nowMs: number) => void)[] = [];

beforeEach(() => {
  requests = [];
  vi.stubGlobal('requestAnimationFrame', (request: (nowMs: number) => void) =>
    requests.push(request),
  );
  vi.stubGlobal('cancelAnimationFrame', () => (requests = []));
});

function showFrame(): void {
  const due = requests;
  requests = [];
  for (const request of due) request(performance.now());
}

/** A graphics card that finishes on a test's call. */
function fakeFence(): Fence & { finish: () => void } {
  let state: 'idle' | 'busy' | 'done' = 'idle';
  return {
    start: () => (state = 'busy'),
    isPending: () => state === 'busy',
    poll() {
      if (state !== 'done') return null;
      state = 'idle';
      return 5;
    },
    finish: () => (state = 'done'),
  };
}

function startLoop(options: { detail?: FrameDetail; isMoving?: () => boolean } = {}): {
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
    draw: () => (draws += 1),
    onFrame: () => void reports.push(loop.isIdle()),
  });
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
