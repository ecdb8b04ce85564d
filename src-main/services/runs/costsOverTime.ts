// The cost at the vehicle's position in its own cost map, map by map of a recording.
import { UnderstoryError } from '#contract/errors.ts';
import type { TickRecord } from '#contract/host/run.ts';
import { cellAt } from '#domain/autonomy/gridGeometry.ts';
import type { RecordedMap, RecordingSnapshots } from '#services/ports/recordings.ts';

/** Cells of this cost have not been seen yet. */
const unknownCost = 255;

/**
 * A row a map, in turn; `ticks` ascend in time.
 * @throws UnderstoryError 'cancelled' between maps
 */
export async function costsOverTime(
  snapshots: Pick<RecordingSnapshots, 'maps'>,
  ticks: readonly TickRecord[],
  radiusM: number,
  signal: AbortSignal,
): Promise<{ timeS: Float64Array; costHere: Float64Array }> {
  const timeS: number[] = [];
  const costHere: number[] = [];
  let row = 0;
  for await (const map of snapshots.maps()) {
    if (signal.aborted) throw new UnderstoryError('cancelled', 'no longer asked for');
    while (row + 1 < ticks.length && (ticks[row + 1]?.timeNs ?? Infinity) <= map.timeNs) row += 1;
    const [xM, yM] = ticks[row]?.estimate.positionM ?? [NaN, NaN];
    timeS.push(map.timeNs / 1e9);
    costHere.push(highestCost(map, xM, yM, radiusM));
  }
  return { timeS: Float64Array.from(timeS), costHere: Float64Array.from(costHere) };
}

/** Over the cells whose centres lie within the radius, and the cell of the place itself. */
function highestCost(
  { geometry, cost }: RecordedMap,
  xM: number,
  yM: number,
  radiusM: number,
): number {
  const { cellM } = geometry;
  const reach = Math.floor(radiusM / cellM);
  let highest = NaN;
  for (let down = -reach; down <= reach; down += 1) {
    for (let along = -reach; along <= reach; along += 1) {
      if (Math.hypot(down, along) * cellM > radiusM) continue;
      const here = cost[cellAt(geometry, xM + along * cellM, yM + down * cellM)] ?? unknownCost;
      if (here !== unknownCost && !(here <= highest)) highest = here;
    }
  }
  return highest;
}
