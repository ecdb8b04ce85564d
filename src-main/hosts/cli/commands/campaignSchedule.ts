// `understory campaign plan --on N`: the schedule of a campaign on N cores of a cluster, from measured run times.
import type { CampaignPlan } from '#contract/host/campaignMethods.ts';
import { UnderstoryError } from '#contract/errors.ts';
import {
  bestSchedule,
  efficientCores,
  repeatedTimes,
  type Schedule,
} from '#domain/campaign/schedule.ts';
import { bytesText, countOf } from '#domain/shared/formats.ts';
import type { Session } from '../session.ts';

/** Wall time of a task that is none of its runs: its command, and what the plan has measured of processes and workers. */
export function startUpOfTaskS(plan: Pick<CampaignPlan, 'startUpS'>, ownStartS: number): number {
  return ownStartS + plan.startUpS;
}

export interface PlannedSchedule extends Schedule {
  bytes: number;
  /** The most cores with an efficiency of 0.9 or more; null: not even one. */
  efficientCores: number | null;
  /** Runs whose wall times it repeats; 0: the estimate of the plan. */
  measuredRuns: number;
  /** Start-up of a task, measured. */
  startUpS: number;
}

/**
 * The new runs of a plan on `cores` cores. `ownStartS`: of a command, up to its first call.
 * @throws UnderstoryError 'bad-input'
 */
export async function planSchedule(
  { call }: Pick<Session, 'call'>,
  plan: CampaignPlan,
  cores: number,
  ownStartS: number,
): Promise<PlannedSchedule> {
  if (!Number.isInteger(cores) || cores < 1 || cores > 1_000_000) {
    throw new UnderstoryError('bad-input', `--on: expected 1 to 1000000 cores, found ${cores}`);
  }
  const measured = await measuredTimes(call, plan.name);
  const startUpS = startUpOfTaskS(plan, ownStartS);
  const runSeconds = repeatedTimes(measured.length > 0 ? measured : [plan.runSeconds], plan.new);
  const times = { runSeconds, startUpS };
  return {
    ...bestSchedule(times, cores),
    bytes: plan.bytes,
    efficientCores: efficientCores(times, cores),
    measuredRuns: measured.length,
    startUpS,
  };
}

export function scheduleLines(schedule: PlannedSchedule): string[] {
  const { cores, tasks, runsPerTask, makespanS, efficiency, bytes, measuredRuns, startUpS } =
    schedule;
  const most = schedule.efficientCores;
  if (tasks === 0) return [`on ${countOf(cores, 'core')}: no run is new`];
  return [
    `on ${countOf(cores, 'core')}: ${(makespanS / 60).toFixed(1)} min, efficiency ${efficiency.toFixed(2)}, ` +
      `${countOf(tasks, 'task')} of ${countOf(runsPerTask, 'run')}, ${bytesText(bytes)} of recordings`,
    most === null
      ? 'efficiency is below 0.9 on any number of cores: the runs are too few or too short for the start of a task'
      : most < cores
        ? `efficiency falls below 0.9 beyond ${countOf(most, 'core')}`
        : 'efficiency is at least 0.9',
    `a task starts in ${startUpS.toFixed(1)} s; runs are ` +
      (measuredRuns > 0
        ? `from the wall times of ${countOf(measuredRuns, 'run')}`
        : "from the plan's estimate"),
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
