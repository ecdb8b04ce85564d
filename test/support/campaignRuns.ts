// Runs of campaigns, as the catalogue of a data folder has them while other processes execute them.
import { join } from 'node:path';
import { expect, vi } from 'vitest';
import { openCatalogue } from '#catalogue/catalogue.ts';
import type { CampaignRunRow } from '#services/ports/campaigns.ts';
import type { Catalogue } from '#services/ports/catalogue.ts';

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

/** Resolves when so many runs are done. */
export async function untilDone(folder: string, runs: number, name: string): Promise<void> {
  const isDone = ({ state }: CampaignRunRow): boolean => state === 'done';
  const limits = { timeout: 120_000, interval: 20 };
  await vi.waitFor(() => {
    expect(campaignRowsOf(folder, name).filter(isDone).length).toBeGreaterThanOrEqual(runs);
  }, limits);
}
