// Whether the poses of a source are those of its sensor in the world, or the reverse: merged clouds show it.
import { badInput } from '#contract/errors.ts';
import type { RequestOf } from '#contract/host/methods.ts';
import { sensorPath, type SensorPath } from '#domain/log/frameGraph.ts';
import { mergedThicknessM, type MergedPoints } from '#domain/log/planeScatter.ts';
import { compose } from '#domain/shared/pose.ts';
import type { LogSourceReader, SourceCloud } from '#services/ports/logSources.ts';
import { edgesOf } from './sourcePath.ts';

/** Points of each cloud that are merged. */
const pointsOfCloud = 6000;
/** The inverse must be so much better. */
const swappedShare = 0.6;
/** Thinner than this is no scatter, but the noise of ranges. */
const thinM = 0.02;

/**
 * Compares the thickness of surfaces with the poses and with their inverse.
 * @throws 'bad-input' where the inverse is much better
 */
export function checkFrames(
  source: LogSourceReader,
  clouds: readonly SourceCloud[],
  request: Pick<RequestOf<'log.import'>, 'poses' | 'frame' | 'isInverse'>,
): void {
  const [first] = clouds;
  if (first === undefined || source.traits.isWorld) return;
  const frame = first.frameId.replace(/^\//, '');
  const edges = edgesOf(source, frame, request.poses);
  const thickness = (isInverse: boolean): number | null => {
    const path = sensorPath(edges, frame, request.frame, isInverse);
    return path === null
      ? null
      : mergedThicknessM(merged(clouds, path, source.traits.isCompensated));
  };
  const given = thickness(request.isInverse);
  if (given === null || given < thinM) return;
  const other = thickness(!request.isInverse);
  if (other === null || other > swappedShare * given) return;
  const found = `surfaces scatter by ${metres(given)} with the poses as they are, by ${metres(other)} with their inverse`;
  const message = `expected poses of the sensor in the world, found the reverse: ${found} (--inverse takes it)`;
  throw badInput('poses', message, { title: 'the frames of the poses are swapped' });
}

function merged(
  clouds: readonly SourceCloud[],
  path: SensorPath,
  isCompensated: boolean,
): MergedPoints {
  const points = {
    xM: [] as number[],
    yM: [] as number[],
    zM: [] as number[],
    cloud: [] as number[],
  };
  for (const [index, { points: count, xM, yM, zM, timeNs, stampNs }] of clouds.entries()) {
    const step = Math.max(1, Math.floor(count / pointsOfCloud));
    for (let at = 0; at < count; at += step) {
      const [x = NaN, y = NaN, z = NaN] = [xM[at], yM[at], zM[at]];
      const rangeM = Math.hypot(x, y, z);
      // Near points are the vehicle itself, far ones magnify small errors of angles.
      if (!(rangeM > 2 && rangeM < 40)) continue;
      const pose = path.poseAt(isCompensated ? stampNs : (timeNs?.[at] ?? stampNs));
      if (pose === null) continue;
      const [wx, wy, wz] = compose(pose, {
        positionM: [x, y, z],
        rotation: [0, 0, 0, 1],
      }).positionM;
      points.xM.push(wx);
      points.yM.push(wy);
      points.zM.push(wz);
      points.cloud.push(index);
    }
  }
  return points;
}

function metres(value: number): string {
  return `${value.toFixed(2)} m`;
}
