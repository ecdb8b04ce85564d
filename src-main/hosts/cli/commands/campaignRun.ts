// `understory campaign run|status|stop|retry`: the runs of a campaign, executed and counted.
import { existsSync } from 'node:fs';
import { isAbsolute } from 'node:path';
import type { Command } from 'commander';
import { toWire } from '#contract/errors.ts';
import type { CampaignProgress, CampaignStatus } from '#contract/host/campaignMethods.ts';
import type { Replies } from '#contract/host/methods.ts';
import { countText } from '#domain/shared/formats.ts';
import { dataFolderOf } from '#hosts/dataFolder.ts';
import { parseNumber } from '../arguments.ts';
import { exitCodeOfCode, exitCodes } from '../exitCodes.ts';
import { printableLine } from '../printable.ts';
import { slurmLine, slurmStatus } from '../slurm/slurmStatus.ts';
import { withSession, type Session } from '../session.ts';
import { campaignFile } from './campaignFile.ts';
import { defined, optionsOf, type CommandHost } from './shared.ts';

/** The argument of commands about one campaign. */
export const campaignArgument = [
  '<campaign>',
  'a campaign file, the name of a sample, or of a campaign in the data folder',
] as const;

interface RunOptions {
  limit?: number;
  jobs?: number;
  json?: boolean;
}

/** Failed runs that are named at the end. */
const namedFailures = 5;

/** Adds the commands to `campaign`. */
export function addCampaignRun(campaign: Command, host: CommandHost): void {
  addRun(campaign, host);
  addStatus(campaign, host);
  addStop(campaign, host);
  addRetry(campaign, host);
}

function addRun(campaign: Command, { surroundings, end }: CommandHost): void {
  const command = withRunOptions(
    campaign
      .command('run')
      .description(
        'execute the runs that are missing; Ctrl+C ends the runs under way, which are repeated later',
      )
      .argument(...campaignArgument),
  ).action(async (fileOrName: string) => {
    const name = campaignFile(surroundings, fileOrName);
    const options = optionsOf<RunOptions>(command);
    end(await withSession(surroundings, options, (session) => execute(session, name, options)));
  });
}

function addRetry(campaign: Command, { surroundings, end }: CommandHost): void {
  const command = withRunOptions(
    campaign
      .command('retry')
      .description('execute the runs again that have failed, and those that are missing')
      .argument(...campaignArgument),
  ).action(async (fileOrName: string) => {
    const name = campaignFile(surroundings, fileOrName);
    const options = optionsOf<RunOptions>(command);
    const exitCode = await withSession(surroundings, options, async (session) => {
      const { limit } = options;
      const indices =
        limit === undefined ? undefined : Array.from({ length: Math.min(limit, 1e6) }, (_, n) => n);
      const asked = { campaign: name, ...defined({ indices }) };
      const { pending } = (await session.call('campaign.retry', asked)).reply;
      session.terminal.say(`failed runs that are pending again: ${countText(pending)}`);
      return execute(session, name, options);
    });
    end(exitCode);
  });
}

function withRunOptions(command: Command): Command {
  return command
    .option('--limit <n>', 'only the first n runs of the plan', parseNumber)
    .option('--jobs <n>', 'runs at once; default: as cores and memory allow', parseNumber)
    .option('--json', 'print the counts at the end as JSON');
}

async function execute(session: Session, name: string, options: RunOptions): Promise<number> {
  const { call, terminal, surroundings } = session;
  const { limit, jobs } = options;
  const onStop = (): void => terminal.say('stopping; finished runs are kept (once more: at once)');
  surroundings.stop.addEventListener('abort', onStop, { once: true });
  let reply: Replies['campaign.run'];
  try {
    const request = { campaign: name, ...defined({ limit, jobs }) };
    const answer = await call('campaign.run', request, {
      onChunk: (body) => {
        const progress = body as CampaignProgress;
        if (progress.calledFor > 0) terminal.progress(() => progressText(progress));
      },
    });
    reply = answer.reply;
  } finally {
    surroundings.stop.removeEventListener('abort', onStop);
    terminal.endProgress();
  }
  if (options.json === true) terminal.print(JSON.stringify(reply, null, 2));
  else terminal.print(summaryText(reply));
  for (const notice of reply.notices) terminal.say(notice);
  const inCall = reply.failures.filter(({ index }) => index < (limit ?? Infinity));
  for (const { index, error } of inCall.slice(0, namedFailures)) {
    terminal.say(failureLine(index, error));
  }
  const more = (limit === undefined ? reply.failed : inCall.length) - namedFailures;
  if (more > 0) terminal.say(`${countText(more)} more failed: 'campaign status ${reply.name}'`);
  if (surroundings.stop.aborted) return exitCodeOfCode('cancelled');
  return inCall.length > 0 || reply.pendingNow > 0 ? exitCodes.negative : exitCodes.ok;
}

