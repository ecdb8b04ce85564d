// campaign.list, results, table, group and plot: what the catalogue has of campaigns, as tables and charts.
import type { Campaign } from '#contract/documents/campaign.ts';
import { badInput } from '#contract/errors.ts';
import type {
  CampaignState,
  ResultColumn,
  ResultRow,
  ResultValue,
} from '#contract/host/campaignMethods.ts';
import type { Replies, RequestOf } from '#contract/host/methods.ts';
import { groupResults, pairedDifferences } from '#domain/campaign/groupResults.ts';
import { compileMeasure } from '#domain/campaign/measures.ts';
import { heatMap, lineChart, withIntervals } from '#domain/campaign/resultChart.ts';
import { csvText } from '#domain/campaign/resultCsv.ts';
import { sortedRows } from '#domain/campaign/resultTable.ts';
import type { Chart } from '#domain/charts/chart.ts';
import type { Steps } from '#domain/shared/steps.ts';
import { readSamples } from '#services/documents/documentFiles.ts';
import type { Handlers } from '#services/handlers.ts';
import type { Catalogue } from '#services/ports/catalogue.ts';
import type { CampaignRow } from '#services/ports/campaigns.ts';
import type { Files, RunFolders } from '#services/ports/files.ts';
import type { ResultTables } from '#services/ports/resultTables.ts';
import type { RunLocks } from '#services/ports/runProcesses.ts';
import type { Timer } from '#services/ports/system.ts';
import { runYielding } from '#services/yielding.ts';
import { changedInputs } from './fileSnapshot.ts';
import { hashOfCampaign, storedCampaign } from './loadCampaign.ts';
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
  const { tables, timer } = ports;
  const read = createStoredResults(ports);
  return {
    'campaign.list': async () => ({ reply: await listCampaigns(ports) }),
    'campaign.results': async (
      { campaign, sortBy, isDescending, limit, offset, columns: names, ...choice },
      { signal },
    ) => {
      const row = await storedCampaign(ports, campaign);
      const { columns, rows } = await read(row, choice, signal);
      const shown = shownColumns(columns, names);
      const sorted =
        sortBy === undefined
          ? isDescending
            ? rows.toReversed()
            : rows
          : sortedRows(rows, indexOf(columns, sortBy, 'sortBy'), isDescending);
      const page = sorted.slice(offset, offset + limit).map((each) => {
        return { ...each, values: shown.valuesOf(each) };
      });
      const { length: total } = rows;
      return { reply: { columns: shown.columns, available: columns, rows: page, total } };
    },
    'campaign.table': async ({ campaign, format, columns: names, ...choice }, { signal }) => {
      const row = await storedCampaign(ports, campaign);
      const { columns: all, rows } = await read(row, choice, signal);
      const { columns, valuesOf } = shownColumns(all, names);
      const values = rows.map(valuesOf);
      const bytes =
        format === 'parquet'
          ? await tables.parquet(columns, values)
          : new TextEncoder().encode(await runYielding(timer, csvOf(columns, values), signal));
      return { reply: { rows: rows.length }, columns: { bytes } };
    },
    'campaign.group': async (request, { signal }) => {
      const row = await storedCampaign(ports, request.campaign);
      const stored = await read(row, request, signal);
      return { reply: await runYielding(timer, groupReply(stored, request), signal) };
    },
    'campaign.plot': async (request, { signal }) => {
      const row = await storedCampaign(ports, request.campaign);
      const chart = plotOf(await read(row, request, signal), request);
      // Why only then: the library that draws would slow the start of every host.
      const { chartSvg } = await import('#domain/charts/chartSvg.ts');
      return { reply: { svg: chartSvg(await runYielding(timer, chart, signal)) } };
    },
  };
}

