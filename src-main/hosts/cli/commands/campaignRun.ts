// `understory campaign run|status|stop|retry`: the runs of a campaign, executed and counted.
import type { Command } from 'commander';
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
      const { pending } = (await session.call('campaign.retry', { campaign: name })).reply;
      session.terminal.say(`${countText(pending)} failed runs are pending again`);
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
      onChunk: (body) => terminal.progress(() => progressText(body as CampaignProgress)),
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
    terminal.say(printableLine(`run ${index} failed: ${error}`, 400));
  }
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
        const { reply } = await call('campaign.status', {
          campaign: campaignFile(surroundings, name),
        });
        const slurm = await slurmStatus(dataFolder, reply.name);
        const shown = { ...reply, ...(slurm !== null && { slurm }) };
        if (options.json === true) return terminal.print(JSON.stringify(shown, null, 2));
        terminal.print(`${reply.name}: ${reply.state}; ${countsText(reply)}`);
        if (slurm !== null) terminal.print(slurmLine(slurm));
        for (const { index, error } of reply.failures) {
          terminal.print(printableLine(`run ${index} failed: ${error}`, 400));
        }
      });
      end(exitCodes.ok);
    });
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
