// Convex polygons in the plane: overlap by separating axes (the theorem of hyperplane separation), with a
// margin. Points are x, y pairs in one flat array, counter-clockwise.
import type { PlanarPose } from '#domain/shared/pose.ts';

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