/** The columns that are asked for, in that order, and their values of a row; `names` left out: all. @throws 'bad-input' */
function shownColumns(
  columns: readonly ResultColumn[],
  names?: readonly string[],
): { columns: ResultColumn[]; valuesOf: (row: ResultRow) => ResultValue[] } {
  if (names === undefined) return { columns: [...columns], valuesOf: ({ values }) => values };
  const indices = names.map((name, at) => indexOf(columns, name, `columns[${at}]`));
  return {
    columns: indices.flatMap((index) => columns[index] ?? []),
    valuesOf: ({ values }) => indices.map((index) => values[index] ?? null),
  };
}

/** Rows of a table that are written in one step, and what a value costs. */
const [rowsOfStep, cellCost] = [1000, 400];

function* csvOf(
  columns: readonly ResultColumn[],
  values: readonly (readonly ResultValue[])[],
): Steps<string> {
  let text = csvText([columns.map(({ name }) => name)]);
  for (let from = 0; from < values.length; from += rowsOfStep) {
    text += csvText(values.slice(from, from + rowsOfStep));
    yield rowsOfStep * columns.length * cellCost;
  }
  return text;
}

function* groupReply(
  { campaign, columns, rows }: StoredResults,
  { by, measures: asked, level, compare }: RequestOf<'campaign.group'>,
): Steps<Replies['campaign.group']> {
  for (const [index, name] of by.entries()) expectAxis(columns, name, `by[${index}]`);
  const measures = asked ?? Object.keys(campaign.measures);
  for (const [index, name] of measures.entries())
    expectMeasure(campaign, name, `measures[${index}]`);
  const shares = measures.map((name) => ({ name, isShare: isShare(campaign, name) }));
  const grouping = { columns, rows, by, measures: shares, level };
  if (compare !== undefined) expectAxis(columns, compare, 'compare');
  const differences = compare === undefined ? [] : yield* pairedDifferences(grouping, compare);
  return { by, measures, rows: yield* groupResults(grouping), differences };
}

function* plotOf(
  { campaign, columns, rows }: StoredResults,
  { by, measure, level }: RequestOf<'campaign.plot'>,
): Steps<Chart> {
  for (const [index, name] of by.entries()) expectAxis(columns, name, `by[${index}]`);
  expectMeasure(campaign, measure, 'measure');
  const logAxes = logAxesOf(campaign);
  const groups = yield* groupResults({
    columns,
    by,
    level,
    rows: withIntervals(columns, rows, by, logAxes),
    measures: [{ name: measure, isShare: isShare(campaign, measure) }],
  });
  const options = { measure, logAxes, level };
  const [first = '', second] = by;
  return second === undefined
    ? lineChart(first, groups, options)
    : heatMap([first, second], groups, options);
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
  const stored = catalogue.campaigns().map(async (row) => {
    const counts = catalogue.campaignCounts(row.key);
    const isRunning = locks.isHeld(folders.campaignLockFile(row.name));
    const state: CampaignState = isRunning
      ? 'running'
      : counts.pending + counts.running > 0
        ? 'stopped'
        : 'finished';
    const { name, file, createdMs } = row;
    const hasChanged = await hasFileChanged(files, row);
    return { ...counts, name, file, state, hasChanged, createdMs, description: descriptionOf(row) };
  });
  return {
    samples: samples.map(({ id, file, value }) => ({ id, description: value.description, file })),
    campaigns: (await Promise.all(stored)).toSorted((a, b) => b.createdMs - a.createdMs),
  };
}

/** Files that are gone say nothing: the campaign goes by what the catalogue has. */
async function hasFileChanged(
  files: Files,
  { file, fileHash, inputs }: CampaignRow,
): Promise<boolean> {
  const hash = await files.readText(file).then(hashOfCampaign, () => fileHash);
  return hash !== fileHash || (await changedInputs(files, inputs)).length > 0;
}

function descriptionOf({ document }: CampaignRow): string {
  const { description } = JSON.parse(document) as Partial<Campaign>;
  return description ?? '';
}
