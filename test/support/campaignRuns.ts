// Runs of campaigns, as the catalogue of a data folder has them while other processes execute them.
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { openCatalogue } from '#catalogue/catalogue.ts';
import type { CampaignRunRow } from '#services/ports/campaigns.ts';
import type { Catalogue } from '#services/ports/catalogue.ts';
import type { Started } from '#test/support/commandLine.ts';

/** The catalogue of the data folder in `folder`. */
export function withCatalogue<T>(folder: string, work: (catalogue: Catalogue) => T): T {
  const catalogue = openCatalogue(join(folder, 'data', 'catalogue.sqlite'));
  try {
    return work(catalogue);
  } finally {
    catalogue.dispose();
  }
}

/** In plan order; none where there is no such campaign yet. */
export function campaignRowsOf(folder: string, name: string): CampaignRunRow[] {
  return withCatalogue(folder, (catalogue) => {
    const row = catalogue.campaign(name);
    return row === null ? [] : catalogue.campaignRuns(row.key);
  });
}

/** Resolves when so many runs are done; rejects with what the process that executes them wrote, where it ends before. */
export async function untilDone(
  { child, finished }: Started,
  folder: string,
  runs: number,
  name: string,
): Promise<void> {
  const done = (): number =>
    campaignRowsOf(folder, name).filter(({ state }) => state === 'done').length;
  while (child.exitCode === null && done() < runs) await setTimeout(20);
  if (done() < runs) throw new Error(`it ended with ${done()} runs: ${(await finished).stderr}`);
}
