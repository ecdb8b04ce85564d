// campaign.list, results, table, group and plot: what the catalogue has of campaigns, as tables and charts.
import type { Campaign } from '#contract/documents/campaign.ts';
import { badInput } from '#contract/errors.ts';
import type { CampaignState, ResultColumn } from '#contract/host/campaignMethods.ts';
import type { Replies, RequestOf } from '#contract/host/methods.ts';
import { groupResults, pairedDifferences } from '#domain/campaign/groupResults.ts';
import { compileMeasure } from '#domain/campaign/measures.ts';
import { heatMap, lineChart, withIntervals } from '#domain/campaign/resultChart.ts';
import { csvText } from '#domain/campaign/resultCsv.ts';
import { sortedRows } from '#domain/campaign/resultTable.ts';
import { readSamples } from '#services/documents/documentFiles.ts';
import type { Handlers } from '#services/handlers.ts';
import type { Catalogue } from '#services/ports/catalogue.ts';
import type { CampaignRow } from '#services/ports/campaigns.ts';
import type { Files, RunFolders } from '#services/ports/files.ts';
import type { ResultTables } from '#services/ports/resultTables.ts';
import type { RunLocks } from '#services/ports/runProcesses.ts';
import type { Timer } from '#services/ports/system.ts';
import { storedCampaign } from './loadCampaign.ts';
import { createStoredResults, type StoredResults } from './storedResults.ts';

type ResultHandlers = Pick<
  Handlers<'campaign'>,
  'campaign.list' | 'campaign.results' | 'campaign.table' | 'campaign.group' | 'campaign.plot'
>;

export interface ResultPorts {
  files: Files;
  catalogue: Catalogue;
  folders: RunFolders;
  locks: RunLocks;
  timer: Timer;
  tables: ResultTables;
}

/** The handlers. */
export function campaignResultHandlers(ports: ResultPorts): ResultHandlers {
  const { tables } = ports;
  const read = createStoredResults(ports);
  return {
    'campaign.list': async () => ({ reply: await listCampaigns(ports) }),
    'campaign.results': async (
      { campaign, sortBy, isDescending, limit, offset, ...choice },
      { signal },
    ) => {
      const row = await storedCampaign(ports, campaign);
      const { columns, rows } = await read(row, choice, signal);
      const sorted =
        sortBy === undefined
          ? isDescending
            ? rows.toReversed()
            : rows
          : sortedRows(rows, indexOf(columns, sortBy, 'sortBy'), isDescending);
      return {
        reply: { columns, rows: sorted.slice(offset, offset + limit), total: rows.length },
      };
    },
    'campaign.table': async ({ campaign, format, ...choice }, { signal }) => {
      const row = await storedCampaign(ports, campaign);
      const { columns, rows } = await read(row, choice, signal);
      const values = rows.map((each) => each.values);
      const bytes =
        format === 'parquet'
          ? await tables.parquet(columns, values)
          : new TextEncoder().encode(
              csvText(
                columns.map(({ name }) => name),
                values,
              ),
            );
      return { reply: { rows: rows.length }, columns: { bytes } };
    },
    'campaign.group': async (request, { signal }) => {
      const row = await storedCampaign(ports, request.campaign);
      return { reply: groupReply(await read(row, request, signal), request) };
    },
    'campaign.plot': async (request, { signal }) => {
      const row = await storedCampaign(ports, request.campaign);
      return { reply: { svg: await plotOf(await read(row, request, signal), request) } };
    },
  };
}

function groupReply(
  { campaign, columns, rows }: StoredResults,
  { by, measures: asked, level, compare }: RequestOf<'campaign.group'>,
): Replies['campaign.group'] {
  for (const [index, name] of by.entries()) expectAxis(columns, name, `by[${index}]`);
  const measures = asked ?? Object.keys(campaign.measures);
  for (const [index, name] of measures.entries())
    expectMeasure(campaign, name, `measures[${index}]`);
  const shares = measures.map((name) => ({ name, isShare: isShare(campaign, name) }));
  const grouping = { columns, rows, by, measures: shares, level };
  if (compare !== undefined) expectAxis(columns, compare, 'compare');
  const differences = compare === undefined ? [] : pairedDifferences(grouping, compare);
  return { by, measures, rows: groupResults(grouping), differences };
}

async function plotOf(
  { campaign, columns, rows }: StoredResults,
  { by, measure, level }: RequestOf<'campaign.plot'>,
): Promise<string> {
  for (const [index, name] of by.entries()) expectAxis(columns, name, `by[${index}]`);
  expectMeasure(campaign, measure, 'measure');
  const logAxes = logAxesOf(campaign);
  const groups = groupResults({
    ...{ columns, by, level },
    rows: withIntervals(columns, rows, by, logAxes),
    measures: [{ name: measure, isShare: isShare(campaign, measure) }],
  });
  const options = { measure, logAxes, level };
  const [first = '', second] = by;
  const chart =
    second === undefined
      ? lineChart(first, groups, options)
      : heatMap([first, second], groups, options);
  // Why only then: the library that draws would slow the start of every host.
  const { chartSvg } = await import('#domain/charts/chartSvg.ts');
  return chartSvg(chart);
}

/** Axes whose file says that they are logarithmic. */
function logAxesOf({ vary }: Campaign): Set<string> {
  const log = Object.entries(vary).filter(([, axis]) => 'range' in axis && axis.scale === 'log');
  return new Set(log.map(([name]) => name));
}

function isShare({ measures }: Campaign, name: string): boolean {
  return compileMeasure(measures[name] ?? '').isShare;
}

function indexOf(columns: readonly ResultColumn[], name: string, at: string): number {
  const index = columns.findIndex((column) => column.name === name);
  if (index >= 0) return index;
  const known = columns.map((column) => column.name).join(', ');
  throw badInput(at, `expected one of ${known}, found '${name}'`);
}

function expectAxis(columns: readonly ResultColumn[], name: string, at: string): void {
  const axes = columns.filter(({ kind }) => kind === 'axis');
  indexOf(axes, name, at);
}

function expectMeasure({ measures }: Campaign, name: string, at: string): void {
  if (Object.hasOwn(measures, name)) return;
  throw badInput(at, `expected one of ${Object.keys(measures).join(', ')}, found '${name}'`);
}

async function listCampaigns({
  files,
  catalogue,
  folders,
  locks,
}: ResultPorts): Promise<Replies['campaign.list']> {
  const samples = await readSamples(files, 'campaign');
  const stored = catalogue.campaigns().map((row) => {
    const counts = catalogue.campaignCounts(row.key);
    const isRunning = locks.isHeld(folders.campaignLockFile(row.name));
    const state: CampaignState = isRunning
      ? 'running'
      : counts.pending + counts.running > 0
        ? 'stopped'
        : 'finished';
    const { name, file, createdMs } = row;
    return { ...counts, name, file, state, createdMs, description: descriptionOf(row) };
  });
  return {
    samples: samples.map(({ id, file, value }) => ({ id, description: value.description, file })),
    campaigns: stored.toSorted((a, b) => b.createdMs - a.createdMs),
  };
}

function descriptionOf({ document }: CampaignRow): string {
  const { description } = JSON.parse(document) as Partial<Campaign>;
  return description ?? '';
}
