// A point on a triangle is drawn to the triangle's corners and edges when it is near them.
import { clamp } from '#domain/shared/numbers.ts';
import type { PointM } from './measuring.ts';

export interface Snapped {
  positionM: PointM;
  to: 'corner' | 'edge' | 'surface';
}

/** The nearest corner within `reachM`; otherwise the nearest place of an edge within it; otherwise the point itself. */
export function snapPoint(pointM: PointM, cornersM: readonly PointM[], reachM: number): Snapped {
  const corner = nearest(pointM, cornersM);
  if (corner !== null && corner.distanceM <= reachM) {
    return { positionM: corner.positionM, to: 'corner' };
  }
  const onEdges = cornersM.map((from, index) =>
    nearestOnEdge(pointM, from, cornersM[(index + 1) % cornersM.length] ?? from),
  );
  const edge = nearest(pointM, onEdges);
  if (edge !== null && edge.distanceM <= reachM) return { positionM: edge.positionM, to: 'edge' };
  return { positionM: pointM, to: 'surface' };
}

function nearest(
  pointM: PointM,
  placesM: readonly PointM[],
): { positionM: PointM; distanceM: number } | null {
  let best: { positionM: PointM; distanceM: number } | null = null;
  for (const positionM of placesM) {
    const distanceM = Math.hypot(...minus(pointM, positionM));
    if (best === null || distanceM < best.distanceM) best = { positionM, distanceM };
  }
  return best;
}

function nearestOnEdge(pointM: PointM, from: PointM, to: PointM): PointM {
  const along = minus(to, from);
  const squared = dot(along, along);
  const share = squared > 0 ? dot(minus(pointM, from), along) / squared : 0;
  const within = clamp(share, 0, 1);
  return [from[0] + within * along[0], from[1] + within * along[1], from[2] + within * along[2]];
}

function minus(a: PointM, b: PointM): PointM {
  return [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
}

function dot(a: PointM, b: PointM): number {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}
