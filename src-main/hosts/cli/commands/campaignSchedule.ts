// `understory campaign plan --on N`: the schedule of a campaign on N cores of a cluster, from measured run times.
import type { CampaignPlan } from '#contract/host/campaignMethods.ts';
import { UnderstoryError } from '#contract/errors.ts';
import {
  efficientCores,
  repeatedTimes,
  runsPerTaskFor,
  scheduleOn,
  type Schedule,
} from '#domain/campaign/schedule.ts';
import { bytesText, countText } from '#domain/shared/formats.ts';
import type { Session } from '../session.ts';

/**
 * Start of a task: host, run process, worker, scene. Measured with `clearing` on two busy cores; scenes of many millions
 * of triangles take longer.
 */
export const taskStartUpS = 4;

export interface PlannedSchedule extends Schedule {
  runsPerTask: number;
  bytes: number;
  /** The most cores with an efficiency of 0.9 or more; null: not even one. */
  efficientCores: number | null;
  /** Runs whose wall times it repeats; 0: the estimate of the plan. */
  measuredRuns: number;
}

/** The new runs of a plan on `cores` cores. @throws UnderstoryError 'bad-input' */
export async function planSchedule(
  { call }: Pick<Session, 'call'>,
  plan: CampaignPlan,
  cores: number,
): Promise<PlannedSchedule> {
  if (!Number.isInteger(cores) || cores < 1 || cores > 1_000_000) {
    throw new UnderstoryError('bad-input', `--on: expected 1 to 1000000 cores, found ${cores}`);
  }
  const measured = await measuredTimes(call, plan.name);
  const meanS = (plan.wallSeconds * plan.jobs) / Math.max(1, plan.new);
  const runSeconds = repeatedTimes(measured.length > 0 ? measured : [meanS], plan.new);
  const total = runSeconds.reduce((sum, seconds) => sum + seconds, 0);
  const wanted = runsPerTaskFor(taskStartUpS, total / Math.max(1, runSeconds.length));
  // Why fewer on many cores: a task for each core ends earlier, though more of them start.
  const runsPerTask = Math.max(1, Math.min(wanted, Math.ceil(plan.new / cores)));
  const work = { runSeconds, startUpS: taskStartUpS, runsPerTask };
  return {
    ...scheduleOn(work, cores),
    runsPerTask,
    bytes: plan.bytes,
    efficientCores: efficientCores({ ...work, runsPerTask: wanted }, cores),
    measuredRuns: measured.length,
  };
}

export function scheduleLines(schedule: PlannedSchedule): string[] {
  const { cores, tasks, runsPerTask, makespanS, efficiency, bytes, measuredRuns } = schedule;
  const most = schedule.efficientCores;
  return [
    `on ${countText(cores)} cores: ${(makespanS / 60).toFixed(1)} min, efficiency ${efficiency.toFixed(2)}, ` +
      `${countText(tasks)} tasks of ${countText(runsPerTask)} runs, ${bytesText(bytes)} of recordings`,
    most === null
      ? 'efficiency is below 0.9 on any number of cores: the runs are too few or too short for the start of a task'
      : most < cores
        ? `efficiency falls below 0.9 beyond ${countText(most)} cores`
        : 'efficiency is at least 0.9',
    measuredRuns > 0
      ? `from the wall times of ${countText(measuredRuns)} runs`
      : "from the plan's estimate",
  ];
}

/** Wall times of the runs that have ended, in plan order; runs that were shared have none. */
async function measuredTimes(call: Session['call'], campaign: string): Promise<number[]> {
  try {
    const asked = { campaign, hasTiming: true, limit: 10_000 };
    const { columns, rows } = (await call('campaign.results', asked)).reply;
    const at = columns.findIndex(({ name, kind }) => kind === 'timing' && name === 'wallS');
    return rows.flatMap(({ values }) => {
      const value = values[at];
      return typeof value === 'number' && value > 0 ? [value] : [];
    });
  } catch (error) {
    // The campaign was never started.
    if (error instanceof UnderstoryError && error.code === 'not-found') return [];
    throw error;
  }
}
