// An octree as another one, whose points have their distances to the nearest point of a second cloud. Why the nodes of the other one:
// nothing is sorted again, and a page shows the same points.
import { UnderstoryError } from '#contract/errors.ts';
import {
  maxCloudDistanceM,
  type CloudNodeColumns,
  type OctreeHead,
} from '#contract/host/cloudMethods.ts';
import { openAppendFile } from '#files/appendFile.ts';
import type { OctreeReader } from '#services/ports/octrees.ts';
import { appendIndex } from './indexedFile.ts';
import { nearestPoints, type NearestPoints } from './nearestPoints.ts';
import { checksumOf, nodeBytesOf, octreeParts, octreeStart } from './octreeLayout.ts';

/** Points of the second cloud that may be near the first: 2.3 GB of memory. */
const maxPointsTo = 150_000_000;

export interface DistanceOptions {
  key: string;
  /** Points of both clouds count: they are read and sorted, and measured. */
  progress?: (done: number, total: number) => void;
}

/**
 * @param file is made, and whole where this returns
 * @throws UnderstoryError 'disk-full' | 'io' | 'corrupt', 'unsupported' for a second cloud that does not fit in memory
 */
export async function measureDistances(
  from: OctreeReader,
  to: OctreeReader,
  file: string,
  { key, progress }: DistanceOptions,
): Promise<void> {
  const near = nodesNear(from.head, to);
  const pointsTo = pointsNear(from.head, to);
  if (pointsTo > maxPointsTo) {
    const message = `distances are measured to ${maxPointsTo} points at most, found ${pointsTo}`;
    throw new UnderstoryError('unsupported', message);
  }
  const total = 2 * pointsTo + from.head.points;
  const report = (done: number): void => progress?.(done, total);
  const placesM = new Float32Array(3 * pointsTo);
  await readPlaces(to, near, from.head, placesM, report);
  const nearest = nearestPoints(placesM, (sorted) => report(pointsTo + sorted));
  const output = await openAppendFile(file, 'create');
  try {
    await output.append(octreeStart);
    const crc32 = new Uint32Array(from.nodes.points.length);
    const layout = { hasColour: from.head.hasColour, distances: to.head };
    const sums = { points: 0, found: 0, sumM: 0, squaresM2: 0 };
    for (const node of from.nodes.points.keys()) {
      const columns = await from.points(node);
      const distance = distancesOf(columns, nearest);
      addDistances(sums, distance);
      const bytes = nodeBytesOf({ ...columns, distance }, layout);
      crc32[node] = checksumOf(bytes);
      await output.append(bytes);
      report(2 * pointsTo + sums.points);
    }
    const { found, sumM, squaresM2 } = sums;
    const head: OctreeHead = {
      ...from.head,
      key,
      distances: {
        to: to.head.key,
        found,
        meanM: found > 0 ? sumM / found : 0,
        rmsM: found > 0 ? Math.sqrt(squaresM2 / found) : 0,
      },
    };
    await appendIndex(output, octreeParts, head, { ...from.nodes, crc32 });
    await output.sync();
  } finally {
    await output.close();
  }
}

/** Where the origin of one is, relative to that of the other. */
function shiftOf(from: OctreeHead, to: OctreeHead): number[] {
  return to.originM.map((value, axis) => value - (from.originM[axis] ?? 0));
}

/** Nodes of the second cloud that may hold the nearest point of one of the first. */
function nodesNear(
  from: OctreeHead,
  { head, nodes }: Pick<OctreeReader, 'head' | 'nodes'>,
): number[] {
  const shiftM = shiftOf(from, head);
  return [...nodes.level.keys()].filter((node) => {
    const edgeM = head.edgeM / 2 ** (nodes.level[node] ?? 0);
    return [nodes.x, nodes.y, nodes.z].every((column, axis) => {
      const lowM = (shiftM[axis] ?? 0) + (head.minM[axis] ?? 0) + (column[node] ?? 0) * edgeM;
      const fromLowM = from.minM[axis] ?? 0;
      return (
        lowM <= fromLowM + from.edgeM + maxCloudDistanceM &&
        lowM + edgeM >= fromLowM - maxCloudDistanceM
      );
    });
  });
}

/** Points of the second cloud that are held in memory. */
export function pointsNear(from: OctreeHead, to: Pick<OctreeReader, 'head' | 'nodes'>): number {
  return nodesNear(from, to).reduce((sum, node) => sum + (to.nodes.points[node] ?? 0), 0);
}

/** Relative to the origin of the first cloud. */
async function readPlaces(
  octree: OctreeReader,
  chosen: readonly number[],
  from: OctreeHead,
  into: Float32Array,
  report: (done: number) => void,
): Promise<void> {
  const shiftM = shiftOf(from, octree.head);
  let at = 0;
  for (const node of chosen) {
    const { position } = await octree.points(node);
    for (const [index, value] of position.entries()) {
      into[at + index] = value + (shiftM[index % 3] ?? 0);
    }
    at += position.length;
    report(at / 3);
  }
}

function distancesOf({ position }: CloudNodeColumns, nearest: NearestPoints): Float32Array {
  return Float32Array.from({ length: position.length / 3 }, (_, row) =>
    nearest.distanceM(
      position[3 * row] ?? 0,
      position[3 * row + 1] ?? 0,
      position[3 * row + 2] ?? 0,
      maxCloudDistanceM,
    ),
  );
}

function addDistances(
  sums: { points: number; found: number; sumM: number; squaresM2: number },
  distancesM: Float32Array,
): void {
  sums.points += distancesM.length;
  for (const distanceM of distancesM) {
    if (Number.isNaN(distanceM)) continue;
    sums.found += 1;
    sums.sumM += distanceM;
    sums.squaresM2 += distanceM ** 2;
  }
}
