// Runs that wait for one another, with runs and a clock of the test's own.
import { describe, expect, it } from 'vitest';
import { createRunGroup, type SynchronisedRun } from '#services/liveRuns/synchronisedRuns.ts';

const tickNs = 1e8;

/** A run that does a tick whenever it is let, as far as it may. */
function run(runId: string) {
  const ended = Promise.withResolvers<void>();
  const listeners = new Set<() => void>();
  let untilNs: number | null = null;
  let reachedNs = 0;
  return {
    runId,
    tickNs,
    get reachedNs() {
      return reachedNs;
    },
    get untilNs() {
      return untilNs;
    },
    done: ended.promise,
    end: ended.resolve,
    control(control) {
      if (control.kind === 'hold') ({ untilNs } = control);
    },
    onTick(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    /** False: it has to wait. */
    tick(): boolean {
      if (untilNs !== null && reachedNs >= untilNs) return false;
      reachedNs += tickNs;
      for (const listener of listeners) listener();
      return true;
    },
  } satisfies SynchronisedRun & Record<string, unknown>;
}

function world(...names: string[]) {
  const clock = { nowS: 0, nowMs: () => 0, seconds: () => clock.nowS };
  const runs = names.map(run);
  return { clock, runs, group: createRunGroup(runs, clock) };
}

describe('runs in step', () => {
  it('meet at the same time, however much faster one of them is', () => {
    const { clock, runs } = world('fast', 'slow');
    const [fast, slow] = runs as [ReturnType<typeof run>, ReturnType<typeof run>];
    for (let turn = 0; turn < 30; turn += 1) {
      while (fast.tick());
      expect(fast.reachedNs).toBeGreaterThan(slow.reachedNs);
      clock.nowS += 0.3;
      while (slow.reachedNs < fast.reachedNs) expect(slow.tick()).toBe(true);
      expect(slow.reachedNs).toBe(fast.reachedNs);
    }
    // A tick takes the slow one longer than a picture lasts: they meet at each.
    expect(fast.reachedNs).toBe(30 * tickNs);
  });

  it('meet less often where ticks are short, and never too seldom', () => {
    const { clock, runs } = world('a', 'b');
    const meetings = new Set<number>();
    for (let turn = 0; turn < 500; turn += 1) {
      clock.nowS += 0.002;
      for (const one of runs) {
        one.tick();
        meetings.add(one.untilNs ?? 0);
      }
    }
    const times = [...meetings];
    const gaps = times.slice(1).map((timeNs, index) => (timeNs - (times[index] ?? 0)) / tickNs);
    expect(Math.max(...gaps)).toBe(10);
    expect(Math.min(...gaps)).toBeGreaterThanOrEqual(1);
  });

  it('set no new meeting while they are paused, and continue from where they were stepped to', () => {
    const { runs, group } = world('a', 'b');
    group.pause(true);
    for (const one of runs) while (one.tick());
    expect(runs.map(({ reachedNs }) => reachedNs)).toEqual([tickNs, tickNs]);
    expect(runs.map((one) => one.tick())).toEqual([false, false]);
    group.pause(false);
    expect(runs.map((one) => one.tick())).toEqual([true, true]);
  });

  it('no longer wait for one that has ended or left, and the last one never waits', async () => {
    const { runs, group } = world('a', 'b', 'c');
    const [a, b, c] = runs as [
      ReturnType<typeof run>,
      ReturnType<typeof run>,
      ReturnType<typeof run>,
    ];
    while (a.tick());
    while (b.tick());
    expect(a.tick()).toBe(false);
    c.end();
    await c.done;
    await Promise.resolve();
    expect(a.tick()).toBe(true);
    group.leave('b');
    expect([a.untilNs, b.untilNs, c.untilNs]).toEqual([null, null, null]);
  });
});
