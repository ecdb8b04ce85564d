// The planned paths of a recording in turn: when they were planned, and how far each leads from the one before it.
import { UnderstoryError } from '#contract/errors.ts';
import type { RecordedPath, RecordingSnapshots } from '#services/ports/recordings.ts';

/**
 * A row a path. `changeM`: the largest distance of its points from the path before it; NaN for the first one, and where one of
 * the two has no points.
 * @throws UnderstoryError 'cancelled' between paths
 */
export async function plansOverTime(
  snapshots: Pick<RecordingSnapshots, 'paths'>,
  signal: AbortSignal,
): Promise<{ timeS: Float64Array; changeM: Float64Array }> {
  const timeS: number[] = [];
  const changeM: number[] = [];
  let before: RecordedPath | null = null;
  for await (const path of snapshots.paths()) {
    if (signal.aborted) throw new UnderstoryError('cancelled', 'no longer asked for');
    timeS.push(path.timeNs / 1e9);
    changeM.push(before === null ? NaN : largestDistanceM(path, before));
    before = path;
  }
  return { timeS: Float64Array.from(timeS), changeM: Float64Array.from(changeM) };
}

function largestDistanceM(path: RecordedPath, from: RecordedPath): number {
  if (path.xM.length === 0 || from.xM.length === 0) return NaN;
  return path.xM.reduce((most, x, row) => Math.max(most, distanceM(x, path.yM[row] ?? 0, from)), 0);
}

/** Distance of a place from a line of points. */
function distanceM(x: number, y: number, { xM, yM }: RecordedPath): number {
  let least = Infinity;
  for (let row = 0; row < xM.length; row += 1) {
    const [fromX, fromY] = [xM[row] ?? 0, yM[row] ?? 0];
    const [dx, dy] = [(xM[row + 1] ?? fromX) - fromX, (yM[row + 1] ?? fromY) - fromY];
    const along = ((x - fromX) * dx + (y - fromY) * dy) / (dx * dx + dy * dy);
    const share = Math.min(Math.max(along || 0, 0), 1);
    least = Math.min(least, Math.hypot(x - fromX - share * dx, y - fromY - share * dy));
  }
  return least;
}
