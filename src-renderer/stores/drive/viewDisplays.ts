// The displays of a run that is watched: each gets every view, and after its first one what was before it, as if it had
// been open from the beginning.
import type { Columns } from '#contract/columns.ts';
import type { Client } from '#renderer/client/client.ts';
import {
  drivenTicks,
  pathUntil,
  type RunDisplay,
  type ShownInstant,
} from '#renderer/logic/cloud/runDisplay.ts';
import { allDrawn } from '../runs/allDrawn.ts';
import { readHistory } from '../runs/runHistory.ts';

/** The newest view; a column that it left out is that of the view before. */
export interface LatestView {
  view: ShownInstant;
  columns: Columns;
}

export interface ViewDisplays {
  /** The newest view comes at once. Returns what ends the subscription. */
  subscribe: (display: RunDisplay) => () => void;
  show: (view: ShownInstant, columns: Columns) => void;
  /** Resolves once all displays can take the next view, at the latest after `maxMs`. */
  drawn: (maxMs: number) => Promise<void>;
  /** Null before the first view. */
  latest: () => LatestView | null;
  /** Views were missed: with the next one the history is read again. */
  restart: () => void;
  /** The displays have dropped their points: the newest view and the history come again. */
  sendAgain: () => void;
  dispose: () => void;
}

/** `budgetPoints`: of a display, as it is when its history is read. */
export function createViewDisplays(
  client: Client,
  runId: string,
  budgetPoints: () => number,
): ViewDisplays {
  const displays = new Set<RunDisplay>();
  /** Displays that have, or are sent, the history before their first view. */
  const histories = new Map<RunDisplay, AbortController>();
  let latest: LatestView | null = null;

  return {
    subscribe(display) {
      displays.add(display);
      if (latest !== null) send(display, latest.view, latest.columns);
      return () => {
        displays.delete(display);
        endHistory(display);
      };
    },
    show(view, columns) {
      latest = { view, columns: { ...latest?.columns, ...columns } };
      for (const display of displays) send(display, view, columns);
    },
    drawn: (maxMs) => allDrawn(displays, maxMs),
    latest: () => latest,
    restart,
    sendAgain() {
      restart();
      if (latest === null) return;
      for (const display of displays) send(display, latest.view, latest.columns);
    },
    dispose() {
      restart();
      displays.clear();
    },
  };

  function restart(): void {
    for (const display of displays) endHistory(display);
  }

  function endHistory(display: RunDisplay): void {
    histories.get(display)?.abort();
    histories.delete(display);
  }

  function send(display: RunDisplay, view: ShownInstant, columns: Columns): void {
    display.show(view, columns);
    if (histories.has(display)) return;
    const controller = new AbortController();
    histories.set(display, controller);
    // Why of the newest: a view of a paused run brings no points again.
    const viewPoints = latest?.columns['x_m']?.length ?? 0;
    // Why not the first tick: there was nothing before.
    if (view.tick.tick > 0) void sendHistory(display, viewPoints, controller.signal);
  }

  async function sendHistory(
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
      const { timeS } = driven;
      const range = { runId, timeS, atS, budgetPoints: budgetPoints(), viewPoints };
      await readHistory(client, range, signal, (points, isNewest) =>
        display.addHistory(points, isNewest),
      );
    } catch {
      // Why nothing: the display continues from here, and a lost host is shown elsewhere.
    }
  }
}
