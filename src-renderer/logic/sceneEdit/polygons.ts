// Polygons in the plane: the outer edge of several that overlap, fewer corners, tests of places.
import { union } from 'polyclip-ts';
import type { PlaceM } from './groundShapes.ts';

type Segment = readonly [PlaceM, PlaceM];

/** The outer edge of what polygons cover that overlap, counter-clockwise, without holes. */
export function outerEdge(polygons: readonly (readonly PlaceM[])[]): PlaceM[] {
  const [first = [], ...others] = polygons.map((cornersM) => [
    cornersM.map(([x, y]): [number, number] => [x, y]),
  ]);
  // The first ring of a piece is its outer edge; of polygons that overlap there is one piece.
  const [[edgeM = []] = []] = union(first, ...others);
  return edgeM.slice(0, -1);
}

/** Fewer corners, none of the old ones farther from the new edge than the tolerance (Douglas and Peucker). */
export function simplified(cornersM: readonly PlaceM[], toleranceM: number): PlaceM[] {
  if (cornersM.length < 5) return [...cornersM];
  const [first = [0, 0]] = cornersM;
  let far = 0;
  for (const [index, corner] of cornersM.entries()) {
    const farM = Math.hypot(corner[0] - first[0], corner[1] - first[1]);
    const best = cornersM[far] ?? first;
    if (farM > Math.hypot(best[0] - first[0], best[1] - first[1])) far = index;
  }
  const one = simplifiedLine(cornersM.slice(0, far + 1), toleranceM);
  const other = simplifiedLine([...cornersM.slice(far), first], toleranceM);
  const corners = [...one.slice(0, -1), ...other.slice(0, -1)];
  return corners.length < 3 ? [...cornersM] : corners;
}

/** No two edges meet but at their corners. */
export function isSimple(cornersM: readonly PlaceM[]): boolean {
  const edges = cornersM.map((to, index): Segment => [cornersM.at(index - 1) ?? to, to]);
  return edges.every((edge, index) =>
    edges.every((other, at) => {
      const isBeside = Math.abs(index - at) < 2 || Math.abs(index - at) === edges.length - 1;
      return isBeside || meeting(edge, other) === null;
    }),
  );
}

/** By the number of edges to the east. */
export function isInside(cornersM: readonly PlaceM[], [x, y]: PlaceM): boolean {
  let isIn = false;
  for (const [index, [bx, by]] of cornersM.entries()) {
    const [ax, ay] = cornersM.at(index - 1) ?? [bx, by];
    if (ay > y !== by > y && x < ((bx - ax) * (y - ay)) / (by - ay) + ax) isIn = !isIn;
  }
  return isIn;
}

export function distanceToSegment([x, y]: PlaceM, [ax, ay]: PlaceM, [bx, by]: PlaceM): number {
  const [dx, dy] = [bx - ax, by - ay];
  const squared = dx * dx + dy * dy;
  const share = squared > 0 ? ((x - ax) * dx + (y - ay) * dy) / squared : 0;
  const within = Math.min(Math.max(share, 0), 1);
  return Math.hypot(ax + within * dx - x, ay + within * dy - y);
}

function simplifiedLine(pointsM: readonly PlaceM[], toleranceM: number): PlaceM[] {
  const [first, last] = [pointsM[0], pointsM.at(-1)];
  if (first === undefined || last === undefined || pointsM.length < 3) return [...pointsM];
  let [far, farM] = [0, 0];
  for (const [index, point] of pointsM.entries()) {
    const awayM = distanceToSegment(point, first, last);
    if (awayM > farM) [far, farM] = [index, awayM];
  }
  if (farM <= toleranceM) return [first, last];
  const before = simplifiedLine(pointsM.slice(0, far + 1), toleranceM);
  return [...before.slice(0, -1), ...simplifiedLine(pointsM.slice(far), toleranceM)];
}

/** Where two segments cross within both; null: they do not, or are parallel. */
function meeting([[ax, ay], [bx, by]]: Segment, [[cx, cy], [dx, dy]]: Segment): PlaceM | null {
  const across = (bx - ax) * (dy - cy) - (by - ay) * (dx - cx);
  if (Math.abs(across) < 1e-12) return null;
  const one = ((cx - ax) * (dy - cy) - (cy - ay) * (dx - cx)) / across;
  const other = ((cx - ax) * (by - ay) - (cy - ay) * (bx - ax)) / across;
  const isIn = one >= 0 && one <= 1 && other >= 0 && other <= 1;
  return isIn ? [ax + one * (bx - ax), ay + one * (by - ay)] : null;
}
