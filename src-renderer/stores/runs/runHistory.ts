// What a picture would show of a run had it looked on from the beginning: scans before an instant, from the
// recording.
import type { Client } from '#renderer/client/client.ts';
import { pointsOf } from '#renderer/logic/cloud/pointColumns.ts';
import { pastWishes } from '#renderer/logic/cloud/pointShares.ts';
import type { PictureTaker } from '#renderer/logic/cloud/runPicture.ts';

export interface PastOf {
  runId: string;
  /** Of every tick. */
  timeS: Float64Array;
  /** The instant that is shown. */
  atS: number;
  /** At once on screen, and in the view of that instant. */
  budgetPoints: number;
  viewPoints: number;
}

/** Hands on what it reads until it is given up. @throws what the host throws; 'cancelled' */
export async function readPast(
  client: Client,
  { runId, timeS, atS, budgetPoints, viewPoints }: PastOf,
  signal: AbortSignal,
  take: PictureTaker['addPast'],
): Promise<void> {
  for (const { isNewest, ...wish } of pastWishes(timeS, atS, budgetPoints, viewPoints)) {
    await client.call(
      'runs.past',
      { runId, ...wish },
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
