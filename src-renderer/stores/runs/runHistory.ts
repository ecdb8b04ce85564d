// The history of a run for a view that has watched from the beginning: scans before an instant, from the
// recording.
import type { Client } from '#renderer/client/client.ts';
import { pointsOf } from '#renderer/logic/cloud/pointColumns.ts';
import { historyRequests } from '#renderer/logic/cloud/pointShares.ts';
import type { RunDisplay } from '#renderer/logic/cloud/runDisplay.ts';

export interface HistoryRange {
  runId: string;
  /** Time of every tick. */
  timeS: Float64Array;
  /** The instant that is shown. */
  atS: number;
  /** At once on screen, and in the view of that instant. */
  budgetPoints: number;
  viewPoints: number;
}

/** Forwards what it reads until it is cancelled. @throws what the host throws; 'cancelled' */
export async function readHistory(
  client: Client,
  { runId, timeS, atS, budgetPoints, viewPoints }: HistoryRange,
  signal: AbortSignal,
  take: RunDisplay['addHistory'],
): Promise<void> {
  for (const { isNewest, ...request } of historyRequests(timeS, atS, budgetPoints, viewPoints)) {
    await client.call(
      'runs.past',
      { runId, ...request },
      {
        signal,
        onChunk(_, columns) {
          const points = pointsOf(columns);
          if (points !== null && !signal.aborted) take(points, isNewest);
        },
      },
    );
  }
}
