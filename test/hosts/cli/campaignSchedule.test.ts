// `campaign plan --on N --runs-per-task R` against schedules worked out by hand.
import { describe, expect, it } from 'vitest';
import type { CampaignPlan } from '#contract/host/campaignMethods.ts';
import { planSchedule, scheduleLines } from '#hosts/cli/commands/campaignSchedule.ts';
import type { Session } from '#hosts/cli/session.ts';

/** Ten new runs; those that have ended took 1 s each, and a task starts in 2 s. */
const plan = {
  name: 'c',
  new: 10,
  bytes: 0,
  startUpS: 1.5,
  runSeconds: 9,
  hostRunS: 0.5,
} as CampaignPlan;
const call = (() =>
  Promise.resolve({
    reply: {
      columns: [{ name: 'wallS', kind: 'timing' }],
      rows: Array.from({ length: 3 }, () => ({ values: [1] })),
    },
  })) as unknown as Session['call'];
const ownStartS = 0.5;

describe('the schedule of a plan', () => {
  it('has as many runs a task as make it the shortest', async () => {
    const schedule = await planSchedule({ call }, plan, { cores: 2 }, ownStartS);
    // Two tasks of five runs: 2 s + 5 s each.
    expect(schedule).toMatchObject({ tasks: 2, runsPerTask: 5, makespanS: 7, measuredRuns: 3 });
    expect(schedule.shortest).toEqual({ runsPerTask: 5, makespanS: 7 });
    expect(scheduleLines(schedule).join('\n')).not.toContain('shortest');
  });

  it('is that of the runs a task that are asked for, beside the shortest', async () => {
    const request = { cores: 2, runsPerTask: 1 };
    const schedule = await planSchedule({ call }, plan, request, ownStartS);
    // Ten tasks of 2 s + 1 s, five on each core.
    expect(schedule).toMatchObject({ tasks: 10, runsPerTask: 1, makespanS: 15 });
    expect(schedule.efficiency).toBeCloseTo(10 / 30, 12);
    expect(schedule.shortest).toEqual({ runsPerTask: 5, makespanS: 7 });
    expect(scheduleLines(schedule)).toContain('shortest: 0.1 min, tasks of 5 runs');
  });

  it('on one machine waits for the work of its one host', async () => {
    // Half a second before each run of 1 s: two cores never wait, more do.
    const two = await planSchedule({ call }, plan, { cores: 2 }, ownStartS);
    expect(two.machine).toMatchObject({ makespanS: 8, hostRunS: 0.5, fedCores: 2 });
    const eight = await planSchedule({ call }, plan, { cores: 8 }, ownStartS);
    expect(eight.machine.makespanS).toBe(2 + 10 * 0.5 + 1);
    expect(scheduleLines(eight).at(-1)).toBe(
      'on one machine of 8 cores: 0.1 min, efficiency 0.16; its host takes 500.0 ms a run, enough for 2 cores',
    );
    const free = await planSchedule({ call }, { ...plan, hostRunS: 0 }, { cores: 5 }, ownStartS);
    expect(free.machine).toMatchObject({ makespanS: 4, efficiency: 0.5, fedCores: null });
  });

  it.each([0, 1.5])('is refused for %d runs a task', async (runsPerTask) => {
    const asked = planSchedule({ call }, plan, { cores: 2, runsPerTask }, ownStartS);
    await expect(asked).rejects.toMatchObject({ code: 'bad-input' });
  });
});
