// How fine and how often a view is drawn, from how long its frames took.
import { expect, test } from 'vitest';
import { createFrameEffort, type FrameEffort } from '#renderer/logic/viewer/frameEffort.ts';

function after(tookMs: readonly number[], isResting = false): FrameEffort {
  const effort = createFrameEffort();
  for (const one of tookMs) effort.learn(one, isResting);
  return effort;
}

const many = (tookMs: number, count = 12): number[] => Array.from({ length: count }, () => tookMs);

test('quick frames keep the full resolution and are followed at once', () => {
  const effort = after(many(8));
  expect(effort.resolution(false)).toBe(1);
  expect(effort.pauseMs(0.1)).toBe(0);
  expect(effort.slowFrameMs()).toBeNull();
});

test('slow frames get fewer pixels while the view changes, and all of them at rest', () => {
  const effort = after(many(150));
  expect(effort.resolution(false)).toBe(0.5);
  expect(effort.resolution(true)).toBe(1);
  expect(effort.slowFrameMs()).toBeCloseTo(150, 6);
});

test('a single slow frame, say of a shader that is compiled, changes nothing', () => {
  expect(after([...many(10, 6), 100, ...many(10, 3)]).resolution(false)).toBe(1);
});

test('frames at rest, which may be as slow as they like, say nothing about moving ones', () => {
  expect(after(many(900), true).resolution(false)).toBe(1);
});

test('frames get a pass more once they are known to be quick, and none after they were slow with it', () => {
  expect(createFrameEffort().isQuick()).toBe(false);
  expect(after([8], true).isQuick()).toBe(true);
  expect(after([300], true).isQuick()).toBe(false);
  // A still view of many triangles may be slow where a moving one is quick.
  const effort = after(many(8));
  effort.learn(300, true);
  expect(effort.isQuick()).toBe(true);
  expect(after(many(150)).isQuick()).toBe(false);
  expect(after([...many(150), ...many(5, 40)]).isQuick()).toBe(false);
});

test('a machine that has become quick gets its pixels back', () => {
  expect(after([...many(150), ...many(5, 40)]).resolution(false)).toBe(1);
});

test.each([100, 300, 2000])(
  'drawing takes the share of the time that it may, at %i ms a frame',
  (tookMs) => {
    const effort = after(many(tookMs));
    const pauseMs = effort.pauseMs(0.1);
    expect(tookMs / (tookMs + pauseMs)).toBeCloseTo(0.1, 9);
    expect(effort.pauseMs(1)).toBe(0);
  },
);

test('a single slow frame, the first or another, does not stop the view; a second one does', () => {
  expect(after([5000]).pauseMs(0.1)).toBe(0);
  expect(after([30, 30, 5000]).pauseMs(0.1)).toBeCloseTo(270, 6);
  expect(after([30, 2000, 2000]).pauseMs(0.1)).toBeCloseTo(18_000, 6);
});

test('frames that take unequal times get the pause of each', () => {
  expect(after([300, 100, 300]).pauseMs(0.1)).toBeCloseTo(2700, 6);
  expect(after([300, 300, 100]).pauseMs(0.1)).toBeCloseTo(900, 6);
});

test('however slow a frame was, the next one comes', () => {
  expect(after(many(60_000)).pauseMs(0.1)).toBeLessThanOrEqual(20_000);
});