function addStatus(campaign: Command, { surroundings, end }: CommandHost): void {
  const command = campaign
    .command('status')
    .description('how many runs of a campaign are done, failed, running and pending')
    .argument(...campaignArgument)
    .option('--json', 'print as JSON')
    .action(async (name: string) => {
      const options = optionsOf<{ json?: boolean }>(command);
      const dataFolder = dataFolderOf({ ...surroundings, option: options.data });
      await withSession(surroundings, options, async ({ call, terminal }) => {
        const reply = await statusOrNull(call, campaignFile(surroundings, name));
        if (reply === null) {
          const state = 'not-started';
          if (options.json === true) terminal.print(JSON.stringify({ name, state }, null, 2));
          else terminal.print(`${name}: it has not been run in this data folder yet`);
          return;
        }
        const slurm = await slurmStatus(dataFolder, reply.name);
        const shown = { ...reply, ...(slurm !== null && { slurm }) };
        if (options.json === true) return terminal.print(JSON.stringify(shown, null, 2));
        terminal.print(`${reply.name}: ${reply.state}; ${countsText(reply)}`);
        if (slurm !== null) terminal.print(slurmLine(slurm));
        for (const { index, error } of reply.failures) {
          terminal.print(failureLine(index, error));
        }
        const more = reply.failed - reply.failures.length;
        if (more > 0) terminal.print(`${countText(more)} more failed`);
      });
      end(exitCodes.ok);
    });
}

/** Null: the file or the sample was never run in this data folder. @throws 'not-found' where there is neither */
async function statusOrNull(
  call: Session['call'],
  campaign: string,
): Promise<CampaignStatus | null> {
  try {
    return (await call('campaign.status', { campaign })).reply;
  } catch (error) {
    if (toWire(error).code !== 'not-found') throw error;
    const { samples } = (await call('campaign.list', {})).reply;
    if (samples.some(({ id }) => id === campaign)) return null;
    if (isAbsolute(campaign) && existsSync(campaign)) return null;
    throw error;
  }
}

function addStop(campaign: Command, { surroundings, end }: CommandHost): void {
  const command = campaign
    .command('stop')
    .description('end a campaign that any process executes; finished runs are kept')
    .argument(...campaignArgument)
    .action(async (name: string) => {
      await withSession(surroundings, optionsOf(command), async ({ call, terminal }) => {
        const { stopped } = (
          await call('campaign.stop', { campaign: campaignFile(surroundings, name) })
        ).reply;
        terminal.say(stopped ? `'${name}' is being stopped` : `no process executes '${name}'`);
      });
      end(exitCodes.ok);
    });
}

/** '12 of 200 runs, 1 failed, 85.2 a minute, 2.2 min left'. */
function progressText(progress: CampaignProgress): string {
  const { ended, calledFor, failed, runsPerMinute, remainingS } = progress;
  return [
    `${countText(ended)} of ${countText(calledFor)} runs`,
    ...(failed > 0 ? [`${countText(failed)} failed`] : []),
    ...(runsPerMinute === null ? [] : [`${runsPerMinute.toFixed(1)} a minute`]),
    ...(remainingS === null ? [] : [`${timeText(remainingS)} left`]),
  ].join(', ');
}

/** One line; messages with several lines are joined. */
function failureLine(index: number, error: string): string {
  return printableLine(`run ${index} failed: ${error.replace(/\s*\n\s*/g, ' ')}`, 400);
}

function summaryText(reply: Replies['campaign.run']): string {
  const { name, doneNow, reusedNow, failedNow } = reply;
  const reused = reusedNow > 0 ? `, ${countText(reusedNow)} reused` : '';
  const now = `${countText(doneNow)} executed${reused} and ${countText(failedNow)} failed now`;
  return `${name}: ${now}; ${countsText(reply)}`;
}

function countsText({ total, done, failed, running, pending }: CampaignStatus): string {
  return [
    `${countText(done)} of ${countText(total)} runs done`,
    `${countText(failed)} failed`,
    `${countText(running)} running`,
    `${countText(pending)} pending`,
  ].join(', ');
}

/** '45 s', '12.3 min', '2.1 h'. */
function timeText(seconds: number): string {
  if (seconds < 120) return `${Math.ceil(seconds)} s`;
  return seconds < 7200 ? `${(seconds / 60).toFixed(1)} min` : `${(seconds / 3600).toFixed(1)} h`;
}
