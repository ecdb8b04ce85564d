// `understory campaign run|status|stop|retry`: the runs of a campaign, executed and counted.
import { existsSync } from 'node:fs';
import { isAbsolute } from 'node:path';
import type { Command } from 'commander';
import { toWire } from '#contract/errors.ts';
import type { CampaignProgress, CampaignStatus } from '#contract/host/campaignMethods.ts';
import type { Replies, RequestInputOf } from '#contract/host/methods.ts';
import { countText, durationText } from '#domain/shared/formats.ts';
import { dataFolderOf } from '#hosts/dataFolder.ts';
import { addAction, addCommand, jsonText } from '../command.ts';
import { exitCodeOfCode, exitCodes } from '../exitCodes.ts';
import { printableLine } from '../printable.ts';
import { slurmLine, slurmStatus } from '../slurm/slurmStatus.ts';
import type { Session } from '../session.ts';
import { defined, type CommandHost } from './shared.ts';

/** Failed runs that are named at the end. */
const namedFailures = 5;

/** Adds the commands to `campaign`. */
export function addCampaignRun(campaign: Command, host: CommandHost): void {
  addRun(campaign, host);
  addStatus(campaign, host);
  addCommand(campaign, host, 'campaign.stop', {
    says: ({ stopped }, { written: { campaign: name } }) => [
      stopped ? `'${name}' is being stopped` : `no process executes '${name}'`,
    ],
  });
  addRetry(campaign, host);
}

function addRun(campaign: Command, host: CommandHost): void {
  addAction(campaign, host, 'campaign.run', {}, (session, { request, isJson }) =>
    execute(session, request, isJson),
  );
}

function addRetry(campaign: Command, host: CommandHost): void {
  addAction(campaign, host, 'campaign.retry', {}, async (session, given) => {
    const { limit, jobs } = given.options;
    const indices =
      limit === undefined ? undefined : Array.from({ length: Math.min(limit, 1e6) }, (_, n) => n);
    const asked = { ...given.request, ...defined({ indices }) };
    const { pending } = (await session.call('campaign.retry', asked)).reply;
    session.terminal.say(`failed runs that are pending again: ${countText(pending)}`);
    return execute(session, { ...given.request, ...defined({ limit, jobs }) }, given.isJson);
  });
}

async function execute(
  session: Session,
  request: RequestInputOf<'campaign.run'>,
  isJson: boolean,
): Promise<number> {
  const { call, terminal, surroundings } = session;
  const { limit } = request;
  const onStop = (): void => terminal.say('stopping; finished runs are kept (once more: at once)');
  surroundings.stop.addEventListener('abort', onStop, { once: true });
  let reply: Replies['campaign.run'];
  try {
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
  terminal.print(isJson ? jsonText(reply) : summaryText(reply));
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

function addStatus(campaign: Command, host: CommandHost): void {
  addAction(campaign, host, 'campaign.status', {}, async (session, given) => {
    const { call, terminal, surroundings } = session;
    const { request, written, options, isJson } = given;
    const dataFolder = dataFolderOf({ ...surroundings, option: options.data });
    const reply = await statusOrNull(call, request.campaign);
    if (reply === null) {
      const [name, state] = [written.campaign, 'not-started'];
      const text = `${name}: it has not been run in this data folder yet`;
      return terminal.print(isJson ? jsonText({ name, state }) : text);
    }
    const slurm = await slurmStatus(dataFolder, reply.name);
    if (isJson) return terminal.print(jsonText({ ...reply, ...(slurm !== null && { slurm }) }));
    terminal.print(`${reply.name}: ${reply.state}; ${countsText(reply)}`);
    if (slurm !== null) terminal.print(slurmLine(slurm));
    for (const { index, error } of reply.failures) terminal.print(failureLine(index, error));
    const more = reply.failed - reply.failures.length;
    if (more > 0) terminal.print(`${countText(more)} more failed`);
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

/** '12 of 200 runs, 1 failed, 85.2 a minute, 2.2 min left'. */
function progressText(progress: CampaignProgress): string {
  const { ended, calledFor, failed, runsPerMinute, remainingS } = progress;
  return [
    `${countText(ended)} of ${countText(calledFor)} runs`,
    ...(failed > 0 ? [`${countText(failed)} failed`] : []),
    ...(runsPerMinute === null ? [] : [`${runsPerMinute.toFixed(1)} a minute`]),
    ...(remainingS === null ? [] : [`${durationText(remainingS)} left`]),
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
