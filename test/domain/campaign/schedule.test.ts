// Schedules against ones worked out by hand.
import { describe, expect, it } from 'vitest';
import {
  bestSchedule,
  efficientCores,
  repeatedTimes,
  runsPerTaskFor,
  scheduleOn,
} from '#domain/campaign/schedule.ts';

const alone = { startUpS: 0, runsPerTask: 1 };

describe('a schedule', () => {
  it('gives each task to the core that is free first', () => {
    // Core 1: 4, then 2; core 2: 3, 3 and, free at 6 as core 1 is, the last.
    const work = { ...alone, runSeconds: [4, 3, 3, 2, 5] };
    expect(scheduleOn(work, 2)).toEqual({
      cores: 2,
      tasks: 5,
      runsPerTask: 1,
      makespanS: 11,
      efficiency: 17 / 22,
    });
    expect(scheduleOn(work, 1).makespanS).toBe(17);
    expect(scheduleOn(work, 1).efficiency).toBe(1);
    // The longest run is the shortest possible campaign.
    expect(scheduleOn(work, 100)).toMatchObject({ makespanS: 5, efficiency: 17 / 500 });
  });

  it('counts the start of each task once', () => {
    const work = { runSeconds: Array.from({ length: 10 }, () => 1), startUpS: 2, runsPerTask: 5 };
    expect(scheduleOn(work, 1)).toMatchObject({ tasks: 2, makespanS: 14, efficiency: 10 / 14 });
    expect(scheduleOn(work, 2)).toMatchObject({ makespanS: 7, efficiency: 10 / 14 });
  });

  it('of nothing is empty', () => {
    expect(scheduleOn({ ...alone, runSeconds: [] }, 4)).toEqual({
      cores: 4,
      tasks: 0,
      runsPerTask: 1,
      makespanS: 0,
      efficiency: 1,
    });
  });

  it('is refused without cores', () => {
    expect(() => scheduleOn({ ...alone, runSeconds: [1] }, 0)).toThrow(RangeError);
    expect(() => scheduleOn({ startUpS: 0, runsPerTask: 0, runSeconds: [1] }, 1)).toThrow(
      RangeError,
    );
  });

  it('of 10,000 runs on 1000 cores takes little time and keeps all cores busy', () => {
    const runSeconds = repeatedTimes([1, 1.5, 0.5], 10_000);
    const { makespanS, efficiency } = scheduleOn({ ...alone, runSeconds }, 1000);
    // No list schedule is worse than the mean load and one more run.
    const total = runSeconds.reduce((sum, seconds) => sum + seconds, 0);
    expect(makespanS).toBeGreaterThanOrEqual(total / 1000);
    expect(makespanS).toBeLessThanOrEqual(total / 1000 + 1.5);
    expect(efficiency).toBeGreaterThan(0.85);
  });
});

describe('the best schedule', () => {
  it('has one task on each core where all runs are equal, and more where they differ', () => {
    const equal = Array.from({ length: 1000 }, () => 1);
    // 100 runs a core, after one start.
    expect(bestSchedule({ runSeconds: equal, startUpS: 5 }, 10)).toMatchObject({
      tasks: 10,
      runsPerTask: 100,
      makespanS: 105,
    });
    // The first half takes ten times as long: two equal halves would end at 500 and 50 s.
    const unequal = Array.from({ length: 100 }, (_, run) => (run < 50 ? 10 : 1));
    const { makespanS, runsPerTask } = bestSchedule({ runSeconds: unequal, startUpS: 1 }, 2);
    expect(runsPerTask).toBeLessThan(50);
    // The mean load of a core is 275 s.
    expect(makespanS).toBeLessThan(1.15 * 275);
  });
});

describe('the cores that are worth their time', () => {
  it('are those that divide the runs', () => {
    const runSeconds = Array.from({ length: 100 }, () => 1);
    // 100 equal runs: 50 cores take 2 s, 51 to 55 too: 100 / 110 > 0.9, 100 / 112 < 0.9; 100 cores take 1 s.
    expect(efficientCores({ startUpS: 0, runSeconds }, 99)).toBe(55);
    expect(efficientCores({ startUpS: 0, runSeconds }, 1000)).toBe(111);
  });

  it('are those on which the start of a task is a tenth, however many tasks that takes', () => {
    // Each core must have 27 s of the 10,000 runs of 0.15 s beside a start of 3 s: 1500 s / 27 s.
    const runSeconds = Array.from({ length: 10_000 }, () => 0.15);
    expect(efficientCores({ startUpS: 3, runSeconds }, 1000)).toBe(55);
  });

  it('are as many as have no idle core at the end, though fewer have one', () => {
    // 1000 runs of 10 s and a start of 3 s: 333 cores have three or four each, 10,000 / (333 · 43).
    const runSeconds = Array.from({ length: 1000 }, () => 10);
    expect(bestSchedule({ startUpS: 3, runSeconds }, 333).efficiency).toBeLessThan(0.7);
    // 10,000 / (336 · 33) > 0.9, 10,000 / (337 · 33) < 0.9.
    expect(efficientCores({ startUpS: 3, runSeconds }, 1000)).toBe(336);
  });

  it('are none where the start of a task costs too much', () => {
    expect(efficientCores({ runSeconds: [1, 1], startUpS: 1 }, 8)).toBeNull();
  });
});

it('a task has enough runs that its start costs a tenth', () => {
  // 3 s of start, 0.5 s a run: 54 runs are 27 s, of which 3 s of 30 s are a tenth.
  expect(runsPerTaskFor(3, 0.5)).toBe(54);
  expect(runsPerTaskFor(0, 1)).toBe(1);
  expect(runsPerTaskFor(1, 0)).toBe(1);
});
