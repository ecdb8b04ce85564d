// Runs of a campaign that have ended, as measured costs: those of the present plan, and of the one before it where the
// file has changed.
import type { CostPoint } from '#domain/campaign/runCosts.ts';
import type { Catalogue } from '#services/ports/catalogue.ts';
import type { RunFolders } from '#services/ports/files.ts';
import type { LoadedCampaign } from './loadCampaign.ts';
import { plannedOf, type RunTerms } from './prepareRun.ts';

/** Runs that are looked at, evenly spread over those that have ended. */
const maxRuns = 500;

/** @param laneFactor from the wall time of a run to that which it takes of its process */
export function finishedPoints(
  { catalogue, folders }: { catalogue: Catalogue; folders: Pick<RunFolders, 'recordingBytes'> },
  { loaded, terms }: { loaded: LoadedCampaign; terms: RunTerms },
  laneFactor: number,
): CostPoint[] {
  const { campaign, file } = loaded;
  const row = catalogue.campaign(campaign.name);
  if (row === null || row.engine !== terms.engine || row.file !== file || row.isa !== terms.isa)
    return [];
  const seconds = campaign.limits.simSeconds ?? null;
  const done = catalogue.campaignRuns(row.key, { states: ['done'] });
  const stride = Math.max(1, Math.ceil(done.length / maxRuns));
  return done.flatMap((planned, index): CostPoint[] => {
    const { wallS, runId } = planned;
    if (index % stride !== 0 || wallS === null || runId === null) return [];
    const run = plannedOf(planned);
    const metrics = catalogue.run(runId)?.metrics ?? null;
    if (run.seconds !== seconds || metrics === null) return [];
    const buildS = metrics.buildSeconds ?? 0;
    return [
      {
        run,
        runS: Math.max(0, laneFactor * wallS - buildS),
        buildS: buildS > 0 ? buildS : null,
        bytes: campaign.save.recording ? (folders.recordingBytes(runId) ?? 0) : 0,
      },
    ];
  });
}
