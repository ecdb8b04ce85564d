// The pace of a run, with a clock and a timer of the test's own.
import { describe, expect, it } from 'vitest';
import type { RunPace } from '#contract/host/run.ts';
import { createPace } from '#services/runProcess/pace.ts';

/** Time passes only during a pause, and then all of it, unless the pause is cut short. */
function paced(start: Partial<RunPace> = {}) {
  const stop = new AbortController();
  const world = { nowS: 0, passed: [] as number[], pauses: 0, onWait: (): void => undefined };
  const pace = createPace({
    clock: { nowMs: () => 0, seconds: () => world.nowS },
    timer: {
      pause: (seconds, signal) =>
        new Promise((resolve) => {
          signal.addEventListener('abort', () => resolve());
          if (seconds < 1000) {
            world.nowS += seconds;
            resolve();
          }
          world.onWait();
        }),
    },
    stop: stop.signal,
    start: { isPaused: false, speed: null, ...start },
  });
  const tick = async (k: number): Promise<void> => {
    await pace.pass(k * 100e6, () => (world.pauses += 1));
    world.passed.push(k);
  };
  return { world, stop, pace, tick };
}

async function settled(): Promise<void> {
  for (let turn = 0; turn < 20; turn += 1) await Promise.resolve();
}

async function walk(
  { tick }: { tick: (k: number) => Promise<void> },
  ticks: number,
): Promise<void> {
  for (let k = 1; k <= ticks; k += 1) await tick(k);
}

describe('the pace of a run', () => {
  it('as fast as it can waits for nothing', async () => {
    const run = paced();
    await walk(run, 50);
    expect(run.world.nowS).toBe(0);
  });

  it.each([0.5, 1, 4])('at %d × takes 1 / speed seconds a simulated second', async (speed) => {
    const run = paced({ speed });
    await walk(run, 51);
    expect(run.world.nowS).toBeCloseTo(5 / speed, 9);
  });

  it('does not hurry to catch up after it was held up', async () => {
    const run = paced({ speed: 1 });
    await walk(run, 11);
    run.world.nowS += 30;
    const beforeS = run.world.nowS;
    for (let k = 12; k <= 22; k += 1) await run.tick(k);
    expect(run.world.nowS - beforeS).toBeCloseTo(1, 9);
  });

  it('stops when it is paused, and counts for how long', async () => {
    const run = paced();
    run.pace.control({ kind: 'pace', isPaused: true });
    const walking = walk(run, 3);
    await settled();
    expect(run.world).toMatchObject({ passed: [], pauses: 1 });
    run.world.nowS += 7;
    expect(run.pace.pausedSeconds()).toBe(7);
    run.pace.control({ kind: 'pace', isPaused: false });
    await walking;
    expect(run.world.passed).toEqual([1, 2, 3]);
    expect(run.pace.pausedSeconds()).toBe(7);
  });

  it('advances by the given ticks, and pauses again', async () => {
    const run = paced();
    run.pace.control({ kind: 'pace', isPaused: true });
    const walking = walk(run, 5);
    await settled();
    run.pace.control({ kind: 'pace', steps: 2 });
    await settled();
    expect(run.world.passed).toEqual([1, 2]);
    run.pace.control({ kind: 'pace', steps: 1 });
    await settled();
    expect(run.world.passed).toEqual([1, 2, 3]);
    expect(run.pace.isPaused).toBe(true);
    run.pace.control({ kind: 'pace', isPaused: false });
    await walking;
  });

  it('is at once at another speed', async () => {
    const run = paced({ speed: 1e-3 });
    await run.tick(1);
    run.world.onWait = () => run.pace.control({ kind: 'pace', speed: null });
    await walk(run, 5);
    // One tick of a hundred seconds had been waited for when the speed was changed.
    expect(run.world.nowS).toBeLessThanOrEqual(100);
  });

  it('does not hold up a run that is to end', async () => {
    const run = paced({ isPaused: true });
    const walking = walk(run, 3);
    await settled();
    run.stop.abort();
    await walking;
    expect(run.world.passed).toEqual([1, 2, 3]);
  });

  it('waits where it is held until it may go farther, and is not late for that', async () => {
    const run = paced();
    run.pace.hold(300e6);
    const walking = walk(run, 6);
    await settled();
    expect(run.world.passed).toEqual([1, 2]);
    expect(run.world.pauses).toBe(1);
    run.world.nowS += 7;
    run.pace.hold(500e6);
    await settled();
    expect(run.world.passed).toEqual([1, 2, 3, 4]);
    run.pace.hold(null);
    await walking;
    expect(run.world.passed).toEqual([1, 2, 3, 4, 5, 6]);
    expect(run.pace.pausedSeconds()).toBe(7);
  });

  it('pauses where it is held, not before, and can be stepped beyond', async () => {
    const run = paced();
    run.pace.hold(300e6);
    run.pace.control({ kind: 'pace', isPaused: true });
    expect(run.pace.isPaused).toBe(false);
    const walking = walk(run, 5);
    await settled();
    expect(run.world.passed).toEqual([1, 2]);
    expect(run.pace.isPaused).toBe(true);
    run.pace.control({ kind: 'pace', steps: 1 });
    await settled();
    expect(run.world.passed).toEqual([1, 2, 3]);
    run.pace.hold(null);
    run.pace.control({ kind: 'pace', isPaused: false });
    await walking;
    expect(run.world.passed).toEqual([1, 2, 3, 4, 5]);
  });
});
