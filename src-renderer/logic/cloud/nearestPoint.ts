// The point of a cloud that a click means: the nearest of those within a few pixels of the ray through it.
import type { PlaceM } from './cloudBounds.ts';

export interface PointOnRay {
  row: number;
  /** Along the ray. */
  distanceM: number;
}

/** `direction` has length 1; `angleRad` is what a click may be off by. `isShown`: rows that can be clicked; left out: all. */
export function nearestPoint(
  placesM: Float32Array,
  origin: readonly [number, number, number],
  direction: readonly [number, number, number],
  angleRad: number,
  isShown: (row: number) => boolean = () => true,
): PointOnRay | null {
  const [ox, oy, oz] = origin;
  const [dx, dy, dz] = direction;
  const most = angleRad ** 2;
  let best: PointOnRay | null = null;
  let bestScore = Infinity;
  for (let at = 0; at + 2 < placesM.length; at += 3) {
    const x = (placesM[at] ?? 0) - ox;
    const y = (placesM[at + 1] ?? 0) - oy;
    const z = (placesM[at + 2] ?? 0) - oz;
    const along = x * dx + y * dy + z * dz;
    if (along <= 0) continue;
    const off = (x * x + y * y + z * z - along * along) / (along * along);
    if (off > most) continue;
    // Why both: of points behind one another the front one, of neighbours the one under the pointer.
    const score = along * (1 + 2 * (off / most));
    if (score >= bestScore || !isShown(at / 3)) continue;
    bestScore = score;
    best = { row: at / 3, distanceM: along };
  }
  return best;
}

export interface CloudPoint extends PointOnRay {
  /** Index of its cloud. */
  cloud: number;
  placeM: [number, number, number];
}

/** The nearest of those that a click on each of several clouds means. `isShown`: places that can be clicked. */
export function nearestOfClouds(
  clouds: readonly Float32Array[],
  ray: { originM: PlaceM; direction: PlaceM },
  angleRad: number,
  isShown: (xM: number, yM: number, zM: number) => boolean,
): CloudPoint | null {
  let best: CloudPoint | null = null;
  for (const [cloud, placesM] of clouds.entries()) {
    const isRowShown = (row: number): boolean => isShown(...placeOf(placesM, row));
    const found = nearestPoint(placesM, ray.originM, ray.direction, angleRad, isRowShown);
    if (found === null || found.distanceM >= (best?.distanceM ?? Infinity)) continue;
    best = { ...found, cloud, placeM: placeOf(placesM, found.row) };
  }
  return best;
}

function placeOf(placesM: Float32Array, row: number): [number, number, number] {
  return [placesM[3 * row] ?? 0, placesM[3 * row + 1] ?? 0, placesM[3 * row + 2] ?? 0];
}
