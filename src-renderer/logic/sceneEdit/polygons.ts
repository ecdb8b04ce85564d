// Polygons in the plane: the outer edge of several that overlap, fewer corners, tests of places.
import type { PlaceM } from './groundShapes.ts';

/** Corners nearer than this are one. */
const gridM = 1e-3;

type Segment = readonly [PlaceM, PlaceM];

/**
 * The outer edge of what polygons cover that overlap, counter-clockwise, without holes. Edges are split where they meet;
 * from the corner that is farthest to the west the walk takes the rightmost turn at each corner, which keeps to the outside.
 */
export function outerEdge(polygons: readonly (readonly PlaceM[])[]): PlaceM[] {
  const nodes = new Map<string, { placeM: PlaceM; next: Set<string> }>();
  const node = ([x, y]: PlaceM): string => {
    const placeM: PlaceM = [Math.round(x / gridM) * gridM, Math.round(y / gridM) * gridM];
    const key = `${Math.round(x / gridM)} ${Math.round(y / gridM)}`;
    if (!nodes.has(key)) nodes.set(key, { placeM, next: new Set() });
    return key;
  };
  const edges = polygons.flatMap((corners) =>
    corners.map((to, index): Segment => [corners.at(index - 1) ?? to, to]),
  );
  for (const edge of edges) {
    const keys = splitPlaces(edge, edges).map(node);
    for (const [index, key] of keys.entries()) {
      const before = keys[index - 1];
      if (before === undefined || before === key) continue;
      nodes.get(before)?.next.add(key);
      nodes.get(key)?.next.add(before);
    }
  }
  const placeOf = (key: string): PlaceM => nodes.get(key)?.placeM ?? [0, 0];
  const first = [...nodes.keys()].reduce((best, key) => {
    const [[x, y], [bestX, bestY]] = [placeOf(key), placeOf(best)];
    return x < bestX || (x === bestX && y < bestY) ? key : best;
  });
  const turnAt = (key: string, backRad: number): string | null => {
    const [x, y] = placeOf(key);
    let [best, bestRad]: [string | null, number] = [null, Infinity];
    for (const next of nodes.get(key)?.next ?? []) {
      const [nextX, nextY] = placeOf(next);
      const turnRad = positiveAngle(Math.atan2(nextY - y, nextX - x) - backRad);
      if (turnRad < bestRad) [best, bestRad] = [next, turnRad];
    }
    return best;
  };
  const walk: string[] = [first];
  let backRad = Math.PI;
  // Why bounded: a fault must not keep the page busy.
  for (let step = 0; step < 4 * nodes.size; step += 1) {
    const here = walk.at(-1) ?? first;
    const next = turnAt(here, backRad);
    if (next === null || (next === first && walk.length > 2)) break;
    const [[x, y], [nextX, nextY]] = [placeOf(here), placeOf(next)];
    backRad = Math.atan2(y - nextY, x - nextX);
    walk.push(next);
  }
  return walk.map(placeOf);
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

/** Both ends of an edge, and where others meet it, in order. */
function splitPlaces(edge: Segment, edges: readonly Segment[]): PlaceM[] {
  const [[ax, ay], [bx, by]] = edge;
  const found = edges.flatMap((other) => {
    if (isApart(edge, other)) return [];
    const onEdge = other.filter((place) => distanceToSegment(place, ...edge) < gridM);
    const crossing = meeting(edge, other);
    return crossing === null ? onEdge : [...onEdge, crossing];
  });
  const along = ([x, y]: PlaceM): number => (x - ax) * (bx - ax) + (y - ay) * (by - ay);
  return [edge[0], ...found, edge[1]].toSorted((one, other) => along(one) - along(other));
}

/** Their boxes do not meet: most pairs, at once. */
function isApart([[ax, ay], [bx, by]]: Segment, [[cx, cy], [dx, dy]]: Segment): boolean {
  return (
    Math.max(ax, bx) + gridM < Math.min(cx, dx) ||
    Math.max(cx, dx) + gridM < Math.min(ax, bx) ||
    Math.max(ay, by) + gridM < Math.min(cy, dy) ||
    Math.max(cy, dy) + gridM < Math.min(ay, by)
  );
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

/** Above 0, to a whole turn. */
function positiveAngle(angleRad: number): number {
  const turn = 2 * Math.PI;
  const positive = ((angleRad % turn) + turn) % turn;
  return positive < 1e-9 ? turn : positive;
}
