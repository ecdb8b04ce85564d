// A run that is watched. Its figures are reactive; its clouds and maps are not: they go straight to whoever
// subscribed, one view for each frame on screen, so that a slow screen slows the host.
import { shallowReactive } from 'vue';
import type { Columns } from '#contract/columns.ts';
import { isCancelled } from '#contract/errors.ts';
import type { Replies } from '#contract/host/methods.ts';
import type { RunDetails } from '#contract/host/runMethods.ts';
import type { MapGeometry, RunView } from '#contract/host/run.ts';
import type { RunMoment } from '#contract/host/runQueries.ts';
import type { Progress } from '#contract/worker/worker.ts';
import type { Client } from '#renderer/client/client.ts';
import { nextFrame } from '#renderer/browser/nextFrame.ts';
import { drivenTicks, pathUntil, type RunDisplay } from '#renderer/logic/cloud/runDisplay.ts';
import { costAt, figureTimeS, type CostFigure } from '#renderer/logic/drive/costFigures.ts';
import { sentenceOf } from '#renderer/logic/problems.ts';
import { readHistory } from '../runs/runHistory.ts';

/** 'opening': asked for, nothing has come yet. */
export type WatchState = 'opening' | 'live' | 'ended' | 'failed';

/** What is shown of a run: while it runs a view, afterwards the last instant of its recording. */
export type ShownView = Pick<RunView, 'tick'> & { map: MapGeometry | null };

export interface WatchFacts {
  readonly runId: string;
  state: WatchState;
  /** The newest; null before the first. */
  view: RunView | null;
  progress: Progress | null;
  ending: Replies['drive.watch'] | null;
  details: RunDetails | null;
  error: string | null;
  isStopping: boolean;
  /** Cost of the cell below the vehicle; null: not seen. */
  costHere: number | null;
  /** The cost map at 10 s; null: the run has not come so far. */
  figure: CostFigure | null;
}

export interface DriveWatch {
  readonly facts: WatchFacts;
  /** The newest view comes at once, and then what was before it. Returns what ends the subscription. */
  subscribe(display: RunDisplay): () => void;
  /** Follows the run again, after the connection was lost. */
  follow(): void;
  readDetails(): void;
  dispose(): void;
}

/** Between two looks for the map at 10 s, where the recording does not hold it yet. */
const figureRetryMs = 500;

