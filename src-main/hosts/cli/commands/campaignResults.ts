// `understory campaign results`: the table of a campaign, its groups and its chart.
import { Option, type Command } from 'commander';
import { UnderstoryError } from '#contract/errors.ts';
import type { GroupStatistic } from '#contract/host/campaignMethods.ts';
import type { Replies } from '#contract/host/methods.ts';
import { csvText } from '#domain/campaign/resultCsv.ts';
import { countText } from '#domain/shared/formats.ts';
import { parseList } from '../arguments.ts';
import { exitCodes } from '../exitCodes.ts';
import { prepareFile, writeWhole } from '../files.ts';
import { withSession, type Session, type SharedOptions } from '../session.ts';
import { campaignFile } from './campaignFile.ts';
import { defined, optionsOf, type CommandHost } from './shared.ts';

interface ResultOptions extends SharedOptions {
  format: 'csv' | 'parquet';
  out?: string;
  groupBy?: string[];
  compare?: string;
  columns?: string[];
  where?: string;
  timing?: boolean;
  plot?: string;
  measure?: string;
  force?: boolean;
  json?: boolean;
}

/** Adds the command. */
export function addCampaignResults(campaign: Command, host: CommandHost): void {
  const { surroundings, end } = host;
  const command = campaign
    .command('results')
    .description('one row for each run that has ended, in plan order: simulated quantities only')
    .argument('<campaign>', 'name of a campaign in the data folder, or its file')
    .addOption(new Option('--format <format>').choices(['csv', 'parquet']).default('csv'))
    .option('--out <file>', 'the file to write; default: stdout')
    .option('--columns <a,b>', 'only these columns, in this order', parseList)
    .option('--where <condition>', 'only rows for which it is true: "density > 200 and goal = 1"')
    .option('--timing', 'with wall time, host and attempts of each run')
    .option('--group-by <a,b>', 'means and shares by these axes, with 95 % intervals', parseList)
    .option('--compare <axis>', 'with --group-by: differences from the first value, paired by seed')
    .option('--plot <file>', 'a chart of --group-by with one or two axes, .svg or .png')
    .option('--measure <name>', 'of the chart; default: the first')
    .option('--force', 'replace an existing file')
    .option('--json', 'print as JSON')
    .action(async (name: string) => {
      const options = optionsOf<ResultOptions>(command);
      expectTogether(options);
      const { out, plot } = options;
      const files = {
        out: out === undefined ? null : prepareFile(surroundings, out, options),
        plot: plot === undefined ? null : prepareFile(surroundings, plot, options),
      };
      await withSession(surroundings, options, async (session) => {
        const named = campaignFile(surroundings, name);
        if (files.plot !== null) await writePlot(session, named, options, files.plot);
        if (options.groupBy !== undefined) await printGroups(session, named, options, files.out);
        else await printTable(session, named, options, files.out);
      });
      end(exitCodes.ok);
    });
}

/** @throws 'bad-input' for options that need others */
function expectTogether(options: ResultOptions): void {
  const { format, out, columns, groupBy, compare, plot, json } = options;
  const refuse = (message: string): never => {
    throw new UnderstoryError('bad-input', message);
  };
  if (format === 'parquet' && out === undefined) refuse('--format parquet needs --out FILE');
  if (format === 'parquet' && groupBy !== undefined) refuse('groups are printed as CSV or JSON');
  if (columns !== undefined && groupBy !== undefined) {
    refuse('--columns chooses columns of runs: groups have their own');
  }
  if (compare !== undefined && groupBy === undefined) refuse('--compare needs --group-by');
  if (plot !== undefined && groupBy === undefined) refuse('--plot needs --group-by with its axes');
  if (plot !== undefined && !/\.(svg|png)$/i.test(plot)) {
    refuse(`expected a file .svg or .png, found '${plot}'`);
  }
  if (json === true && out !== undefined) refuse('--json prints: it takes no --out');
}

async function printTable(
  { call, terminal, surroundings }: Session,
  campaign: string,
  { format, columns, where, timing: hasTiming = false, json }: ResultOptions,
  file: string | null,
): Promise<void> {
  const choice = { campaign, hasTiming, ...defined({ where, columns }) };
  if (json === true) {
    const { reply } = await call('campaign.results', { ...choice, limit: maxRows });
    return terminal.print(JSON.stringify(reply, null, 2));
  }
  const { reply, columns: table } = await call('campaign.table', { ...choice, format });
  const bytes = table?.['bytes'];
  if (!(bytes instanceof Uint8Array))
    throw new UnderstoryError('protocol', 'the table has no bytes');
  if (file === null) return surroundings.output.stdout(new TextDecoder().decode(bytes));
  writeWhole(file, bytes);
  terminal.say(`${countText(reply.rows)} rows in ${file}`);
}

const maxRows = 1_000_000;

async function printGroups(
  { call, terminal, surroundings }: Session,
  campaign: string,
  { groupBy = [], compare, where, json }: ResultOptions,
  file: string | null,
): Promise<void> {
  const asked = { campaign, by: groupBy, ...defined({ compare, where }) };
  const { reply } = await call('campaign.group', asked);
  if (json === true) return terminal.print(JSON.stringify(reply, null, 2));
  const text = compare === undefined ? groupCsv(reply) : differenceCsv(reply, compare);
  if (file === null) return surroundings.output.stdout(text);
  writeWhole(file, text);
  terminal.say(`${countText(reply.rows.length)} groups in ${file}`);
}

/** Names of `statisticCells`, measure by measure. */
function statisticNames(measures: readonly string[]): string[] {
  return measures.flatMap((name) => [name, `${name}_low`, `${name}_high`, `${name}_n`]);
}

/** Why with n: runs that failed, or that a measure says nothing about, are no part of its mean. */
function statisticCells(statistics: readonly GroupStatistic[]): (number | null)[] {
  return statistics.flatMap(({ mean, low, high, n }) => [mean, low, high, n]);
}

function groupCsv({ by, measures, rows }: Replies['campaign.group']): string {
  return csvText([
    [...by, 'runs', ...statisticNames(measures)],
    ...rows.map(({ key, runs, statistics }) => [...key, runs, ...statisticCells(statistics)]),
  ]);
}

function differenceCsv(
  { by, measures, differences }: Replies['campaign.group'],
  compare: string,
): string {
  return csvText([
    [
      ...by.filter((name) => name !== compare),
      compare,
      'against',
      'pairs',
      ...statisticNames(measures),
    ],
    ...differences.map(({ key, value, against, statistics }) => [
      ...key,
      value,
      against,
      Math.max(0, ...statistics.map(({ n }) => n)),
      ...statisticCells(statistics),
    ]),
  ]);
}

async function writePlot(
  { call, terminal }: Session,
  campaign: string,
  { groupBy = [], measure, where }: ResultOptions,
  file: string,
): Promise<void> {
  const first = async (): Promise<string> => {
    const { columns } = (await call('campaign.results', { campaign, limit: 1 })).reply;
    return columns.find(({ kind }) => kind === 'measure')?.name ?? '';
  };
  const asked = {
    campaign,
    by: groupBy,
    measure: measure ?? (await first()),
    ...defined({ where }),
  };
  const { svg } = (await call('campaign.plot', asked)).reply;
  if (file.toLowerCase().endsWith('.svg')) writeWhole(file, svg);
  else {
    // Why only then: the library that draws would slow the start of every command.
    const { pngOfSvg } = await import('../pictures/png.ts');
    writeWhole(file, pngOfSvg(svg));
  }
  terminal.say(file);
}
