// `understory campaign plan --on N`: the schedule of a campaign on N cores of a cluster, from measured run times. The
// best one, or that of `campaign slurm --runs-per-task R` with the same R. And `campaign run` on a machine of N cores.
import type { CampaignPlan } from '#contract/host/campaignMethods.ts';
import { UnderstoryError } from '#contract/errors.ts';
import {
  bestSchedule,
  efficientCores,
  type MachineSchedule,
  repeatedTimes,
  scheduleOn,
  scheduleOnMachine,
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
  /** The most cores whose shortest schedule has an efficiency of 0.9 or more; null: not even one. */
  efficientCores: number | null;
  /** The shortest schedule; equal to this one where no runs a task are asked for. */
  shortest: Pick<Schedule, 'runsPerTask' | 'makespanS'>;
  /** Runs whose wall times it repeats; 0: the estimate of the plan. */
  measuredRuns: number;
  /** Start-up of a task, measured. */
  startUpS: number;
  /** On one machine of so many cores, by one command; `fedCores` null: its work for a run was too short to be measured. */
  machine: Omit<MachineSchedule, 'fedCores'> & { fedCores: number | null; hostRunS: number };
}

export interface ScheduleRequest {
  cores: number;
  /** Left out: as many as make the schedule the shortest. */
  runsPerTask?: number | undefined;
}

/**
 * The new runs of a plan on `cores` cores. `ownStartS`: of a command, up to its first call.
 * @throws UnderstoryError 'bad-input'
 */
export async function planSchedule(
  { call }: Pick<Session, 'call'>,
  plan: CampaignPlan,
  { cores, runsPerTask }: ScheduleRequest,
  ownStartS: number,
): Promise<PlannedSchedule> {
  if (!Number.isInteger(cores) || cores < 1 || cores > 1_000_000) {
    throw new UnderstoryError('bad-input', `--on: expected 1 to 1000000 cores, found ${cores}`);
  }
  if (runsPerTask !== undefined && !(Number.isInteger(runsPerTask) && runsPerTask >= 1)) {
    throw new UnderstoryError(
      'bad-input',
      `--runs-per-task: expected at least 1, found ${runsPerTask}`,
    );
  }
  const measured = await measuredTimes(call, plan.name);
  const startUpS = startUpOfTaskS(plan, ownStartS);
  const runSeconds = repeatedTimes(measured.length > 0 ? measured : [plan.runSeconds], plan.new);
  const times = { runSeconds, startUpS };
  const shortest = bestSchedule(times, cores);
  const { fedCores, ...machine } = scheduleOnMachine(times, plan.hostRunS, cores);
  return {
    ...(runsPerTask === undefined ? shortest : scheduleOn({ ...times, runsPerTask }, cores)),
    shortest: { runsPerTask: shortest.runsPerTask, makespanS: shortest.makespanS },
    bytes: plan.bytes,
    efficientCores: efficientCores(times, cores),
    measuredRuns: measured.length,
    startUpS,
    machine: {
      ...machine,
      fedCores: Number.isFinite(fedCores) ? fedCores : null,
      hostRunS: plan.hostRunS,
    },
  };
}

export function scheduleLines(schedule: PlannedSchedule): string[] {
  const { cores, tasks, runsPerTask, makespanS, efficiency, bytes, measuredRuns, startUpS } =
    schedule;
  const { shortest, efficientCores: most } = schedule;
  const isShortest = shortest.runsPerTask === runsPerTask;
  if (tasks === 0) return [`on ${countOf(cores, 'core')}: no run is new`];
  return [
    `on ${countOf(cores, 'core')}: ${minutesText(makespanS)}, efficiency ${efficiency.toFixed(2)}, ` +
      `${countOf(tasks, 'task')} of ${countOf(runsPerTask, 'run')}, ${bytesText(bytes)} of recordings`,
    ...(isShortest
      ? []
      : [
          `shortest: ${minutesText(shortest.makespanS)}, tasks of ${countOf(shortest.runsPerTask, 'run')}`,
        ]),
    (isShortest ? '' : 'of the shortest: ') + efficiencyText(most, cores),
    `a task starts in ${startUpS.toFixed(1)} s; runs are ` +
      (measuredRuns > 0
        ? `from the wall times of ${countOf(measuredRuns, 'run')}`
        : "from the plan's estimate"),
    machineText(schedule),
  ];
}

function machineText({ cores, machine }: PlannedSchedule): string {
  const { makespanS, efficiency, fedCores, hostRunS } = machine;
  const limit =
    fedCores === null
      ? ''
      : `; its host takes ${(1000 * hostRunS).toFixed(1)} ms a run, enough for ${countOf(Math.floor(fedCores), 'core')}`;
  return `on one machine of ${countOf(cores, 'core')}: ${minutesText(makespanS)}, efficiency ${efficiency.toFixed(2)}${limit}`;
}

function minutesText(seconds: number): string {
  return `${(seconds / 60).toFixed(1)} min`;
}

function efficiencyText(maxCores: number | null, cores: number): string {
  if (maxCores === null)
    return 'efficiency is below 0.9 on any number of cores: the runs are too few or too short for the start of a task';
  return maxCores < cores
    ? `efficiency falls below 0.9 beyond ${countOf(maxCores, 'core')}`
    : 'efficiency is at least 0.9';
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
