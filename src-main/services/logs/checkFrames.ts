// Whether the poses of a source are those of its sensor in the world, or the reverse, or have quaternions with w first:
// merged clouds show it. Poses that stay where they are give no verdict.
import { badInput } from '#contract/errors.ts';
import type { Pose } from '#contract/host/run.ts';
import type { RequestOf } from '#contract/host/methods.ts';
import { type FrameEdge, sensorPath, type SensorPath } from '#domain/log/frameGraph.ts';
import { cellM, type MergedPoints, occupiedCells } from '#domain/log/occupiedCells.ts';
import { countText } from '#domain/shared/formats.ts';
import { aFromB, compose } from '#domain/shared/pose.ts';
import type { LogSourceReader, SourceCloud } from '#services/ports/logSources.ts';
import { edgesOf } from './sourcePath.ts';

/** Points of each cloud that are merged. */
const pointsOfCloud = 6000;
/**
 * Another reading of the poses must fill fewer cells than this share of those of the poses as they are. Inverted poses
 * of simulated rooms and streets with 16 to 64 lasers give 0.3 to 0.6, right ones 1 (at rest) to 3.
 */
const refusedShare = 0.9;
/** Fewer cells give no verdict. */
const minCells = 200;

/**
 * Compares the cells that clouds fill with the poses as they are, with their inverse, and with w first.
 * @throws 'bad-input' where another reading of the poses is clearly better
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
  const cellsOf = (chain: readonly FrameEdge[], isInverse: boolean): number => {
    const path = sensorPath(chain, frame, { root: request.frame, isInverse });
    return path === null ? 0 : occupiedCells(merged(clouds, path, source.traits.isCompensated));
  };
  const given = cellsOf(edges, request.isInverse);
  if (given < minCells) return;
  const inverse = cellsOf(edges, !request.isInverse);
  const isFile = source.poses.some(({ kind }) => kind === 'file');
  const rotated = isFile ? cellsOf(edges.map(withScalarFirst), request.isInverse) : Infinity;
  if (Math.min(inverse, rotated) >= refusedShare * given) return;
  const found = `the first ${clouds.length} clouds fill ${countText(given)} cells of ${cellM} m with the poses as they are`;
  if (rotated < inverse) {
    const message = `expected quaternions x, y, z, w, found w, x, y, z: ${found}, ${countText(rotated)} with w first`;
    throw badInput('trajectory', message, { title: 'the quaternions of the poses begin with w' });
  }
  const [other, remedy] = request.isInverse
    ? ['of the world in the sensor', 'leave out --inverse']
    : ['of the sensor in the world', '--inverse takes it'];
  const message = `expected poses ${other}, found the reverse: ${found}, ${countText(inverse)} with their inverse (${remedy})`;
  throw badInput('poses', message, { title: 'the frames of the poses are swapped' });
}

/** Poses whose rotations were read as x, y, z, w and are w, x, y, z. */
function withScalarFirst(edge: FrameEdge): FrameEdge {
  const poses = edge.poses.map(({ positionM, rotation: [w, x, y, z] }): Pose => {
    return { positionM, rotation: [x, y, z, w] };
  });
  return edge.isStatic ? edge : { ...edge, poses };
}

/**
 * Points in the sensor's frame at its first pose. Why there: in the world, a plane at an angle to the cells fills more
 * of them than a parallel one, and an inverse turns it; from the first pose on, only what moves makes a difference.
 */
function merged(
  clouds: readonly SourceCloud[],
  path: SensorPath,
  isCompensated: boolean,
): MergedPoints {
  const points = { xM: [] as number[], yM: [] as number[], zM: [] as number[] };
  let start: Pose | null = null;
  for (const { points: count, xM, yM, zM, timeNs, stampNs } of clouds) {
    const step = Math.max(1, Math.floor(count / pointsOfCloud));
    let [knownNs, pose] = [NaN, null as Pose | null];
    for (let at = 0; at < count; at += step) {
      const [x = NaN, y = NaN, z = NaN] = [xM[at], yM[at], zM[at]];
      const rangeM = Math.hypot(x, y, z);
      // Near points are the vehicle itself, far ones magnify small errors of angles.
      if (!(rangeM > 2 && rangeM < 40)) continue;
      const poseNs = isCompensated ? stampNs : (timeNs?.[at] ?? stampNs);
      if (poseNs !== knownNs) {
        const inRoot = path.poseAt(poseNs);
        start ??= inRoot;
        pose = inRoot === null || start === null ? null : aFromB(start, inRoot);
        knownNs = poseNs;
      }
      if (pose === null) continue;
      const [sx, sy, sz] = compose(pose, {
        positionM: [x, y, z],
        rotation: [0, 0, 0, 1],
      }).positionM;
      points.xM.push(sx);
      points.yM.push(sy);
      points.zM.push(sz);
    }
  }
  return points;
}