/** Follows a run to its end; one that has ended gives its figures and its last instant. */
export function createDriveWatch(
  client: Client,
  runId: string,
  budgetPoints: { view: number; screen: () => number },
): DriveWatch {
  const maxPoints = budgetPoints.view;
  const facts = shallowReactive<WatchFacts>({
    ...{ runId, state: 'opening', view: null, progress: null, ending: null, details: null },
    ...{ error: null, isStopping: false, costHere: null, figure: null },
  });
  const displays = new Set<RunDisplay>();
  /** Those that get, or got, what was before their first view. */
  const lookingBack = new Map<RunDisplay, AbortController>();
  let latest: { view: ShownView; columns: Columns } | null = null;
  let following = new AbortController();
  let isDisposed = false;
  let nextFigureMs = 0;
  let isReadingFigure = false;
  void follow();
  void readDetails();
  return {
    facts,
    subscribe(display) {
      displays.add(display);
      if (latest !== null) hand(display, latest.view, latest.columns);
      return () => {
        displays.delete(display);
        forget(display);
      };
    },
    follow: () => void follow(),
    readDetails: () => void readDetails(),
    dispose() {
      isDisposed = true;
      following.abort();
      for (const display of displays) forget(display);
      displays.clear();
    },
  };

  function forget(display: RunDisplay): void {
    lookingBack.get(display)?.abort();
    lookingBack.delete(display);
  }

  function hand(display: RunDisplay, view: ShownView, columns: Columns): void {
    display.show(view, columns);
    // Why not the first tick: there was nothing before.
    if (lookingBack.has(display)) return;
    const controller = new AbortController();
    lookingBack.set(display, controller);
    // Why of the newest: a view of a run that stands still brings no points again.
    const viewPoints = latest?.columns['x_m']?.length ?? 0;
    if (view.tick.tick > 0) void lookBack(display, viewPoints, controller.signal);
  }

  /** The path so far and the scans before, as if the display had looked on from the beginning. */
  async function lookBack(
    display: RunDisplay,
    viewPoints: number,
    signal: AbortSignal,
  ): Promise<void> {
    try {
      const { columns } = await client.query('runs.ticks', { runId }, { signal });
      // Why the time on screen now: views kept arriving, and the host is at later ticks already.
      const atS = (latest?.view.tick.timeNs ?? 0) / 1e9;
      if (signal.aborted) return;
      const driven = drivenTicks(columns);
      display.setPath(pathUntil(driven, atS));
      const past = {
        runId,
        timeS: driven.timeS,
        atS,
        budgetPoints: budgetPoints.screen(),
        viewPoints,
      };
      await readHistory(client, past, signal, (points, isNewest) =>
        display.addHistory(points, isNewest),
      );
    } catch {
      // Why nothing: the picture continues from here, and a lost host is shown elsewhere.
    }
  }

  async function follow(): Promise<void> {
    following.abort();
    const controller = new AbortController();
    following = controller;
    facts.state = 'opening';
    facts.error = null;
    // Views were missed meanwhile.
    for (const display of displays) forget(display);
    try {
      const ending = await client.call(
        'drive.watch',
        { runId, maxPoints },
        {
          signal: controller.signal,
          onProgress: (next) => (facts.progress = next),
          onChunk: async (body, columns) => {
            if (following === controller) take(body as RunView, columns);
            await nextFrame();
          },
        },
      );
      if (following !== controller || isDisposed) return;
      facts.ending = ending;
      facts.state = 'ended';
      facts.progress = null;
      facts.isStopping = false;
      if (latest === null) await showLast();
      await readFigure();
    } catch (failure) {
      if (following !== controller || isDisposed || isCancelled(failure)) return;
      facts.error = sentenceOf(failure);
      facts.state = 'failed';
      facts.isStopping = false;
    }
  }

  function take(view: RunView, columns: Columns): void {
    facts.state = 'live';
    facts.progress = null;
    facts.view = view;
    show(view, columns);
    const { cost } = latest?.columns ?? {};
    if (cost instanceof Uint8Array) {
      facts.costHere = costAt(view.map, cost, view.tick.truth.positionM);
    }
    if (facts.figure !== null || view.tick.timeNs < figureTimeS * 1e9) return;
    if (performance.now() < nextFigureMs) return;
    nextFigureMs = performance.now() + figureRetryMs;
    void readFigure();
  }

  function show(view: ShownView, columns: Columns): void {
    latest = { view, columns: { ...latest?.columns, ...columns } };
    for (const display of displays) hand(display, view, columns);
  }

  /** What a run that has ended looked like at its end. */
  async function showLast(): Promise<void> {
    // Why nothing on failure: a run that failed before its first tick has no picture.
    const last = await momentAt(1e6, maxPoints).catch(() => null);
    if (last !== null && !isDisposed) show(last.reply, last.columns);
  }

  function momentAt(
    timeS: number,
    points: number,
  ): Promise<{ reply: RunMoment; columns: Columns }> {
    return client.query('runs.at', { runId, timeS, maxPoints: points });
  }

  /** The map at 10 s from the recording, or the one on screen where that is of this very instant. */
  async function readFigure(): Promise<void> {
    if (facts.figure !== null || isReadingFigure) return;
    isReadingFigure = true;
    const shown = latest;
    try {
      const ofView = shown?.view.tick.timeNs === figureTimeS * 1e9 ? shown : null;
      const recorded = ofView === null ? await momentAt(figureTimeS + 1e-4, 0) : null;
      const columns = ofView?.columns ?? recorded?.columns ?? {};
      const map = ofView?.view.map ?? recorded?.reply.map ?? null;
      const tick = ofView?.view.tick ?? recorded?.reply.tick;
      const recordedNs = recorded?.reply.map?.timeNs ?? figureTimeS * 1e9;
      const { cost, path_x_m: pathXM, path_y_m: pathYM } = columns;
      // Why the time: a growing recording may not hold the map of this second yet.
      if (map === null || tick === undefined || !(cost instanceof Uint8Array)) return;
      if (tick.timeNs < figureTimeS * 1e9 || recordedNs < figureTimeS * 1e9) return;
      const ticks = await client.query('runs.ticks', { runId });
      if (isDisposed) return;
      const { truth_x_m: xM, truth_y_m: yM } = ticks.columns;
      const rows = Math.min(tick.tick + 1, ticks.reply.ticks);
      facts.figure = {
        map: { cells: map.cells, cellM: map.cellM, originM: map.originM },
        ...{ cost, timeS: tick.timeNs / 1e9, pose: tick.truth },
        plannedM: interleaved(pathXM, pathYM, Infinity),
        drivenM: interleaved(xM, yM, rows),
      };
    } catch {
      // Nothing is recorded by then, or not yet: a later view, or the end, looks again.
    } finally {
      isReadingFigure = false;
    }
  }

  async function readDetails(): Promise<void> {
    try {
      const details = await client.call('runs.show', { runId });
      if (!isDisposed) facts.details = details;
    } catch (failure) {
      if (!isDisposed) facts.error = sentenceOf(failure);
    }
  }
}

function interleaved(
  x: Columns[string] | undefined,
  y: Columns[string] | undefined,
  most: number,
): Float32Array {
  const rows = Math.min(x?.length ?? 0, y?.length ?? 0, most);
  const both = new Float32Array(2 * rows);
  for (let row = 0; row < rows; row += 1) {
    both[2 * row] = Number(x?.[row]);
    both[2 * row + 1] = Number(y?.[row]);
  }
  return both;
}
