// `understory campaign slurm`, `collect` and `task`: a campaign on a Slurm cluster. The data folder is on a file system
// that all nodes share; tasks work in folders of their nodes and leave finished runs in it; nothing else is started.
import { existsSync } from 'node:fs';
import path from 'node:path';
import type { Command } from 'commander';
import { UnderstoryError } from '#contract/errors.ts';
import type { Replies } from '#contract/host/methods.ts';
import { runsPerTaskFor } from '#domain/campaign/schedule.ts';
import { countOf, countText } from '#domain/shared/formats.ts';
import { maxDocumentBytes } from '#files/regularFile.ts';
import { readTextSync } from '#files/regularFileSync.ts';
import { dataFolderOf } from '#hosts/dataFolder.ts';
import { parseNumber } from '../arguments.ts';
import { exitCodes } from '../exitCodes.ts';
import { withSession, type Session, type SharedOptions } from '../session.ts';
import { arrayScript, tasksOf, type ArrayTasks } from '../slurm/arrayJob.ts';
import {
  campaignFolderOf,
  filesIn,
  readTasks,
  saveJobId,
  writeJob,
} from '../slurm/campaignFolder.ts';
import { submit } from '../slurm/slurm.ts';
import { slurmLine, slurmStatus } from '../slurm/slurmStatus.ts';
import { campaignFile } from './campaignFile.ts';
import { startUpOfTaskS } from './campaignSchedule.ts';
import { defined, optionsOf, type CommandHost } from './shared.ts';

interface SlurmOptions extends SharedOptions {
  runsPerTask?: number;
  tasks?: number;
  nodes?: number;
  cpus?: number;
  time?: string;
  partition?: string;
  retry?: boolean;
  dryRun?: boolean;
  json?: boolean;
}

/** Adds the commands. */
export function addCampaignCluster(campaign: Command, host: CommandHost): void {
  addSlurm(campaign, host);
  addCollect(campaign, host);
  addTask(campaign, host);
}

function addSlurm(campaign: Command, { surroundings, end }: CommandHost): void {
  const command = campaign
    .command('slurm')
    .description('submit the runs that are missing as an array job of Slurm')
    .argument('<campaign>', 'a campaign file, or the name of a sample')
    .option('--runs-per-task <n>', 'default: so many that a start costs a tenth', parseNumber)
    .option('--tasks <n>', 'in place of --runs-per-task: so many tasks', parseNumber)
    .option('--nodes <n>', 'tasks under way at a time', parseNumber)
    .option('--cpus <n>', 'cores of a task, each of which executes runs; default: 1', parseNumber)
    .option('--time <limit>', "of a task, as Slurm writes it; default: the partition's")
    .option('--partition <name>', "default: Slurm's")
    .option('--retry', 'with the runs that have failed')
    .option('--dry-run', 'write the job, and submit nothing')
    .option('--json', 'print as JSON')
    .addHelpText('after', '\nThe data folder must be on a file system that all nodes share.')
    .action(async (name: string) => {
      const options = optionsOf<SlurmOptions>(command);
      const dataFolder = dataFolderOf({ ...surroundings, option: options.data });
      await withSession(surroundings, options, async (session) => {
        const { terminal } = session;
        const ownStartS = surroundings.ageS?.() ?? 0;
        const tasks = await sourceOf(session, name);
        const status = await collect(session, dataFolder, tasks);
        if (options.retry === true) {
          await session.call('campaign.retry', { campaign: status.name });
          // Why again: what has failed would be collected as it was.
          await collect(session, dataFolder, tasks, true);
        }
        const pending = await pendingOf(session, status.name);
        const runsPerTask = await runsPerTaskOf(
          session,
          tasks,
          { ...options, ownStartS },
          pending.length,
        );
        const folder = campaignFolderOf(dataFolder, status.name);
        const { engine } = status;
        const job: ArrayTasks = {
          ...tasks,
          ...(engine !== null && { engine }),
          tasks: tasksOf(pending, runsPerTask),
        };
        let jobId: string | null = null;
        if (pending.length > 0) {
          const script = arrayScript({
            name: status.name,
            tasks: job.tasks.length,
            folder: folder.folder,
            atOnce: options.nodes ?? null,
            cpusPerTask: options.cpus ?? 1,
            time: options.time ?? null,
            partition: options.partition ?? null,
            command: [process.execPath, path.resolve(process.argv[1] ?? '')],
          });
          writeJob(folder, job, script);
          if (options.dryRun !== true) {
            jobId = submit(folder.scriptFile);
            saveJobId(folder.folder, jobId);
          }
        }
        terminal.endProgress();
        const { folder: shared, scriptFile } = folder;
        const summary = { jobId, tasks: job.tasks.length, runs: pending.length, runsPerTask };
        if (options.json === true) terminal.print(JSON.stringify({ ...summary, folder: shared }));
        else if (pending.length === 0) terminal.say(`${status.name}: no run is missing`);
        else {
          const what = jobId === null ? `written to ${scriptFile}` : `submitted as job ${jobId}`;
          const { length } = job.tasks;
          terminal.say(
            `${countOf(pending.length, 'run')} in ${countOf(length, 'task')} ${what}; then: campaign collect ${name}`,
          );
        }
      });
      end(exitCodes.ok);
    });
}

/**
 * The campaign as tasks see it, whose data folders are empty: a file with its text, or the name of a sample. A campaign of
 * the data folder is that of its file, or of its last text where that is gone.
 */
