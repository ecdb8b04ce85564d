// Results of a campaign of the data folder as a table: what the catalogue has of each planned run, in plan order.
import { badInput, UnderstoryError } from '#contract/errors.ts';
import { campaignSchema, type Campaign } from '#contract/documents/campaign.ts';
import { parseWith } from '#contract/documents/problems.ts';
import type { ResultColumn, ResultRow } from '#contract/host/campaignMethods.ts';
import { planRuns, type PlannedRun } from '#domain/campaign/planRuns.ts';
import { resultColumns, resultRow, rowCondition } from '#domain/campaign/resultTable.ts';
import type { CampaignCatalogue, CampaignRow } from '#services/ports/campaigns.ts';
import type { Timer } from '#services/ports/system.ts';

export interface StoredResults {
  campaign: Campaign;
  columns: ResultColumn[];
  rows: ResultRow[];
}

export interface ResultChoice {
  where?: string | undefined;
  hasTiming?: boolean;
  hasPending?: boolean;
}

/** Rows that are read before others get their turn: some milliseconds. */
const rowsAtOnce = 500;

/** Reads results; the plans of the last few campaigns are kept. */
export function createStoredResults(ports: {
  catalogue: CampaignCatalogue;
  timer: Timer;
}): (row: CampaignRow, choice: ResultChoice, signal: AbortSignal) => Promise<StoredResults> {
  const { catalogue, timer } = ports;
  const plans = new Map<string, { campaign: Campaign; runs: PlannedRun[] }>();
  return async (row, { where, hasTiming = false, hasPending = false }, signal) => {
    const { campaign, runs } = planOf(row);
    const columns = resultColumns(campaign, runs, hasTiming);
    const condition = where === undefined ? null : conditionOf(where, columns);
    const rows: ResultRow[] = [];
    for (let from = 0; from < runs.length; from += rowsAtOnce) {
      for (const result of catalogue.campaignRuns(row.key, {
        fromIndex: from,
        limit: rowsAtOnce,
      })) {
        const planned = runs[result.planIndex];
        const hasEnded = result.state === 'done' || result.state === 'failed';
        if (planned === undefined || !(hasPending || hasEnded)) continue;
        const made = resultRow(columns, planned, result);
        if (condition === null || condition(made)) rows.push(made);
      }
      await timer.pause(0, signal);
    }
    return { campaign, columns, rows };
  };

  function planOf(row: CampaignRow): { campaign: Campaign; runs: PlannedRun[] } {
    const key = `${row.name} ${row.fileHash}`;
    const known = plans.get(key);
    if (known !== undefined) return known;
    const { value: campaign } = parseWith(campaignSchema, JSON.parse(row.document));
    if (campaign === null) {
      const message = `the catalogue's campaign '${row.name}' is of another version of Understory`;
      throw new UnderstoryError('unsupported', message, { name: row.name });
    }
    const plan = { campaign, runs: planRuns(campaign) };
    const [oldest] = plans.keys();
    if (plans.size >= maxPlans && oldest !== undefined) plans.delete(oldest);
    plans.set(key, plan);
    return plan;
  }
}

const maxPlans = 3;

/** @throws 'bad-input' at `where` */
function conditionOf(text: string, columns: readonly ResultColumn[]): (row: ResultRow) => boolean {
  const { value, problem } = rowCondition(text, columns);
  if (value !== null) return value;
  throw badInput('where', problem, {
    code: 'expression',
    title: `the condition '${text}' was refused`,
  });
}
