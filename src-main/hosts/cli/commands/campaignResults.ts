// `understory campaign results`: the table of a campaign, its groups and its chart.
import type { Command } from 'commander';
import { UnderstoryError } from '#contract/errors.ts';
import type { GroupStatistic } from '#contract/host/campaignMethods.ts';
import type { Replies } from '#contract/host/methods.ts';
import { csvText } from '#domain/campaign/resultCsv.ts';
import { countText } from '#domain/shared/formats.ts';
import { addAction, jsonText, type Given } from '../command.ts';
import { writeWhole } from '../files.ts';
import type { Session } from '../session.ts';
import { defined, type CommandHost } from './shared.ts';

type ResultGiven = Given<'campaign.results'>;

/** Adds the command. */
export function addCampaignResults(campaign: Command, host: CommandHost): void {
  const parts = { check: expectTogether };
  addAction(campaign, host, 'campaign.results', parts, async (session, given) => {
    const { plot, by } = given.options;
    if (plot !== undefined) await writePlot(session, given, plot);
    if (by === undefined) await printTable(session, given);
    else await printGroups(session, given, by);
  });
}

/** @throws 'bad-input' for options that need others */
function expectTogether({ request: { columns }, options, isJson }: ResultGiven): void {
  const { format, out, by, compare, plot } = options;
  const refuse = (message: string): never => {
    throw new UnderstoryError('bad-input', message);
  };
  if (format === 'parquet' && out === undefined) refuse('--format parquet needs --out FILE');
  if (format === 'parquet' && by !== undefined) refuse('groups are printed as CSV or JSON');
  if (columns !== undefined && by !== undefined) {
    refuse('--columns chooses columns of runs: groups have their own');
  }
  if (compare !== undefined && by === undefined) refuse('--compare needs --group-by');
  if (plot !== undefined && by === undefined) refuse('--plot needs --group-by with its axes');
  if (plot !== undefined && !/\.(svg|png)$/i.test(plot)) {
    refuse(`expected a file .svg or .png, found '${plot}'`);
  }
  if (isJson && out !== undefined) refuse('--json prints: it takes no --out');
}

async function printTable(
  { call, terminal, surroundings }: Session,
  { request, options: { format, out }, isJson }: ResultGiven,
): Promise<void> {
  if (isJson) {
    const { reply } = await call('campaign.results', { ...request, limit: maxRows });
    return terminal.print(jsonText(reply));
  }
  const { reply, columns: table } = await call('campaign.table', { ...request, format });
  const bytes = table?.['bytes'];
  if (!(bytes instanceof Uint8Array))
    throw new UnderstoryError('protocol', 'the table has no bytes');
  if (out === undefined) return surroundings.output.stdout(new TextDecoder().decode(bytes));
  writeWhole(out, bytes);
  terminal.say(`${countText(reply.rows)} rows in ${out}`);
}

const maxRows = 1_000_000;

async function printGroups(
  { call, terminal, surroundings }: Session,
  { request: { campaign, where }, options: { compare, out }, isJson }: ResultGiven,
  by: string[],
): Promise<void> {
  const asked = { campaign, by, ...defined({ compare, where }) };
  const { reply } = await call('campaign.group', asked);
  if (isJson) return terminal.print(jsonText(reply));
  const text = compare === undefined ? groupCsv(reply) : differenceCsv(reply, compare);
  if (out === undefined) return surroundings.output.stdout(text);
  writeWhole(out, text);
  terminal.say(`${countText(reply.rows.length)} groups in ${out}`);
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
  { request: { campaign, where }, options: { by = [], measure } }: ResultGiven,
  file: string,
): Promise<void> {
  const first = async (): Promise<string> => {
    const { columns } = (await call('campaign.results', { campaign, limit: 1 })).reply;
    return columns.find(({ kind }) => kind === 'measure')?.name ?? '';
  };
  const asked = { campaign, by, measure: measure ?? (await first()), ...defined({ where }) };
  const { svg } = (await call('campaign.plot', asked)).reply;
  if (file.toLowerCase().endsWith('.svg')) writeWhole(file, svg);
  else {
    // Why only then: the library that draws would slow the start of every command.
    const { pngOfSvg } = await import('../pictures/png.ts');
    writeWhole(file, pngOfSvg(svg));
  }
  terminal.say(file);
}
