// `understory campaign`: sets of runs. This file has the group, and what needs no run: list, check and plan.
import type { Command } from 'commander';
import { UnderstoryError } from '#contract/errors.ts';
import type { CampaignPlan } from '#contract/host/campaignMethods.ts';
import { bytesText, countText, numberText } from '#domain/shared/formats.ts';
import { parseNumber } from '../arguments.ts';
import { exitCodes } from '../exitCodes.ts';
import { withSession, type SharedOptions } from '../session.ts';
import { tableLines } from '../table.ts';
import { addCampaignCluster } from './campaignCluster.ts';
import { campaignFile } from './campaignFile.ts';
import { planSchedule, scheduleLines } from './campaignSchedule.ts';
import { addCampaignResults } from './campaignResults.ts';
import { addCampaignRun, campaignArgument } from './campaignRun.ts';
import { defined, optionsOf, type CommandHost } from './shared.ts';

/** Adds the commands to the program. */
export function addCampaign(program: Command, host: CommandHost): void {
  const campaign = program
    .command('campaign')
    .description('check, plan and execute sets of runs, and print their results');
  addCheck(campaign, host);
  addPlan(campaign, host);
  addCampaignRun(campaign, host);
  addCampaignResults(campaign, host);
  addList(campaign, host);
  addCampaignCluster(campaign, host);
}

function addCheck(campaign: Command, { surroundings, end }: CommandHost): void {
  const command = campaign
    .command('check')
    .description('every problem of a campaign and of its runs, at the axes that make them')
    .argument(...campaignArgument)
    .option('--json', 'print the problems as JSON')
    .action(async (name: string) => {
      const options = optionsOf<{ json?: boolean }>(command);
      const file = campaignFile(surroundings, name);
      await withSession(surroundings, options, async ({ call, terminal }) => {
        const { problems, runs, axes } = (await call('campaign.check', { campaign: file })).reply;
        terminal.endProgress();
        if (options.json === true) terminal.print(JSON.stringify(problems, null, 2));
        if (problems.length > 0) {
          throw new UnderstoryError('bad-input', `campaign '${name}' has problems`, { problems });
        }
        const varied = axes
          .map(({ name: axis, count }) => `${axis} ${countText(count)}`)
          .join(', ');
        terminal.say(`${name}: no problems; ${countText(runs ?? 0)} runs (${varied})`);
      });
      end(exitCodes.ok);
    });
}

interface PlanOptions extends SharedOptions {
  json?: boolean;
  limit?: number;
  on?: number;
  runsPerTask?: number;
}

function addPlan(campaign: Command, { surroundings, end }: CommandHost): void {
  const command = campaign
    .command('plan')
    .description('how many runs are new, and the time and disk space that they take')
    .argument(...campaignArgument)
    .option('--limit <n>', 'only the first n runs of the plan', parseNumber)
    .option('--on <cores>', 'with the schedule on so many cores of a cluster', parseNumber)
    .option(
      '--runs-per-task <n>',
      'with --on: as campaign slurm would submit them; default: as makes the schedule the shortest',
      parseNumber,
    )
    .option('--json', 'print the plan as JSON')
    .action(async (name: string) => {
      const options = optionsOf<PlanOptions>(command);
      await withSession(surroundings, options, async ({ call, terminal }) => {
        const { limit, on, runsPerTask } = options;
        if (on === undefined && runsPerTask !== undefined)
          throw new UnderstoryError('bad-input', '--runs-per-task needs --on');
        const file = campaignFile(surroundings, name);
        const ownStartS = surroundings.ageS?.() ?? 0;
        const found = await call('campaign.plan', { campaign: file, ...defined({ limit }) });
        const reply = withOwnStart(found.reply, ownStartS);
        const schedule =
          on === undefined
            ? null
            : await planSchedule({ call }, reply, { cores: on, runsPerTask }, ownStartS);
        terminal.endProgress();
        const shown = { ...reply, ...(schedule !== null && { schedule }) };
        const own = schedule === null ? [] : ['', ...scheduleLines(schedule)];
        const lines =
          options.json === true ? [JSON.stringify(shown, null, 2)] : [...planLines(reply), ...own];
        for (const line of lines) terminal.print(line);
      });
      end(exitCodes.ok);
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

/** '45 s', '12.3 min', '2.1 h'. */
function durationText(seconds: number): string {
  if (seconds < 120) return `${numberText(Number(seconds.toPrecision(2)))} s`;
  if (seconds < 7200) return `${(seconds / 60).toFixed(1)} min`;
  return `${(seconds / 3600).toFixed(1)} h`;
}

function addList(campaign: Command, { surroundings, end }: CommandHost): void {
  const command = campaign
    .command('list')
    .description('the campaigns that come with Understory, and those of the data folder')
    .option('--json', 'print as JSON')
    .action(async () => {
      const options = optionsOf<{ json?: boolean }>(command);
      await withSession(surroundings, options, async ({ call, terminal }) => {
        const { reply } = await call('campaign.list', {});
        if (options.json === true) return terminal.print(JSON.stringify(reply, null, 2));
        const samples = reply.samples.map(({ id, description }) => ({
          id,
          state: '',
          description,
        }));
        const own = reply.campaigns.map(({ name, state, done, total, description }) => {
          return { id: name, state: `${state}, ${done} of ${total}`, description };
        });
        const names = new Set(own.map(({ id }) => id));
        const lines = tableLines(
          [...own, ...samples.filter(({ id }) => !names.has(id))],
          [
            { title: 'name', value: ({ id }) => id },
            { title: 'state', value: ({ state }) => state },
            { title: 'description', value: ({ description }) => description, maxLength: 100 },
          ],
        );
        for (const line of lines) terminal.print(line);
      });
      end(exitCodes.ok);
    });
}
