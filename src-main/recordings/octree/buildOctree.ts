// Makes the octree of a cloud (OCTREE.md). Guarantees: memory does not grow with the cloud; each point is in one node; the
// bytes depend on the points and their order alone, not on how they were divided. The file is whole where this
// returns, and its caller gives it its name.
import { UnderstoryError } from '#contract/errors.ts';
import type { OctreeHead } from '#contract/host/cloudMethods.ts';
import { openAppendFile } from '#files/appendFile.ts';
import { openSpillFile, type SpillFile } from '#files/spillFile.ts';
import { encodeSection } from '../log/logLayout.ts';
import {
  createCellCounts,
  divideByGrid,
  divideCube,
  type CubePoints,
  type DivideOptions,
} from './divideCloud.ts';
import { createNodeBuffers, type NodeBuffers } from './nodeBuffers.ts';
import { cubeAbove, cubeAround, isSameCube, type CubeKey } from './octreeCube.ts';
import {
  gridPower,
  indexMethod,
  octreeEnd,
  octreeStart,
  octreeTrailerBytes,
} from './octreeLayout.ts';
import { createRecords, recordBytes, type PointRecords } from './pointRecords.ts';
import { createCubeSampler } from './sampleCube.ts';

export interface CloudSource extends Pick<OctreeHead, 'key' | 'originM' | 'classes'> {
  /** At least as many as there are. */
  maxPoints: number;
  /** A box around all points, relative to originM. */
  minM: readonly number[];
  maxM: readonly number[];
  /** The points in order, some thousand records at a time, in memory that may be used again. */
  blocks(): AsyncIterable<{ points: PointRecords; rows: number }>;
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
  source: CloudSource,
  file: string,
  spillPath: () => string,
  options: OctreeOptions = {},
): Promise<void> {
  const { chunkPoints = defaultChunkPoints, leafPoints = defaultLeafPoints, progress } = options;
  if (source.maxPoints > maxCloudPoints) {
    throw new UnderstoryError('unsupported', 'an octree holds four billion points at most');
  }
  const root = cubeAround(source.minM, source.maxM);
  const nodes = createNodeBuffers();
  const sampler = createCubeSampler(root, nodes, { leafPoints, maxPoints: chunkPoints });
  const output = await openAppendFile(file, 'create');
  try {
    await output.append(octreeStart);
    const read = await readCloud(source, root, spillPath, progress);
    const total = read.count;
    let moved = 0;
    const dividing: DivideOptions = { root, maxPoints: chunkPoints, spillPath };
    const reporting = {
      ...dividing,
      progress(rows: number) {
        moved += rows;
        progress?.(total + moved, 3 * total);
      },
    };
    const cubes = await closing(read.spill, () => divideByGrid(read.spill, read.counts, reporting));
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
    };
    const { bytes } = await encodeSection(indexMethod, head, { ...nodes.index() });
    const trailer = new Uint8Array(octreeTrailerBytes);
    new DataView(trailer.buffer).setBigUint64(0, BigInt(output.size), true);
    trailer.set(octreeEnd, 8);
    await output.append(bytes, trailer);
    await output.sync();
  } finally {
    await output.close();
  }
}

/** The points in a spill file, and how many are in each cell of the root's grid. */
async function readCloud(
  source: CloudSource,
  root: ReturnType<typeof cubeAround>,
  spillPath: () => string,
  progress: OctreeOptions['progress'],
): Promise<{ spill: SpillFile; counts: Uint32Array; count: number }> {
  const cells = createCellCounts(root);
  const spill = await openSpillFile(spillPath());
  let count = 0;
  try {
    for await (const { points, rows } of source.blocks()) {
      cells.add(points, rows);
      await spill.write(points.bytes.subarray(0, rows * recordBytes), count * recordBytes);
      count += rows;
      progress?.(count, 3 * source.maxPoints);
    }
  } catch (error) {
    await spill.close();
    throw error;
  }
  return { spill, counts: cells.counts, count };
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
