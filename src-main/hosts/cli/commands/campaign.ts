// `understory campaign`: sets of runs. This file has the group, and what needs no run: list, check and plan.
import type { Command } from 'commander';
import { UnderstoryError } from '#contract/errors.ts';
import type { CampaignPlan } from '#contract/host/campaignMethods.ts';
import type { Replies } from '#contract/host/methods.ts';
import { bytesText, countText, durationText, numberText } from '#domain/shared/formats.ts';
import { addAction, addCommand, jsonText, type Given } from '../command.ts';
import { tableLines } from '../table.ts';
import { addCampaignCluster } from './campaignCluster.ts';
import { planSchedule, scheduleLines } from './campaignSchedule.ts';
import { addCampaignResults } from './campaignResults.ts';
import { addCampaignRun } from './campaignRun.ts';
import { refuseProblems } from './refusals.ts';
import type { CommandHost } from './shared.ts';

/** Adds the commands to the program. */
export function addCampaign(program: Command, host: CommandHost): void {
  const campaign = program
    .command('campaign')
    .description('check, plan and execute sets of runs, and print their results');
  addCommand(campaign, host, 'campaign.check', {
    json: ({ problems }) => problems,
    says: ({ problems, runs, axes }, { written: { campaign: name } }) => {
      refuseProblems(`campaign '${name}'`, problems);
      const varied = axes.map(({ name: axis, count }) => `${axis} ${countText(count)}`).join(', ');
      return [`${name}: no problems; ${countText(runs ?? 0)} runs (${varied})`];
    },
  });
  addPlan(campaign, host);
  addCampaignRun(campaign, host);
  addCampaignResults(campaign, host);
  addCommand(campaign, host, 'campaign.list', { lines: listLines });
  addCampaignCluster(campaign, host);
}

function addPlan(campaign: Command, host: CommandHost): void {
  const check = ({ options: { on, runsPerTask } }: Given<'campaign.plan'>): void => {
    if (on === undefined && runsPerTask !== undefined)
      throw new UnderstoryError('bad-input', '--runs-per-task needs --on');
  };
  addAction(campaign, host, 'campaign.plan', { check }, async (session, given) => {
    const { call, terminal, surroundings } = session;
    const { on, runsPerTask } = given.options;
    const ownStartS = surroundings.ageS?.() ?? 0;
    const reply = withOwnStart((await call('campaign.plan', given.request)).reply, ownStartS);
    const schedule =
      on === undefined
        ? null
        : await planSchedule({ call }, reply, { cores: on, runsPerTask }, ownStartS);
    terminal.endProgress();
    const own = schedule === null ? [] : ['', ...scheduleLines(schedule)];
    const shown = { ...reply, ...(schedule !== null && { schedule }) };
    const lines = given.isJson ? [jsonText(shown)] : [...planLines(reply), ...own];
    for (const line of lines) terminal.print(line);
  });
}

/** The plan of a command: the start of its process is a part of what it takes. */
function withOwnStart(plan: CampaignPlan, ownStartS: number): CampaignPlan {
  return plan.new === 0 ? plan : { ...plan, wallSeconds: plan.wallSeconds + ownStartS };
}

const bases: Record<CampaignPlan['basis'], string> = {
  'finished-runs': 'runs of this campaign that have ended',
  trial: 'a few runs that were executed for it',
  'nothing-new': 'no run is new',
};

function planLines(plan: CampaignPlan): string[] {
  return [
    `runs             ${countText(plan.runs)}`,
    `new              ${countText(plan.new)}${remeasuredText(plan)}`,
    `reused           ${countText(plan.reused)}`,
    `wall time        ${durationText(plan.wallSeconds)}, ${plan.jobs} at once`,
    `recordings       ${bytesText(plan.bytes)}`,
    `instruction set  ${plan.isa}`,
    `estimated from   ${bases[plan.basis]}`,
    '',
    ...tableLines(plan.axes, [
      { title: 'axis', value: ({ name }) => name },
      { title: 'values', value: ({ count }) => countText(count), align: 'right' },
      { title: 'from', value: ({ values }) => valueText(values[0]) },
      { title: 'to', value: ({ values }) => valueText(values.at(-1)) },
    ]),
  ];
}

function remeasuredText({ remeasured }: CampaignPlan): string {
  return remeasured === 0
    ? ''
    : `, of which ${countText(remeasured)} have finished without a measure`;
}

function valueText(value: string | number | boolean | null | undefined): string {
  return typeof value === 'number' ? numberText(value) : String(value ?? '');
}

function listLines({ samples, campaigns }: Replies['campaign.list']): string[] {
  const own = campaigns.map(({ name, state, done, total, description }) => {
    return { id: name, state: `${state}, ${done} of ${total}`, description };
  });
  const names = new Set(own.map(({ id }) => id));
  const others = samples
    .filter(({ id }) => !names.has(id))
    .map(({ id, description }) => ({ id, state: '', description }));
  return tableLines(
    [...own, ...others],
    [
      { title: 'name', value: ({ id }) => id },
      { title: 'state', value: ({ state }) => state },
      { title: 'description', value: ({ description }) => description, maxLength: 100 },
    ],
  );
}
