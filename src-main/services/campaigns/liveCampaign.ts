// A campaign that this host executes, and those who follow it: each gets the newest progress, never a queue.
import type { CampaignProgress } from '#contract/host/campaignMethods.ts';
import type { HandlerContext } from '#services/handlers.ts';
import type { Timer } from '#services/ports/system.ts';
import type { CampaignEnd } from './runCampaign.ts';

export interface LiveCampaign {
  stop: AbortController;
  done: Promise<CampaignEnd>;
  latest: CampaignProgress | null;
  watchers: Set<() => void>;
}

/** Between two messages about progress. */
const progressS = 0.25;

/** Starts `execute`; the campaign is in `live` from its first progress to its end. */
export function startLiveCampaign(
  live: Map<string, LiveCampaign>,
  name: string,
  execute: (
    stop: AbortSignal,
    onProgress: (progress: CampaignProgress) => void,
  ) => Promise<CampaignEnd>,
): LiveCampaign {
  const stop = new AbortController();
  const watchers = new Set<() => void>();
  const wakeAll = (): void => {
    for (const wake of [...watchers]) wake();
  };
  const started: Omit<LiveCampaign, 'done'> = { stop, watchers, latest: null };
  const done = execute(stop.signal, (progress) => {
    campaign.latest = progress;
    // Why here: before, another may be the one that holds the lock.
    live.set(name, campaign);
    wakeAll();
  }).finally(() => {
    if (live.get(name) === campaign) live.delete(name);
    wakeAll();
  });
  const campaign: LiveCampaign = Object.assign(started, { done });
  // Those who follow it await it.
  done.catch(() => undefined);
  return campaign;
}

/** Sends progress until the campaign has ended or the caller is gone. */
export async function followLive(
  timer: Timer,
  campaign: LiveCampaign,
  { chunk, signal }: HandlerContext,
): Promise<void> {
  let isOver = false;
  const end = (): void => void (isOver = true);
  void campaign.done.then(end, end);
  let sent: CampaignProgress | null = null;
  for (;;) {
    const { latest } = campaign;
    if (latest !== null && latest !== sent && !signal.aborted) await chunk(latest, {});
    sent = latest;
    if (isOver || signal.aborted) return;
    await changed(campaign, sent);
    if (!isOver) await timer.pause(progressS, signal);
  }
}

/** Resolves at the next change. */
function changed(campaign: LiveCampaign, sent: CampaignProgress | null): Promise<void> {
  return new Promise((resolve) => {
    const wake = (): void => {
      campaign.watchers.delete(wake);
      resolve();
    };
    campaign.watchers.add(wake);
    if (campaign.latest !== sent) wake();
    void campaign.done.then(wake, wake);
  });
}
