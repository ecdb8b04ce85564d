// Points of one cube of an octree, all in memory, into the nodes that hold them: those above the cube, its own and
// those below. A node takes one of the points in each cell of its grid, the one of the lowest rank that no node above
// has taken; a cube of few points is a leaf, which takes all that are left.
import { childOf, coordinateOf, cubeAbove, type CubeKey, type OctreeCube } from './octreeCube.ts';
import type { NodeBuffers } from './nodeBuffers.ts';
import { coordinateBits, gridPower, maxLevel } from './octreeLayout.ts';
import { isTaken, rankOf, type PointRecords } from './pointRecords.ts';

export interface CubeSampler {
  /**
   * All `count` points of `cube`, those that are taken included. Nodes of levels from `fromLevel` on choose, each with
   * cells that lie in the cube as a whole.
   */
  sample(cube: CubeKey, points: PointRecords, count: number, fromLevel: number): void;
}

const cellMask = 2 ** gridPower - 1;
const free = 255;

/** @param leafPoints most points of a cube, those that nodes above have taken included, that is a leaf */
export function createCubeSampler(
  root: OctreeCube,
  nodes: NodeBuffers,
  { leafPoints, maxPoints }: { leafPoints: number; maxPoints: number },
): CubeSampler {
  const coordinates = [0, 1, 2].map(() => new Int32Array(maxPoints));
  const [xs = new Int32Array(0), ys = xs, zs = xs] = coordinates;
  const ranks = new Uint32Array(maxPoints);
  /** Level that took a point. */
  const levels = new Uint8Array(maxPoints);
  const rows = new Uint32Array(maxPoints);
  const sorted = new Uint32Array(maxPoints);
  /** By cell: row of the best point so far, plus 1; 0: none. */
  const best = new Uint32Array(2 ** (3 * gridPower));
  const cells = new Uint32Array(maxPoints);
  let points: PointRecords;

  return {
    sample(cube, given, count, fromLevel) {
      points = given;
      read(count);
      for (let level = fromLevel; level < Math.min(cube.level, maxLevel + 1); level += 1) {
        choose(cubeAbove(cube, level), 0, count, level === maxLevel);
      }
      if (cube.level <= maxLevel) fill(cube, 0, count);
    },
  };

  function read(count: number): void {
    for (let row = 0; row < count; row += 1) {
      xs[row] = coordinateOf(root, points, row, 0);
      ys[row] = coordinateOf(root, points, row, 1);
      zs[row] = coordinateOf(root, points, row, 2);
      ranks[row] = rankOf(points, row);
      levels[row] = isTaken(points, row) ? 0 : free;
      rows[row] = row;
    }
  }

  /** The node of a cube, whose points are rows[from] to rows[to - 1], and those below it. */
  function fill(cube: CubeKey, from: number, to: number): void {
    const isLeaf = to - from <= leafPoints || cube.level === maxLevel;
    choose(cube, from, to, isLeaf);
    if (!isLeaf) {
      const ends = partition(cube.level, from, to);
      let start = from;
      for (const [octant, end] of ends.entries()) {
        if (end > start) fill(childOf(cube, octant), start, end);
        start = end;
      }
    }
    nodes.leave(cube.level);
  }

  function choose(cube: CubeKey, from: number, to: number, takesAll: boolean): void {
    if (takesAll) {
      for (let at = from; at < to; at += 1) {
        const row = rows[at] ?? 0;
        if (levels[row] === free) add(cube, row);
      }
      return;
    }
    const shift = coordinateBits - gridPower - cube.level;
    let touched = 0;
    for (let at = from; at < to; at += 1) {
      const row = rows[at] ?? 0;
      if (levels[row] !== free) continue;
      const cell =
        (((xs[row] ?? 0) >>> shift) & cellMask) |
        ((((ys[row] ?? 0) >>> shift) & cellMask) << gridPower) |
        ((((zs[row] ?? 0) >>> shift) & cellMask) << (2 * gridPower));
      const known = best[cell] ?? 0;
      if (known === 0) {
        cells[touched] = cell;
        touched += 1;
      }
      if (known === 0 || (ranks[row] ?? 0) < (ranks[known - 1] ?? 0)) best[cell] = row + 1;
    }
    for (let at = 0; at < touched; at += 1) {
      const cell = cells[at] ?? 0;
      add(cube, (best[cell] ?? 1) - 1);
      best[cell] = 0;
    }
  }

  function add(cube: CubeKey, row: number): void {
    levels[row] = cube.level;
    nodes.add(cube, points, row);
  }

  /** Sorts rows by the octant of a cube of `level` that they are in. Returns where each octant ends. */
  function partition(level: number, from: number, to: number): number[] {
    const bit = coordinateBits - 1 - level;
    const octantOf = (row: number): number =>
      (((xs[row] ?? 0) >>> bit) & 1) |
      ((((ys[row] ?? 0) >>> bit) & 1) << 1) |
      ((((zs[row] ?? 0) >>> bit) & 1) << 2);
    const counts = new Uint32Array(8);
    for (let at = from; at < to; at += 1) {
      const octant = octantOf(rows[at] ?? 0);
      counts[octant] = (counts[octant] ?? 0) + 1;
    }
    const next = new Uint32Array(8);
    let sum = from;
    for (let octant = 0; octant < 8; octant += 1) {
      next[octant] = sum;
      sum += counts[octant] ?? 0;
    }
    for (let at = from; at < to; at += 1) {
      const row = rows[at] ?? 0;
      const octant = octantOf(row);
      const into = next[octant] ?? 0;
      sorted[into] = row;
      next[octant] = into + 1;
    }
    rows.set(sorted.subarray(from, to), from);
    return [...next];
  }
}
