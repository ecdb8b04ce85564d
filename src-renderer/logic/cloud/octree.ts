// The octree of a cloud as a page knows it, and which of its nodes a view draws: those whose points are farthest apart on
// screen first, until points are as near as asked for or the budget is spent. Nodes only add points to those above.
import type { OctreeHead, OctreeNodeColumns } from '#contract/host/cloudMethods.ts';
import { axisOf, type ClipAxis } from './clipBox.ts';
import type { UprightBox } from '#domain/shared/uprightBox.ts';
import type { PlaceM } from './cloudBounds.ts';

export interface CloudOctree {
  head: OctreeHead;
  nodes: OctreeNodeColumns;
  /** The row of the root; -1: the cloud has no points. */
  root: number;
  /** Eight for each node: rows of its children, -1 where there is none. */
  children: Int32Array;
}

/** The camera, and the space that it sees. */
export interface OctreeView {
  eyeM: PlaceM;
  /** Six planes, x y z d each; inside is n · p + d >= 0. */
  planes: Float32Array;
  /** Pixels of the page. */
  pixelsPerRad: number;
  /** Null: nothing is clipped. */
  clip: UprightBox | null;
}

export interface OctreeLimits {
  budgetPoints: number;
  /** Points need not be nearer on screen. */
  minSpacingPx: number;
}

export interface ChosenNodes {
  /** The most needed first. */
  nodes: number[];
  points: number;
  /** Points on screen are so far apart at most where the budget left some out; null: it left out none. */
  cutSpacingPx: number | null;
}

/** Which node is whose child, from their cubes. */
export function octreeOf(head: OctreeHead, nodes: OctreeNodeColumns): CloudOctree {
  const { level, x, y, z } = nodes;
  const children = new Int32Array(8 * level.length).fill(-1);
  const rows = new Map<string, number>();
  const nameOf = (...cube: number[]): string => cube.join();
  for (const [row, depth] of level.entries()) {
    rows.set(nameOf(depth, x[row] ?? 0, y[row] ?? 0, z[row] ?? 0), row);
  }
  for (const [row, depth] of level.entries()) {
    const [i, j, k] = [x[row] ?? 0, y[row] ?? 0, z[row] ?? 0];
    const parent = rows.get(nameOf(depth - 1, i >>> 1, j >>> 1, k >>> 1));
    if (parent !== undefined) children[8 * parent + (i & 1) + 2 * (j & 1) + 4 * (k & 1)] = row;
  }
  return { head, nodes, root: rows.get(nameOf(0, 0, 0, 0)) ?? -1, children };
}

/** Pure; some thousand nodes are looked at in a millisecond. */
export function chooseNodes(
  octree: CloudOctree,
  view: OctreeView,
  { budgetPoints, minSpacingPx }: OctreeLimits,
): ChosenNodes {
  const { nodes, children, root } = octree;
  const cubes = createCubes(octree, view);
  const queue = createQueue();
  const chosen: ChosenNodes = { nodes: [], points: 0, cutSpacingPx: null };
  if (root >= 0 && cubes.isSeen(root)) queue.add(root, Infinity);
  for (let next = queue.take(); next !== null; next = queue.take()) {
    const points = nodes.points[next.node] ?? 0;
    if (chosen.points + points > budgetPoints) {
      // Why it ends here: a smaller node that is less needed would show detail where less is needed.
      chosen.cutSpacingPx = next.spacingPx;
      break;
    }
    chosen.nodes.push(next.node);
    chosen.points += points;
    const spacingPx = cubes.spacingPx(next.node);
    if (spacingPx <= minSpacingPx) continue;
    for (let octant = 0; octant < 8; octant += 1) {
      const child = children[8 * next.node + octant] ?? -1;
      // A child adds what its parent lacks: it is as needed as the parent's points are far apart where the child is.
      if (child >= 0 && cubes.isSeen(child)) queue.add(child, 2 * cubes.spacingPx(child));
    }
  }
  return chosen;
}

