// Makes the octree of a cloud (OCTREE.md). Guarantees: memory does not grow with the cloud; each point is in one node; the
// bytes depend on the points and their order alone, not on how they were divided. The file is whole where this
// returns, and its caller gives it its name.
import { UnderstoryError } from '#contract/errors.ts';
import type { OctreeHead } from '#contract/host/cloudMethods.ts';
import { openAppendFile } from '#files/appendFile.ts';
import { openSpillFile, type SpillFile } from '#files/spillFile.ts';
import {
  countCells,
  divideByGrid,
  divideCube,
  type CubePoints,
  type DivideOptions,
} from './divideCloud.ts';
import { createNodeBuffers, type NodeBuffers } from './nodeBuffers.ts';
import { cubeAbove, cubeAround, isSameCube, type CubeKey } from './octreeCube.ts';
import { appendIndex } from './indexedFile.ts';
import { gridPower, octreeParts, octreeStart } from './octreeLayout.ts';
import type { PointBlock } from './pointBlocks.ts';
import { createRecords, positionOf, recordBytes, type PointRecords } from './pointRecords.ts';
import { createCubeSampler } from './sampleCube.ts';

/** The points of a cloud, relative to originM. */
export interface CloudPoints extends Pick<OctreeHead, 'key' | 'originM' | 'classes'> {
  /** As messages name it. */
  file: string;
  /** Whether records have colours; left out: they have none. */
  hasColour?: boolean;
  /** At least as many as there are. */
  maxPoints: number;
  /** The points in order, some thousand records at a time, in memory that may be used again. */
  blocks(): AsyncIterable<PointBlock>;
}

export interface OctreeOptions {
  /** Points that are in memory at a time. */
  chunkPoints?: number;
  leafPoints?: number;
  /** Three passes over the points count: reading, dividing, writing. */
  progress?: (done: number, total: number) => void;
}

/** A disk has to hold so many bytes for each point while an octree is made: two spill files. */
export const buildBytesPerPoint = 2 * recordBytes;
const maxCloudPoints = 2 ** 32;
/** 100 MB with what sampling needs. */
const defaultChunkPoints = 2 ** 20;
/** Some 300 kB: a node is a request of a page and a draw call. */
const defaultLeafPoints = 16_384;

/**
 * @param file is made; @param spillPath gives names of files that are not there
 * @throws UnderstoryError 'disk-full' | 'io', 'unsupported' where no octree can hold the cloud, and what the source throws
 */
export async function buildOctree(
  source: CloudPoints,
  file: string,
  spillPath: () => string,
  options: OctreeOptions = {},
): Promise<void> {
  const hasColour = source.hasColour ?? false;
  const { chunkPoints = defaultChunkPoints, leafPoints = defaultLeafPoints, progress } = options;
  if (source.maxPoints > maxCloudPoints) {
    throw new UnderstoryError('unsupported', 'an octree holds four billion points at most');
  }
  const output = await openAppendFile(file, 'create');
  try {
    await output.append(octreeStart);
    const { spill, count: total, minM, maxM } = await readCloud(source, spillPath, progress);
    const root = cubeAround(minM, maxM);
    const nodes = createNodeBuffers({ hasColour });
    const sampler = createCubeSampler(root, nodes, { leafPoints, maxPoints: chunkPoints });
    let moved = 0;
    const dividing: DivideOptions = { root, maxPoints: chunkPoints, spillPath };
    const reporting = {
      ...dividing,
      progress(rows: number) {
        moved += rows;
        progress?.(total + moved, 3 * total);
      },
    };
    const cubes = await closing(spill, async () =>
      divideByGrid(spill, await countCells(spill, total, root), reporting),
    );
    let done = 0;
    await visitAll(cubes, async function visit(points: CubePoints): Promise<void> {
      leaveOthers(nodes, points.cube);
      if (points.count > chunkPoints) {
        const parts = await divideCube(points, dividing, (...chosen) => nodes.add(...chosen));
        await visitAll(parts, visit);
        return;
      }
      await sampleRows(points, sampler);
      for (const bytes of nodes.takeBytes()) await output.append(bytes);
      done += points.count;
      progress?.(2 * total + done, 3 * total);
    });
    nodes.leave(0);
    for (const bytes of nodes.takeBytes()) await output.append(bytes);
    const head: OctreeHead = {
      format: 1,
      key: source.key,
      points: total,
      originM: source.originM,
      minM: root.minM,
      edgeM: root.edgeM,
      spacingM: root.edgeM / 2 ** gridPower,
      classes: source.classes,
      hasColour,
      distances: null,
    };
    await appendIndex(output, octreeParts, head, { ...nodes.index() });
    await output.sync();
  } finally {
    await output.close();
  }
}

