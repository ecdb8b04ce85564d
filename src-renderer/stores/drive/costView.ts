// The cost map of a run at 10 s with the paths planned and driven until then: from the view on screen where that is of
// this very instant, otherwise from the recording.
import type { Columns } from '#contract/columns.ts';
import type { Client } from '#renderer/client/client.ts';
import { costMapTimeS, type CostView } from '#renderer/logic/drive/costViews.ts';
import type { LatestView } from './viewDisplays.ts';

/**
 * Null: the run, or what is recorded of it, has not come so far. `hasEnded`: its recording grows no more.
 * @throws what the host throws
 */
export async function readCostView(
  client: Client,
  runId: string,
  { latest, hasEnded }: { latest: LatestView | null; hasEnded: boolean },
): Promise<CostView | null> {
  const costMapNs = costMapTimeS * 1e9;
  const isOnScreen = latest?.view.tick.timeNs === costMapNs;
  const { tick, map, columns } = isOnScreen
    ? { ...latest.view, columns: latest.columns }
    : await recordedInstant(client, runId, hasEnded);
  const { cost, path_x_m: pathXM, path_y_m: pathYM } = columns;
  if (map === null || !(cost instanceof Uint8Array)) return null;
  if (tick.timeNs < costMapNs) return null;
  const { reply, columns: ticks } = await client.query('runs.ticks', { runId });
  const rows = Math.min(tick.tick + 1, reply.ticks);
  return {
    map: { cells: map.cells, cellM: map.cellM, originM: map.originM },
    cost,
    timeS: tick.timeNs / 1e9,
    pose: tick.truth,
    plannedM: pairs(pathXM, pathYM, Infinity),
    drivenM: pairs(ticks['truth_x_m'], ticks['truth_y_m'], rows),
  };
}

/** The instant of the map, without a map where it may still be missing in the recording. */
async function recordedInstant(client: Client, runId: string, hasEnded: boolean) {
  const at = (timeS: number) => client.query('runs.at', { runId, timeS, maxPoints: 0 });
  const newest = hasEnded ? null : await at(1e6);
  const { reply, columns } = await at(costMapTimeS + 1e-4);
  // Why a later tick and no newer map: the map follows its tick in the file, and one without changes is not repeated.
  const hasMap = newest === null || newest.reply.tick.timeNs > costMapTimeS * 1e9;
  return { tick: reply.tick, map: hasMap ? reply.map : null, columns };
}

/** x and y in turn, of at most `maxRows` rows. */
function pairs(
  x: Columns[string] | undefined,
  y: Columns[string] | undefined,
  maxRows: number,
): Float32Array {
  const rows = Math.min(x?.length ?? 0, y?.length ?? 0, maxRows);
  const both = new Float32Array(2 * rows);
  for (let row = 0; row < rows; row += 1) {
    both[2 * row] = Number(x?.[row]);
    both[2 * row + 1] = Number(y?.[row]);
  }
  return both;
}
