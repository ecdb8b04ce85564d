// Divides a cloud that does not fit in memory into cubes that do, in Morton order: first by a grid whose cells are
// those of the root, merged where they hold few points; what is still too large is halved along each axis until it
// fits. What nodes above choose from cells that are parted is chosen on the way.
import { openSpillFile, type SpillFile } from '#files/spillFile.ts';
import { UnderstoryError } from '#contract/errors.ts';
import {
  childOf,
  coordinateOf,
  cubeAbove,
  cubeOf,
  type CubeKey,
  type OctreeCube,
} from './octreeCube.ts';
import { coordinateBits, gridPower } from './octreeLayout.ts';
import {
  copyRecord,
  createRecords,
  isTaken,
  rankOf,
  recordBytes,
  take,
  type PointRecords,
} from './pointRecords.ts';

/** Points of a cube: records of a spill file, one after the other. */
export interface CubePoints {
  cube: CubeKey;
  spill: SpillFile;
  fromRow: number;
  count: number;
}

export interface DivideOptions {
  root: OctreeCube;
  /** Most points of a cube. */
  maxPoints: number;
  /** Name of a new spill file. */
  spillPath: () => string;
  /** Rows that were moved since the last call. */
  progress?: (rows: number) => void;
}

const grid = 2 ** gridPower;
/** Rows that are read at a time. */
const blockRows = 65_536;
/** All buffers of a division together. */
const bufferRows = 2 ** 21;

/** How many of the first points of a spill file are in each cell of the root's grid. */
export async function countCells(
  spill: SpillFile,
  count: number,
  root: OctreeCube,
): Promise<Uint32Array> {
  const counts = new Uint32Array(grid ** 3);
  await forBlocks({ spill, fromRow: 0, count }, (points, rows) => {
    for (let row = 0; row < rows; row += 1) {
      const cell = cellOf(root, points, row);
      counts[cell] = (counts[cell] ?? 0) + 1;
    }
  });
  return counts;
}

/**
 * The cubes of a cloud with at most `maxPoints`, or at the level of the grid, with their points in a new spill file.
 * @param counts of countCells
 */
export async function divideByGrid(
  spill: SpillFile,
  counts: Uint32Array,
  options: DivideOptions,
): Promise<CubePoints[]> {
  const cubes = mergedCells(counts, options.maxPoints);
  const cubeOfCell = new Uint32Array(counts.length);
  for (const [index, { cube }] of cubes.entries()) {
    const shift = gridPower - cube.level;
    forCells(cube, shift, (cell) => {
      cubeOfCell[cell] = index;
    });
  }
  const total = cubes.reduce((sum, { count }) => sum + count, 0);
  const { root } = options;
  return distribute({ spill, fromRow: 0, count: total }, cubes, options, {
    target: (points, row) => cubeOfCell[cellOf(root, points, row)] ?? 0,
  });
}

/**
 * The children of a cube of the grid's level or below that has too many points; the node whose cell the cube is gets its
 * point by `choose`. @throws UnderstoryError 'unsupported' where the points cannot be distinguished
 */
export async function divideCube(
  { cube, spill, fromRow, count }: CubePoints,
  options: DivideOptions,
  choose: (node: CubeKey, points: PointRecords, row: number) => void,
): Promise<CubePoints[]> {
  if (cube.level >= coordinateBits) {
    throw new UnderstoryError('unsupported', `${count} points of the cloud are at one place`);
  }
  const { root } = options;
  const octantOf = (points: PointRecords, row: number): number =>
    (cubeOf(coordinateOf(root, points, row, 0), cube.level + 1) & 1) |
    ((cubeOf(coordinateOf(root, points, row, 1), cube.level + 1) & 1) << 1) |
    ((cubeOf(coordinateOf(root, points, row, 2), cube.level + 1) & 1) << 2);
  const counts = new Array<number>(8).fill(0);
  let chosenRow = -1;
  let chosenRank = Infinity;
  await forBlocks({ spill, fromRow, count }, (points, rows, doneRows) => {
    for (let row = 0; row < rows; row += 1) {
      const octant = octantOf(points, row);
      counts[octant] = (counts[octant] ?? 0) + 1;
      const rank = rankOf(points, row);
      if (rank >= chosenRank || isTaken(points, row)) continue;
      [chosenRow, chosenRank] = [doneRows + row, rank];
    }
  });
  const octants = counts.map((_, octant) => octant).filter((octant) => (counts[octant] ?? 0) > 0);
  const children = octants.map((octant) => ({
    cube: childOf(cube, octant),
    count: counts[octant] ?? 0,
  }));
  return distribute({ spill, fromRow, count }, children, options, {
    target: (points, row) => octants.indexOf(octantOf(points, row)),
    visit(points, rows, doneRows) {
      const row = chosenRow - doneRows;
      if (row < 0 || row >= rows) return;
      choose(cubeAbove(cube, cube.level - gridPower), points, row);
      take(points, row);
    },
  });
}