interface ReadCloud {
  spill: SpillFile;
  count: number;
  /** A box around all points. */
  minM: number[];
  maxM: number[];
}

/** The points in a spill file. @throws UnderstoryError 'corrupt' for one that is nowhere, and what the source throws */
async function readCloud(
  source: CloudPoints,
  spillPath: () => string,
  progress: OctreeOptions['progress'],
): Promise<ReadCloud> {
  const spill = await openSpillFile(spillPath());
  const [minM, maxM] = [new Array<number>(3).fill(Infinity), new Array<number>(3).fill(-Infinity)];
  let count = 0;
  try {
    for await (const { points, rows } of source.blocks()) {
      for (const axis of [0, 1, 2]) {
        const [low, high] = boundsOf(points, rows, axis);
        minM[axis] = Math.min(minM[axis] ?? 0, low);
        maxM[axis] = Math.max(maxM[axis] ?? 0, high);
      }
      if (![...minM, ...maxM].every(Number.isFinite)) {
        const message = `${source.file}: a return has no finite position`;
        throw new UnderstoryError('corrupt', message, { file: source.file });
      }
      await spill.write(points.bytes.subarray(0, rows * recordBytes), count * recordBytes);
      count += rows;
      progress?.(count, 3 * source.maxPoints);
    }
  } catch (error) {
    await spill.close();
    throw error;
  }
  return count > 0
    ? { spill, count, minM, maxM }
    : { spill, count, minM: [0, 0, 0], maxM: [0, 0, 0] };
}

/** NaN where a point has none. */
function boundsOf(points: PointRecords, rows: number, axis: number): [number, number] {
  let [low, high] = [Infinity, -Infinity];
  for (let row = 0; row < rows; row += 1) {
    const valueM = positionOf(points, row, axis);
    low = Math.min(low, valueM);
    high = Math.max(high, valueM);
  }
  return [low, high];
}

/** Cubes of one spill file, which is closed afterwards. */
async function visitAll(
  cubes: readonly CubePoints[],
  visit: (points: CubePoints) => Promise<void>,
): Promise<void> {
  const [first] = cubes;
  if (first === undefined) return;
  await closing(first.spill, async () => {
    for (const points of cubes) await visit(points);
  });
}

async function closing<T>(spill: SpillFile, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } finally {
    await spill.close();
  }
}

/** Nodes whose cubes do not hold this one have been left. */
function leaveOthers(nodes: NodeBuffers, cube: CubeKey): void {
  let level = 0;
  for (; level < cube.level; level += 1) {
    const open = nodes.openAt(level);
    if (open !== null && !isSameCube(open, cubeAbove(cube, level))) break;
  }
  nodes.leave(level);
}

async function sampleRows(
  { cube, spill, fromRow, count }: CubePoints,
  sampler: ReturnType<typeof createCubeSampler>,
): Promise<void> {
  const points = createRecords(count);
  await spill.read(points.bytes, fromRow * recordBytes);
  sampler.sample(cube, points, count, Math.max(0, cube.level - gridPower));
}
