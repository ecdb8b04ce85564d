// The cube of an octree and whole coordinates in it.
import { coordinateBits } from './octreeLayout.ts';
import { positionOf, type PointRecords } from './pointRecords.ts';

export interface OctreeCube {
  minM: [number, number, number];
  edgeM: number;
}

/** A cube among those of its level. */
export interface CubeKey {
  level: number;
  x: number;
  y: number;
  z: number;
}

const maxCoordinate = 2 ** coordinateBits - 1;
/** So that the cube of a single point has cells. */
const minEdgeM = 1e-3;

/** The cube around a box of finite corners. */
export function cubeAround(minM: readonly number[], maxM: readonly number[]): OctreeCube {
  const corner = [0, 1, 2].map((axis) => minM[axis] ?? 0) as [number, number, number];
  const edges = corner.map((low, axis) => (maxM[axis] ?? 0) - low);
  return { minM: corner, edgeM: Math.max(minEdgeM, ...edges) };
}

/** A point's coordinate on an axis, in units of the edge / 2^coordinateBits; points on a border are inside. */
export function coordinateOf(
  { minM, edgeM }: OctreeCube,
  from: PointRecords,
  row: number,
  axis: 0 | 1 | 2,
): number {
  const share = (positionOf(from, row, axis) - minM[axis]) / edgeM;
  return Math.min(maxCoordinate, Math.max(0, Math.floor(share * 2 ** coordinateBits)));
}

/** The coordinate of a cube of `level` that holds a coordinate. */
export function cubeOf(coordinate: number, level: number): number {
  return Math.floor(coordinate / 2 ** (coordinateBits - level));
}

/** The cube of a level above that holds this one. */
export function cubeAbove({ level: from, x, y, z }: CubeKey, level: number): CubeKey {
  const shift = from - level;
  return {
    level,
    x: Math.floor(x / 2 ** shift),
    y: Math.floor(y / 2 ** shift),
    z: Math.floor(z / 2 ** shift),
  };
}

export function childOf({ level, x, y, z }: CubeKey, octant: number): CubeKey {
  return {
    level: level + 1,
    x: 2 * x + (octant & 1),
    y: 2 * y + ((octant >> 1) & 1),
    z: 2 * z + (octant >> 2),
  };
}

export function isSameCube(a: CubeKey, b: CubeKey): boolean {
  return a.level === b.level && a.x === b.x && a.y === b.y && a.z === b.z;
}
