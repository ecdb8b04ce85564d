// Whether poses are in the unit of the points that they are of: a file in feet with poses in metres has them hundreds
// of kilometres apart.
import { badInput } from '#contract/errors.ts';
import type { SensorPath } from '#domain/log/frameGraph.ts';
import type { LogSourceReader, SourceCloud } from '#services/ports/logSources.ts';
import type { SourceSystem } from './sourceSystem.ts';

/** No sensor sees so far. */
const maxDistanceM = 20_000;

/** @param metres of the unit of the points. @throws UnderstoryError 'bad-input' */
export function checkPoseUnits(
  { traits }: Pick<LogSourceReader, 'traits'>,
  [first]: readonly SourceCloud[],
  path: SensorPath,
  { level }: SourceSystem['metres'],
): void {
  if (!traits.isWorld || level === 1 || first === undefined) return;
  const at = first.xM.findIndex(Number.isFinite);
  const pose = path.poseAt(first.timeNs?.[at] ?? first.stampNs);
  if (pose === null) return;
  const [x, y] = pose.positionM;
  const distanceM = Math.hypot((first.xM[at] ?? 0) - x, (first.yM[at] ?? 0) - y);
  if (distanceM <= maxDistanceM) return;
  const found = `${Math.round(distanceM / 1000)} km from the points`;
  const message = `expected poses in the unit of the points (${Number(level.toPrecision(6))} m), found them ${found}: poses in metres need the same unit`;
  throw badInput('trajectory', message, { title: 'the poses are in another unit than the points' });
}
