// Convex polygons in the plane: overlap by separating axes (the theorem of hyperplane separation), with a
// margin. Points are x, y pairs in one flat array, counter-clockwise.
import type { PlanarPose } from '#domain/shared/pose.ts';

type Point = readonly [number, number];

/** Flat x, y pairs of a convex polygon, counter-clockwise, metres. */
export type Polygon = Float64Array;

/** The corners of a rectangle about a pose, grown by `marginM` on every side. */
export function rectangle(
  centre: PlanarPose,
  lengthM: number,
  widthM: number,
  marginM = 0,
): Polygon {
  const halfLengthM = lengthM / 2 + marginM;
  const halfWidthM = widthM / 2 + marginM;
  const [cos, sin] = [Math.cos(centre.yawRad), Math.sin(centre.yawRad)];
  const corners = new Float64Array(8);
  const signs = [-1, -1, 1, -1, 1, 1, -1, 1];
  for (let corner = 0; corner < 4; corner += 1) {
    const along = (signs[2 * corner] as number) * halfLengthM;
    const across = (signs[2 * corner + 1] as number) * halfWidthM;
    corners[2 * corner] = centre.xM + cos * along - sin * across;
    corners[2 * corner + 1] = centre.yM + sin * along + cos * across;
  }
  return corners;
}

/** True where two convex polygons share area; touching is no overlap. */
export function overlaps(a: Polygon, b: Polygon): boolean {
  return !isSeparatedByEdgeOf(a, b) && !isSeparatedByEdgeOf(b, a);
}

/** Smallest distance between two convex polygons; 0 where they share area. */
export function distanceM(a: Polygon, b: Polygon): number {
  return overlaps(a, b) ? 0 : Math.min(cornerDistanceM(a, b), cornerDistanceM(b, a));
}

/**
 * How far `a` must move, at least, to share no area with `b`: along the normal of an edge of either. 0 where they share
 * none.
 */
export function depthM(a: Polygon, b: Polygon): number {
  return Math.max(0, Math.min(depthAlongEdgesOf(a, b), depthAlongEdgesOf(b, a)));
}

/** The convex polygon about points. */
export function hullOf(points: readonly Point[]): Polygon {
  const sorted = points.toSorted(([ax, ay], [bx, by]) => ax - bx || ay - by);
  // Why twice: Andrew 1979, the lower chain from west to east, then the upper one back.
  const chain = (ordered: typeof sorted): typeof sorted => {
    const corners: typeof sorted = [];
    for (const point of ordered) {
      for (;;) {
        const [from, over] = corners.slice(-2);
        if (from === undefined || over === undefined || isLeftTurn(from, over, point)) break;
        corners.pop();
      }
      corners.push(point);
    }
    return corners.slice(0, -1);
  };
  return Float64Array.from([...chain(sorted), ...chain(sorted.toReversed())].flat());
}

/** The least rectangle along the axes: [minX, minY, maxX, maxY]. */
export function boundsOf(polygon: Polygon): [number, number, number, number] {
  const bounds: [number, number, number, number] = [Infinity, Infinity, -Infinity, -Infinity];
  for (let at = 0; at < polygon.length; at += 2) {
    const x = polygon[at] as number;
    const y = polygon[at + 1] as number;
    bounds[0] = Math.min(bounds[0], x);
    bounds[1] = Math.min(bounds[1], y);
    bounds[2] = Math.max(bounds[2], x);
    bounds[3] = Math.max(bounds[3], y);
  }
  return bounds;
}

/** A circle about a polygon. */
export function boundingDisc(outline: Polygon): { xM: number; yM: number; radiusM: number } {
  const [minX, minY, maxX, maxY] = boundsOf(outline);
  return {
    xM: (minX + maxX) / 2,
    yM: (minY + maxY) / 2,
    radiusM: Math.hypot(maxX - minX, maxY - minY) / 2,
  };
}

function isSeparatedByEdgeOf(a: Polygon, b: Polygon): boolean {
  for (let at = 0; at < a.length; at += 2) {
    const next = (at + 2) % a.length;
    const x = a[at] as number;
    const y = a[at + 1] as number;
    // Outward normal of a counter-clockwise edge.
    const normalX = (a[next + 1] as number) - y;
    const normalY = x - (a[next] as number);
    let isOutside = true;
    for (let other = 0; other < b.length && isOutside; other += 2) {
      const offset =
        ((b[other] as number) - x) * normalX + ((b[other + 1] as number) - y) * normalY;
      isOutside = offset >= 0;
    }
    if (isOutside) return true;
  }
  return false;
}

/** The least way of `b` out of `a` along the outward normal of an edge of `a`. */
function depthAlongEdgesOf(a: Polygon, b: Polygon): number {
  let least = Infinity;
  for (let at = 0; at < a.length; at += 2) {
    const next = (at + 2) % a.length;
    const [x, y] = [a[at] as number, a[at + 1] as number];
    const [normalX, normalY] = [(a[next + 1] as number) - y, x - (a[next] as number)];
    let innermost = Infinity;
    for (let other = 0; other < b.length; other += 2) {
      const [dx, dy] = [(b[other] as number) - x, (b[other + 1] as number) - y];
      innermost = Math.min(innermost, dx * normalX + dy * normalY);
    }
    const lengthM = Math.hypot(normalX, normalY);
    if (lengthM > 0) least = Math.min(least, -innermost / lengthM);
  }
  return least;
}

function isLeftTurn([ax, ay]: Point, [bx, by]: Point, [cx, cy]: Point): boolean {
  return (bx - ax) * (cy - ay) - (by - ay) * (cx - ax) > 0;
}

/** Smallest distance from a corner of `a` to an edge of `b`. */
function cornerDistanceM(a: Polygon, b: Polygon): number {
  let nearest = Infinity;
  for (let at = 0; at < b.length; at += 2) {
    const next = (at + 2) % b.length;
    const [x, y] = [b[at] as number, b[at + 1] as number];
    const [alongX, alongY] = [(b[next] as number) - x, (b[next + 1] as number) - y];
    const square = alongX * alongX + alongY * alongY;
    for (let corner = 0; corner < a.length; corner += 2) {
      const [dx, dy] = [(a[corner] as number) - x, (a[corner + 1] as number) - y];
      const share = square === 0 ? 0 : (dx * alongX + dy * alongY) / square;
      const on = Math.max(0, Math.min(1, share));
      nearest = Math.min(nearest, Math.hypot(dx - on * alongX, dy - on * alongY));
    }
  }
  return nearest;
}