function createCubes(
  { head, nodes }: CloudOctree,
  { eyeM, planes, pixelsPerRad, clip }: OctreeView,
): { isSeen: (node: number) => boolean; spacingPx: (node: number) => number } {
  const edgeOf = (node: number): number => head.edgeM / 2 ** (nodes.level[node] ?? 0);
  const clipSides = clip === null ? [] : sidesOf(clip);
  const [minX, minY, minZ] = head.minM;
  return {
    isSeen(node) {
      const edgeM = edgeOf(node);
      const half = edgeM / 2;
      const x = minX + (nodes.x[node] ?? 0) * edgeM + half;
      const y = minY + (nodes.y[node] ?? 0) * edgeM + half;
      const z = minZ + (nodes.z[node] ?? 0) * edgeM + half;
      for (let at = 0; at < planes.length; at += 4) {
        const [a, b, c, d] = [
          planes[at] ?? 0,
          planes[at + 1] ?? 0,
          planes[at + 2] ?? 0,
          planes[at + 3] ?? 0,
        ];
        const reach = half * (Math.abs(a) + Math.abs(b) + Math.abs(c));
        if (a * x + b * y + c * z + d < -reach) return false;
      }
      return clipSides.every(({ along: [a, b, c], centre, reach }) => {
        const off = Math.abs(a * x + b * y + c * z - centre);
        return off <= reach + half * (Math.abs(a) + Math.abs(b) + Math.abs(c));
      });
    },
    spacingPx(node) {
      const edgeM = edgeOf(node);
      const away = (axis: 0 | 1 | 2, column: Uint32Array): number => {
        const low = head.minM[axis] + (column[node] ?? 0) * edgeM;
        return Math.max(low - eyeM[axis], eyeM[axis] - low - edgeM, 0);
      };
      const distanceM = Math.hypot(away(0, nodes.x), away(1, nodes.y), away(2, nodes.z));
      const spacingM = head.spacingM / 2 ** (nodes.level[node] ?? 0);
      // Why half of the spacing: inside of a cube its nearest points are about so near.
      return (spacingM * pixelsPerRad) / Math.max(distanceM, spacingM / 2, 1e-3);
    },
  };
}

function sidesOf(clip: UprightBox): { along: PlaceM; centre: number; reach: number }[] {
  return ([0, 1, 2] as const).map((axis: ClipAxis) => {
    const along = axisOf(clip, axis);
    const centre =
      along[0] * clip.centreM[0] + along[1] * clip.centreM[1] + along[2] * clip.centreM[2];
    return { along, centre, reach: clip.sizeM[axis] / 2 };
  });
}

interface Queued {
  node: number;
  spacingPx: number;
}

/** The widest spacing first; of equal ones the one that came first. */
function createQueue(): {
  add: (node: number, spacingPx: number) => void;
  take: () => Queued | null;
} {
  const heap: (Queued & { order: number })[] = [];
  let order = 0;
  const isBefore = (a: number, b: number): boolean => {
    const [one, other] = [heap[a], heap[b]];
    if (one === undefined || other === undefined) return one !== undefined;
    return (
      one.spacingPx > other.spacingPx ||
      (one.spacingPx === other.spacingPx && one.order < other.order)
    );
  };
  const swap = (a: number, b: number): void => {
    const [one, other] = [heap[a], heap[b]];
    if (one === undefined || other === undefined) return;
    [heap[a], heap[b]] = [other, one];
  };
  return {
    add(node, spacingPx) {
      order += 1;
      heap.push({ node, spacingPx, order });
      for (let at = heap.length - 1; at > 0;) {
        const above = (at - 1) >> 1;
        if (!isBefore(at, above)) break;
        swap(at, above);
        at = above;
      }
    },
    take() {
      const first = heap[0];
      const last = heap.pop();
      if (first === undefined || last === undefined) return null;
      if (heap.length === 0) return first;
      heap[0] = last;
      for (let at = 0; ;) {
        const [left, right] = [2 * at + 1, 2 * at + 2];
        let best = at;
        if (left < heap.length && isBefore(left, best)) best = left;
        if (right < heap.length && isBefore(right, best)) best = right;
        if (best === at) break;
        swap(at, best);
        at = best;
      }
      return first;
    },
  };
}