async function sourceOf(
  { call, surroundings }: Session,
  name: string,
): Promise<Omit<ArrayTasks, 'tasks'>> {
  const named = campaignFile(surroundings, name);
  if (path.isAbsolute(named) && existsSync(named)) {
    return { campaign: named, text: readTextSync(named, maxDocumentBytes) };
  }
  const { samples, campaigns } = (await call('campaign.list', {})).reply;
  const file = campaigns.find((each) => each.name === name)?.file;
  if (file === undefined || samples.some((sample) => sample.file === file))
    return { campaign: name };
  if (existsSync(file)) return { campaign: file, text: readTextSync(file, maxDocumentBytes) };
  const { value } = (await call('campaign.check', { campaign: name })).reply;
  return { campaign: file, ...(value !== null && { text: JSON.stringify(value) }) };
}

/** Takes over the results of the tasks; runs that none has are still pending. `isRetrying`: failures are removed. */
async function collect(
  { call }: Session,
  dataFolder: string,
  { campaign, text }: Omit<ArrayTasks, 'tasks'>,
  isRetrying = false,
): Promise<Replies['campaign.run']> {
  const checked = (await call('campaign.check', { campaign, ...defined({ text }) })).reply;
  if (checked.value === null) {
    const { problems } = checked;
    throw new UnderstoryError('bad-input', `campaign '${campaign}' has problems`, { problems });
  }
  const { results } = campaignFolderOf(dataFolder, checked.value.name);
  const share = { folder: results, isCollecting: true, isRetrying };
  return (await call('campaign.run', { campaign, ...defined({ text }), share })).reply;
}

/** Places in the plan of the runs that have not ended. */
async function pendingOf({ call }: Session, campaign: string): Promise<number[]> {
  const pending: number[] = [];
  const limit = 100_000;
  for (let offset = 0; ; offset += limit) {
    const asked = { campaign, hasPending: true, limit, offset };
    const { rows } = (await call('campaign.results', asked)).reply;
    for (const { index, state } of rows) if (state === 'pending') pending.push(index);
    if (rows.length < limit) return pending;
  }
}

async function runsPerTaskOf(
  { call }: Session,
  { campaign, text }: Omit<ArrayTasks, 'tasks'>,
  { runsPerTask, tasks, ownStartS }: SlurmOptions & { ownStartS: number },
  runs: number,
): Promise<number> {
  if (runsPerTask !== undefined) return Math.max(1, Math.floor(runsPerTask));
  if (tasks !== undefined) return Math.max(1, Math.ceil(runs / Math.max(1, tasks)));
  if (runs === 0) return 1;
  const plan = (await call('campaign.plan', { campaign, ...defined({ text }) })).reply;
  return runsPerTaskFor(startUpOfTaskS(plan, ownStartS), plan.runSeconds);
}

function addCollect(campaign: Command, { surroundings, end }: CommandHost): void {
  const command = campaign
    .command('collect')
    .description('take over the runs that tasks of a cluster have finished; again changes nothing')
    .argument('<campaign>', 'a campaign file, or the name of a sample')
    .option('--json', 'print as JSON')
    .action(async (name: string) => {
      const options = optionsOf<{ json?: boolean } & SharedOptions>(command);
      const dataFolder = dataFolderOf({ ...surroundings, option: options.data });
      let failed = 0;
      await withSession(surroundings, options, async (session) => {
        const { terminal } = session;
        const source = await sourceOf(session, name);
        const {
          total,
          done,
          failed: failedRuns,
          pending,
          doneNow,
          reusedNow,
          name: campaignName,
        } = await collect(session, dataFolder, source);
        failed = failedRuns;
        const collected = doneNow + reusedNow;
        terminal.endProgress();
        const counts = { total, done, failed, pending, collected };
        const slurm = await slurmStatus(dataFolder, campaignName);
        if (options.json === true) terminal.print(JSON.stringify({ ...counts, slurm }));
        else {
          terminal.say(
            `${countOf(collected, 'run')} collected: ${countText(done)} of ${countText(total)} done, ` +
              `${countText(failed)} failed, ${countText(pending)} missing`,
          );
          if (slurm !== null && pending > 0) terminal.say(slurmLine(slurm));
        }
      });
      end(failed > 0 ? exitCodes.negative : exitCodes.ok);
    });
}

function addTask(campaign: Command, { surroundings, end }: CommandHost): void {
  const command = campaign
    .command('task', { hidden: true })
    .description('execute the runs of one task of an array job, in a data folder of its own')
    .argument('<folder>', 'that `campaign slurm` has written')
    .argument('<task>', 'from 0', parseNumber)
    .action(async (folder: string, task: number) => {
      const options = optionsOf<SharedOptions>(command);
      const { campaign, text, engine, tasks } = readTasks(folder);
      const indices = tasks[task];
      if (indices === undefined) {
        throw new UnderstoryError('not-found', `the job has no task ${task}`);
      }
      await withSession(surroundings, options, async ({ call, terminal }) => {
        const cpus = Number(surroundings.environment['SLURM_CPUS_PER_TASK'] ?? 1);
        const { reply } = await call('campaign.run', {
          campaign,
          ...defined({ text }),
          indices,
          jobs: Number.isInteger(cpus) && cpus > 0 ? cpus : 1,
          share: { folder: filesIn(folder).results, ...defined({ engine }) },
        });
        terminal.endProgress();
        terminal.say(
          `${countOf(reply.doneNow + reply.reusedNow, 'run')} done, ${reply.failedNow} failed`,
        );
        if (surroundings.stop.aborted) {
          throw new UnderstoryError('cancelled', 'the task was stopped before its last run');
        }
      });
      end(exitCodes.ok);
    });
}
