// A run that is watched. Its state is reactive; its clouds and maps are not: they go straight to the view that
// subscribed, each when the one before is on screen.
import { shallowReactive } from 'vue';
import type { Columns } from '#contract/columns.ts';
import { isCancelled } from '#contract/errors.ts';
import type { Replies } from '#contract/host/methods.ts';
import type { RunDetails } from '#contract/host/runMethods.ts';
import type { RunView, TickRecord } from '#contract/host/run.ts';
import type { Progress } from '#contract/worker/worker.ts';
import type { Client } from '#renderer/client/client.ts';
import type { RunDisplay } from '#renderer/logic/cloud/runDisplay.ts';
import { costAt, costMapTimeS, type CostView } from '#renderer/logic/drive/costViews.ts';
import { sentenceOf } from '#renderer/logic/problems.ts';
import { readCostView } from './costView.ts';
import { createViewDisplays } from './viewDisplays.ts';

/** 'opening': asked for, nothing has come yet. */
export type WatchState = 'opening' | 'live' | 'ended' | 'failed';

export interface WatchedRun {
  readonly runId: string;
  state: WatchState;
  /** The newest; null before the first. */
  view: RunView | null;
  /** The tick that is shown last; of a run that had ended when it was opened, its last. */
  lastTick: TickRecord | null;
  progress: Progress | null;
  ending: Replies['drive.watch'] | null;
  details: RunDetails | null;
  error: string | null;
  isStopping: boolean;
  /** Cost of the cell below the vehicle; null: not seen. */
  costHere: number | null;
  /** The cost map at 10 s; null: the run has not come so far. */
  costMap: CostView | null;
}

export interface DriveWatch {
  readonly run: WatchedRun;
  /** The newest view comes at once, and then what was before it. Returns what ends the subscription. */
  subscribe(display: RunDisplay): () => void;
  /** The displays have dropped their points: the newest view and the history come again. */
  sendAgain(): void;
  /** Follows the run again, after the connection was lost. */
  follow(): void;
  readDetails(): void;
  dispose(): void;
}

/** Between two reads of the map at 10 s, where the recording does not hold it yet. */
const costMapRetryMs = 500;

/**
 * Views come no slower than this, however slowly they are drawn. Why not more often: each costs its metrics a new frame of the
 * page, which on a machine without a graphics card is as much as the drive can spare. By hand one has to see.
 */
const [slowViewMs, handViewMs] = [1000, 250];

/** Follows a run to its end; one that has ended gives its metrics and its last instant. */
export function createDriveWatch(
  client: Client,
  runId: string,
  budgetPoints: { view: number; screen: () => number },
): DriveWatch {
  const maxPoints = budgetPoints.view;
  const run = shallowReactive<WatchedRun>({
    runId,
    state: 'opening',
    view: null,
    lastTick: null,
    progress: null,
    ending: null,
    details: null,
    error: null,
    isStopping: false,
    costHere: null,
    costMap: null,
  });
  const displays = createViewDisplays(client, runId, budgetPoints.screen);
  let following = new AbortController();
  let isDisposed = false;
  let nextReadMs = 0;
  /** The reading of the cost map that is under way. */
  let costMapRead: Promise<void> | null = null;
  void follow();
  void readDetails();
  return {
    run,
    subscribe: displays.subscribe,
    sendAgain: displays.sendAgain,
    follow: () => void follow(),
    readDetails: () => void readDetails(),
    dispose() {
      isDisposed = true;
      following.abort();
      displays.dispose();
    },
  };

  async function follow(): Promise<void> {
    following.abort();
    const controller = new AbortController();
    following = controller;
    run.state = 'opening';
    run.error = null;
    displays.restart();
    try {
      const ending = await client.call(
        'drive.watch',
        { runId, maxPoints },
        {
          signal: controller.signal,
          onProgress: (next) => (run.progress = next),
          onChunk: async (body, columns) => {
            if (following === controller) apply(body as RunView, columns);
            await displays.drawn(run.view?.control === 'hand' ? handViewMs : slowViewMs);
          },
        },
      );
      if (following !== controller || isDisposed) return;
      run.ending = ending;
      run.state = 'ended';
      run.progress = null;
      run.isStopping = false;
      if (displays.latest() === null) await showLast();
      // Why: one that a view began may have come before the recording held the map.
      await costMapRead;
      await readCostMap();
    } catch (failure) {
      if (following !== controller || isDisposed || isCancelled(failure)) return;
      run.error = sentenceOf(failure);
      run.state = 'failed';
      run.isStopping = false;
    }
  }

  function apply(view: RunView, columns: Columns): void {
    run.state = 'live';
    run.progress = null;
    run.view = view;
    run.lastTick = view.tick;
    displays.show(view, columns);
    const { cost } = displays.latest()?.columns ?? {};
    if (cost instanceof Uint8Array) {
      run.costHere = costAt(view.map, cost, view.tick.truth.positionM);
    }
    if (view.tick.timeNs < costMapTimeS * 1e9 || performance.now() < nextReadMs) return;
    nextReadMs = performance.now() + costMapRetryMs;
    void readCostMap();
  }

  /** Shows the last instant of a run that has ended. */
  async function showLast(): Promise<void> {
    const request = { runId, timeS: 1e6, maxPoints };
    // Why nothing on failure: a run that failed before its first tick has no instant to show.
    const last = await client.query('runs.at', request).catch(() => null);
    if (last === null || isDisposed) return;
    run.lastTick = last.reply.tick;
    displays.show(last.reply, last.columns);
  }

  async function readCostMap(): Promise<void> {
    if (run.costMap !== null) return;
    costMapRead ??= tryCostMap().finally(() => (costMapRead = null));
    await costMapRead;
  }

  async function tryCostMap(): Promise<void> {
    // Why nothing on failure: a later view, or the end, reads again.
    const instant = { latest: displays.latest(), hasEnded: run.state === 'ended' };
    const costMap = await readCostView(client, runId, instant).catch(() => null);
    if (!isDisposed) run.costMap = costMap;
  }

  async function readDetails(): Promise<void> {
    try {
      const details = await client.call('runs.show', { runId });
      if (!isDisposed) run.details = details;
    } catch (failure) {
      if (!isDisposed) run.error = sentenceOf(failure);
    }
  }
}
