// campaign.run, status, watch, stop and retry. A campaign is executed by the host that was asked for it; others
// read its state from the catalogue.
import type { CampaignState, CampaignStatus } from '#contract/host/campaignMethods.ts';
import type { HandlerContext, Handlers } from '#services/handlers.ts';
import type { CampaignRow } from '#services/ports/campaigns.ts';
import { createCampaignCounter } from './campaignCounter.ts';
import { followLive, startLiveCampaign, type LiveCampaign } from './liveCampaign.ts';
import { loadCampaign, storedCampaign } from './loadCampaign.ts';
import { runCampaign, type RunCampaignPorts } from './runCampaign.ts';

type RunHandlers = Pick<
  Handlers<'campaign'>,
  'campaign.run' | 'campaign.status' | 'campaign.watch' | 'campaign.stop' | 'campaign.retry'
>;

/** Between two looks at a campaign of another host. */
const lookS = 1;

/** Failures that a status lists. */
const listedFailures = 100;

/** The handlers; what ends the campaigns under way and waits for their end. */
export function campaignRunHandlers(ports: RunCampaignPorts): {
  handlers: RunHandlers;
  stopAll(): Promise<void>;
} {
  const { catalogue, clock, folders, locks, timer } = ports;
  const live = new Map<string, LiveCampaign>();
  const handlers: RunHandlers = {
    'campaign.run': async (request, context) => {
      const { campaign: name, text, limit, jobs, isDetached, indices, share } = request;
      const loaded = await loadCampaign(ports, name, text);
      const campaign = startLiveCampaign(live, loaded.campaign.name, (stop, onProgress) =>
        runCampaign(ports, {
          loaded,
          limit: limit ?? Infinity,
          jobs: jobs ?? null,
          indices: indices ?? null,
          share:
            share === undefined
              ? null
              : {
                  results: ports.openSharedResults(share.folder),
                  isCollecting: share.isCollecting,
                  isRetrying: share.isRetrying,
                  engine: share.engine ?? null,
                },
          signal: isDetached ? stop : AbortSignal.any([stop, context.signal]),
          onProgress,
        }),
      );
      await followLive(timer, campaign, context);
      const { doneNow, reusedNow, failedNow, pendingNow, notices } = await campaign.done;
      const row = await storedCampaign(ports, loaded.campaign.name);
      const now = { doneNow, reusedNow, failedNow, pendingNow };
      return { reply: { ...statusOf(row), ...now, notices } };
    },
    'campaign.status': async ({ campaign }) => {
      return { reply: statusOf(await storedCampaign(ports, campaign)) };
    },
    'campaign.watch': async ({ campaign }, context) => {
      const row = await storedCampaign(ports, campaign);
      const own = live.get(row.name);
      if (own !== undefined) await followLive(timer, own, context);
      else await followOther(row, context);
      return { reply: statusOf(row) };
    },
    'campaign.stop': async ({ campaign }) => {
      const row = await storedCampaign(ports, campaign);
      const stopped = isRunning(row.name);
      live.get(row.name)?.stop.abort();
      if (stopped) catalogue.setStopping(row.key, true);
      return { reply: { stopped } };
    },
    'campaign.retry': async ({ campaign, indices }) => {
      const { key } = await storedCampaign(ports, campaign);
      return { reply: { pending: catalogue.resetFailed(key, indices) } };
    },
  };
  return { handlers, stopAll };

  /** The same for a campaign that another process executes. */
  async function followOther(row: CampaignRow, { chunk, signal }: HandlerContext): Promise<void> {
    const counts = catalogue.campaignCounts(row.key);
    const counter = createCampaignCounter(clock, counts, counts.pending, () => undefined);
    while (!signal.aborted && isRunning(row.name)) {
      const now = catalogue.campaignCounts(row.key);
      const ended = counts.pending + counts.running - now.pending - now.running;
      await chunk({ ...counter.progress(), ...now, ended }, {});
      await timer.pause(lookS, signal);
    }
  }

  function isRunning(name: string): boolean {
    return live.has(name) || locks.isHeld(folders.campaignLockFile(name));
  }

  function statusOf(row: CampaignRow): CampaignStatus {
    const { key, name, isa, engine, startedMs } = row;
    const isLive = isRunning(name);
    const found = catalogue.campaignCounts(key);
    // Why: a killed process leaves runs that count as running.
    const counts = isLive
      ? found
      : { ...found, running: 0, pending: found.pending + found.running };
    const failed = catalogue.campaignRuns(key, { states: ['failed'], limit: listedFailures });
    const failures = failed.map(({ planIndex, runId, error }) => {
      return { index: planIndex, runId, error: error ?? '' };
    });
    const state: CampaignState = isLive ? 'running' : counts.pending > 0 ? 'stopped' : 'finished';
    return { ...counts, name, state, isa, engine, startedMs, failures };
  }

  async function stopAll(): Promise<void> {
    const all = [...live.values()];
    for (const { stop } of all) stop.abort();
    await Promise.allSettled(all.map(({ done }) => done));
  }
}
