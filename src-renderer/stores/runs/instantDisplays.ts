// The displays of a recorded run: each gets every instant that is played or sought. After a jump in time they get the
// path until then at once, and the scans before it as soon as the time stays.
import type { Columns } from '#contract/columns.ts';
import type { RunSnapshot } from '#contract/host/runQueries.ts';
import type { Client } from '#renderer/client/client.ts';
import { pathUntil, type RunDisplay } from '#renderer/logic/cloud/runDisplay.ts';
import type { RunSeries } from '#renderer/logic/runs/runSeries.ts';
import { allDrawn } from './allDrawn.ts';
import { readHistory } from './runHistory.ts';

export interface InstantDisplays {
  /** Returns what ends the subscription. */
  subscribe: (display: RunDisplay) => () => void;
  /** Another run from now on. */
  reset: () => void;
  /** The instant after the one before. */
  show: (instant: RunSnapshot, columns: Columns) => void;
  /** An instant that does not follow the one before. */
  jump: (runId: string, series: RunSeries, instant: RunSnapshot, columns: Columns) => void;
  /** Resolves once all displays can take the next instant. */
  drawn: () => Promise<void>;
  /** Scans before an instant that are still being read are not shown. */
  cancelHistory: () => void;
}

/** So long a time has to stay before the scans before it are read. */
const settleMs = 120;

/** Displays of the instant that is played or sought, with their history. */
export function createInstantDisplays(
  client: Client,
  budgetPoints: () => number,
  onFailure: (failure: unknown) => void,
): InstantDisplays {
  const displays = new Set<RunDisplay>();
  let reading = new AbortController();

  return {
    subscribe(display) {
      displays.add(display);
      return () => void displays.delete(display);
    },
    reset() {
      for (const display of displays) display.reset();
    },
    show,
    jump(runId, series, instant, columns) {
      const atS = instant.tick.timeNs / 1e9;
      // Why before: the instant itself follows.
      const path = pathUntil(series, atS - 1e-3);
      for (const display of displays) display.jump(path);
      show(instant, columns);
      const viewPoints = columns['x_m']?.length ?? 0;
      void sendHistory({ runId, timeS: series.timeS, atS, viewPoints });
    },
    drawn: () => allDrawn(displays),
    cancelHistory: () => reading.abort(),
  };

  function show(instant: RunSnapshot, columns: Columns): void {
    for (const display of displays) display.show(instant, columns);
  }

  /** Adds what playing up to this instant would have left on screen. */
  async function sendHistory(range: {
    runId: string;
    timeS: Float64Array;
    atS: number;
    viewPoints: number;
  }): Promise<void> {
    reading.abort();
    const { signal } = (reading = new AbortController());
    await new Promise((resolve) => setTimeout(resolve, settleMs));
    if (signal.aborted) return;
    try {
      const wanted = { ...range, budgetPoints: budgetPoints() };
      await readHistory(client, wanted, signal, (points, isNewest) => {
        for (const display of displays) display.addHistory(points, isNewest);
      });
    } catch (failure) {
      if (!signal.aborted) onFailure(failure);
    }
  }
}