/** Cubes in Morton order, as large as they may be. */
function mergedCells(cells: Uint32Array, maxPoints: number): { cube: CubeKey; count: number }[] {
  const pyramid: Uint32Array[] = [cells];
  for (let edge = grid / 2; edge >= 1; edge /= 2) {
    const below = pyramid[0] ?? cells;
    const sums = new Uint32Array(edge ** 3);
    below.forEach((count, cell) => {
      const [x, y, z] = [
        cell % (2 * edge),
        Math.floor(cell / (2 * edge)) % (2 * edge),
        Math.floor(cell / (2 * edge) ** 2),
      ];
      const above = (x >> 1) + edge * ((y >> 1) + edge * (z >> 1));
      sums[above] = (sums[above] ?? 0) + count;
    });
    pyramid.unshift(sums);
  }
  const cubes: { cube: CubeKey; count: number }[] = [];
  const visit = (cube: CubeKey): void => {
    const { level, x, y, z } = cube;
    const edge = 2 ** level;
    const count = pyramid[level]?.[x + edge * (y + edge * z)] ?? 0;
    if (count === 0) return;
    if (count <= maxPoints || level === gridPower) {
      cubes.push({ cube, count });
      return;
    }
    for (let octant = 0; octant < 8; octant += 1) visit(childOf(cube, octant));
  };
  visit({ level: 0, x: 0, y: 0, z: 0 });
  return cubes;
}

function forCells({ x, y, z }: CubeKey, shift: number, each: (cell: number) => void): void {
  const edge = 2 ** shift;
  for (let k = z * edge; k < (z + 1) * edge; k += 1) {
    for (let j = y * edge; j < (y + 1) * edge; j += 1) {
      for (let i = x * edge; i < (x + 1) * edge; i += 1) each(i + grid * (j + grid * k));
    }
  }
}

function cellOf(root: OctreeCube, points: PointRecords, row: number): number {
  const x = cubeOf(coordinateOf(root, points, row, 0), gridPower);
  const y = cubeOf(coordinateOf(root, points, row, 1), gridPower);
  const z = cubeOf(coordinateOf(root, points, row, 2), gridPower);
  return x + grid * (y + grid * z);
}

interface SpillRows {
  spill: SpillFile;
  fromRow: number;
  count: number;
}

/** Reads rows block by block into memory that is used again. */
async function forBlocks(
  { spill, fromRow, count }: SpillRows,
  visit: (points: PointRecords, rows: number, doneRows: number) => void | Promise<void>,
): Promise<void> {
  const block = createRecords(Math.min(blockRows, count));
  for (let done = 0; done < count; done += blockRows) {
    const rows = Math.min(blockRows, count - done);
    await spill.read(block.bytes.subarray(0, rows * recordBytes), (fromRow + done) * recordBytes);
    await visit(block, rows, done);
  }
}

/** Moves rows into a new spill file, those of each target together and in their order. */
async function distribute(
  rows: SpillRows,
  targets: readonly { cube: CubeKey; count: number }[],
  { spillPath, progress }: DivideOptions,
  {
    target,
    visit = () => undefined,
  }: {
    target: (points: PointRecords, row: number) => number;
    visit?: (points: PointRecords, rows: number, doneRows: number) => void;
  },
): Promise<CubePoints[]> {
  if (targets.length === 0) return [];
  const spill = await openSpillFile(spillPath());
  const capacity = Math.max(256, Math.min(16_384, Math.floor(bufferRows / targets.length)));
  const buffers: (PointRecords | undefined)[] = [];
  const filled = new Uint32Array(targets.length);
  const next: number[] = [];
  let sum = 0;
  for (const { count } of targets) {
    next.push(sum);
    sum += count;
  }
  const flush = async (index: number): Promise<void> => {
    const used = filled[index] ?? 0;
    const at = next[index] ?? 0;
    const bytes = buffers[index]?.bytes.subarray(0, used * recordBytes);
    if (bytes !== undefined) await spill.write(bytes, at * recordBytes);
    next[index] = at + used;
    filled[index] = 0;
  };
  try {
    await forBlocks(rows, async (points, count, doneRows) => {
      visit(points, count, doneRows);
      for (let row = 0; row < count; row += 1) {
        const index = target(points, row);
        const size = Math.min(capacity, targets[index]?.count ?? 1);
        const buffer = (buffers[index] ??= createRecords(size));
        const used = filled[index] ?? 0;
        copyRecord(points, row, buffer, used);
        filled[index] = used + 1;
        if (used + 1 === size) await flush(index);
      }
      progress?.(count);
    });
    for (const index of targets.keys()) await flush(index);
  } catch (error) {
    await spill.close();
    throw error;
  }
  let fromRow = 0;
  return targets.map(({ cube, count }) => {
    const points = { cube, spill, fromRow, count };
    fromRow += count;
    return points;
  });
}
