// The list of campaigns: those of the data folder, newest first, files that were saved here, then samples.
import type {
  CampaignCounts,
  CampaignProgress,
  CampaignState,
} from '#contract/host/campaignMethods.ts';
import type { Replies } from '#contract/host/methods.ts';
import { nameOfFile } from './newCampaign.ts';

export interface CampaignRow {
  name: string;
  description: string;
  /** Null: it was never started in this data folder. */
  state: CampaignState | null;
  counts: CampaignCounts | null;
  /** Runs may be missing that the counts do not have: a file says something else than when they were planned. */
  hasChanged: boolean;
  /** Id of a sample, or a file. */
  document: string;
  isSample: boolean;
}

/** `progress`: of the campaigns that are executed now, newer than the list. `files`: saved here, absolute. */
export function campaignRows(
  list: Replies['campaign.list'] | null,
  progress: ReadonlyMap<string, CampaignProgress>,
  files: readonly string[],
): CampaignRow[] {
  if (list === null) return [];
  const idOf = (file: string): string | null =>
    list.samples.find((sample) => sample.file === file)?.id ?? null;
  const planned = list.campaigns.map(
    ({ name, description, state, file, hasChanged, ...counts }) => ({
      name,
      description,
      hasChanged,
      state: progress.has(name) ? ('running' as const) : state,
      counts: progress.get(name) ?? counts,
      document: idOf(file) ?? file,
      isSample: idOf(file) !== null,
    }),
  );
  const isNew = (name: string): boolean => !planned.some((row) => row.name === name);
  const never = { state: null, counts: null, hasChanged: false };
  const saved = files
    .map((file) => ({ ...never, name: nameOfFile(file), document: file }))
    .filter(({ name }) => isNew(name))
    .map((row) => ({ ...row, description: row.document, isSample: false }));
  const samples = list.samples
    .filter(({ id }) => isNew(id))
    .map(({ id, description }) => ({
      ...never,
      name: id,
      description,
      document: id,
      isSample: true,
    }));
  return [...planned, ...saved, ...samples];
}

/** Shares of the runs that have ended, 0 to 1. */
export function endedShares({ total, done, failed }: CampaignCounts): {
  done: number;
  failed: number;
} {
  return total === 0 ? { done: 0, failed: 0 } : { done: done / total, failed: failed / total };
}

/** '6 failed' of a finished campaign; null: none failed, or runs are missing. */
export function failedText({
  state,
  counts,
}: Pick<CampaignRow, 'state' | 'counts'>): string | null {
  const failed = counts?.failed ?? 0;
  return state === 'finished' && failed > 0 ? `${failed} failed` : null;
}

/** '120 of 200 done, 3 failed'. */
export function countsText({ total, done, failed }: CampaignCounts): string {
  const failures = failed === 0 ? '' : `, ${failed} failed`;
  return `${done} of ${total} done${failures}`;
}
