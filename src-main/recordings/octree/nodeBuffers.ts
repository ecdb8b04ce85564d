// The nodes of an octree that are being filled: one of each level at most, since cubes are visited in Morton order. A node
// is written when its cube has been left, children before parents, its points by their rank: its bytes do not depend
// on how the cloud was divided on the way.
import { columnTypes, type Arrays } from '#contract/columns.ts';
import { octreeNodeColumns } from '#contract/host/cloudMethods.ts';
import type { CubeKey } from './octreeCube.ts';
import { checksumOf, nodeColumnsOf, nodePointBytes, type NodeLayout } from './octreeLayout.ts';
import {
  classOf,
  intensityOf,
  positionOf,
  rankOf,
  rgbOf,
  type PointRecords,
} from './pointRecords.ts';

export interface NodeBuffers {
  /** Adds a point to the node of `cube`, the only one of its level that may be open. */
  add(cube: CubeKey, from: PointRecords, row: number): void;
  /** The cube of `level`, and those below, have been left. */
  leave(level: number): void;
  /** The cube of the open node of a level; null: none is. */
  openAt(level: number): CubeKey | null;
  /** Bytes of nodes that were left since the last call, in the order of the file. */
  takeBytes(): Uint8Array[];
  /** All nodes that were left: those of the contract, and their checksums. */
  index(): NodeIndex;
}

export const nodeIndexColumns = { ...octreeNodeColumns, crc32: 'u32' } as const;
export type NodeIndex = Arrays<typeof nodeIndexColumns>;

interface Filling {
  cube: CubeKey;
  count: number;
  positions: Float32Array;
  intensities: Float32Array;
  classIds: Uint16Array;
  colours: Uint32Array;
  ranks: Uint32Array;
}

export function createNodeBuffers({ hasColour }: Pick<NodeLayout, 'hasColour'>): NodeBuffers {
  const layout = { hasColour, distances: null };
  const fillings: Filling[] = [];
  let written: Uint8Array[] = [];
  const rows: number[][] = [];

  function open(cube: CubeKey): Filling {
    const known = fillings[cube.level];
    if (known !== undefined && known.count > 0) return known;
    const opened = known ?? emptyFilling(cube);
    opened.cube = cube;
    fillings[cube.level] = opened;
    return opened;
  }

  function flush(filling: Filling): void {
    const { cube, count } = filling;
    if (count === 0) return;
    const bytes = bytesOf(filling, layout);
    rows.push([cube.level, cube.x, cube.y, cube.z, count, checksumOf(bytes)]);
    written.push(bytes);
    filling.count = 0;
  }

  return {
    add(cube, from, row) {
      const filling = open(cube);
      const at = filling.count;
      if (at === filling.ranks.length) grow(filling);
      for (let axis = 0; axis < 3; axis += 1) {
        filling.positions[3 * at + axis] = positionOf(from, row, axis);
      }
      filling.intensities[at] = intensityOf(from, row);
      filling.classIds[at] = classOf(from, row);
      filling.colours[at] = rgbOf(from, row);
      filling.ranks[at] = rankOf(from, row);
      filling.count = at + 1;
    },
    leave(level) {
      for (let deepest = fillings.length - 1; deepest >= level; deepest -= 1) {
        const filling = fillings[deepest];
        if (filling !== undefined) flush(filling);
      }
    },
    openAt(level) {
      const filling = fillings[level];
      return filling === undefined || filling.count === 0 ? null : filling.cube;
    },
    takeBytes() {
      const taken = written;
      written = [];
      return taken;
    },
    index() {
      const columns = Object.entries(nodeIndexColumns).map(([name, type], column) => [
        name,
        columnTypes[type].from(rows.map((row) => row[column] ?? 0)),
      ]);
      // Why the cast: names that are put together are strings to Object.fromEntries.
      return Object.fromEntries(columns) as NodeIndex;
    },
  };
}

function emptyFilling(cube: CubeKey): Filling {
  return {
    cube,
    count: 0,
    positions: new Float32Array(0),
    intensities: new Float32Array(0),
    classIds: new Uint16Array(0),
    colours: new Uint32Array(0),
    ranks: new Uint32Array(0),
  };
}

function grow(filling: Filling): void {
  const capacity = Math.max(1024, 2 * filling.ranks.length);
  const positions = new Float32Array(3 * capacity);
  const intensities = new Float32Array(capacity);
  const classIds = new Uint16Array(capacity);
  const colours = new Uint32Array(capacity);
  const ranks = new Uint32Array(capacity);
  positions.set(filling.positions);
  intensities.set(filling.intensities);
  classIds.set(filling.classIds);
  colours.set(filling.colours);
  ranks.set(filling.ranks);
  Object.assign(filling, { positions, intensities, classIds, colours, ranks });
}

/** The points by their rank. Why: the first of them are then an even sample of the node. */
function bytesOf(
  { count, positions, intensities, classIds, colours, ranks }: Filling,
  layout: NodeLayout,
): Uint8Array {
  const order = rowsByRank(ranks.subarray(0, count));
  const bytes = new Uint8Array(count * nodePointBytes(layout));
  const { position, intensity, class_id: classId, colour } = nodeColumnsOf(bytes, count, layout);
  for (let at = 0; at < count; at += 1) {
    const row = order[at] ?? 0;
    position[3 * at] = positions[3 * row] ?? 0;
    position[3 * at + 1] = positions[3 * row + 1] ?? 0;
    position[3 * at + 2] = positions[3 * row + 2] ?? 0;
    intensity[at] = intensities[row] ?? 0;
    classId[at] = classIds[row] ?? 0;
    if (colour === undefined) continue;
    const rgb = colours[row] ?? 0;
    colour[3 * at] = rgb >>> 16;
    colour[3 * at + 1] = (rgb >>> 8) & 255;
    colour[3 * at + 2] = rgb & 255;
  }
  return bytes;
}

/** Rows in the order of their ranks: a radix sort of three digits. */
function rowsByRank(ranks: Uint32Array): Uint32Array {
  const [digitBits, digits] = [11, 3];
  let order = Uint32Array.from(ranks, (_, row) => row);
  let next = new Uint32Array(ranks.length);
  const starts = new Uint32Array(2 ** digitBits);
  for (let digit = 0; digit < digits; digit += 1) {
    const shift = digit * digitBits;
    const mask = 2 ** digitBits - 1;
    starts.fill(0);
    for (const rank of ranks) {
      const value = (rank >>> shift) & mask;
      starts[value] = (starts[value] ?? 0) + 1;
    }
    let sum = 0;
    for (let value = 0; value < starts.length; value += 1) {
      const own = starts[value] ?? 0;
      starts[value] = sum;
      sum += own;
    }
    for (const row of order) {
      const value = ((ranks[row] ?? 0) >>> shift) & mask;
      const at = starts[value] ?? 0;
      next[at] = row;
      starts[value] = at + 1;
    }
    [order, next] = [next, order];
  }
  return order;
}
