// The place of a learned model that a click means: on the first of its ellipsoids, triangles and points along a ray, among
// those that are drawn.
import { nearestPoint } from '#renderer/logic/cloud/nearestPoint.ts';
import type { ModelTables, ObservedTable } from './modelTables.ts';

type PlaceM = readonly [number, number, number];

export interface ClickRay {
  /** In the frame of the tables. */
  originM: PlaceM;
  /** Length 1. */
  direction: PlaceM;
  /** Tolerance of a click on a point. */
  angleRad: number;
}

/** The drawn part of a model. */
export interface DrawnParts {
  maxPermeability: number;
  minSupport: number;
  /** Radius of ellipsoids in standard deviations. */
  sigmas: number;
}

/** Distances along the ray: where it meets something, and the place that is meant. */
interface Met {
  entryM: number;
  placeM: number;
}

/** Null: nothing is there. */
export function placeOnModel(
  { elements, triangles, points }: ModelTables,
  ray: ClickRay,
  drawn: DrawnParts,
): PlaceM | null {
  const found = [
    metElement(elements, ray, drawn),
    metTriangle(triangles, ray, drawn),
    metPoint(elements.meansM, elements, ray, drawn),
    metPoint(points.positionsM, points, ray, drawn),
  ].filter((one) => one !== null);
  const first = found.reduce<Met | null>(
    (best, one) => (best === null || one.entryM < best.entryM ? one : best),
    null,
  );
  if (first === null) return null;
  const { originM, direction } = ray;
  const at = (axis: 0 | 1 | 2): number => originM[axis] + first.placeM * direction[axis];
  return [at(0), at(1), at(2)];
}

function isDrawn(
  { permeability, support }: ObservedTable,
  row: number,
  { maxPermeability, minSupport }: DrawnParts,
): boolean {
  return (permeability[row] ?? 0) <= maxPermeability && (support[row] ?? 0) >= minSupport;
}

/** The place is where the element is densest along the ray. From within an ellipsoid is not drawn. */
function metElement(
  table: ModelTables['elements'],
  { originM: o, direction: d }: ClickRay,
  drawn: DrawnParts,
): Met | null {
  const { meansM, factors } = table;
  let best: Met | null = null;
  for (let row = 0; 3 * row + 2 < meansM.length; row += 1) {
    const at = (value: number): number => factors[6 * row + value] ?? 0;
    // u = L⁻¹·v by forward substitution, in which the ellipsoid is a sphere.
    const unit = (x: number, y: number, z: number): [number, number, number] => {
      const ux = x / at(0);
      const uy = (y - at(1) * ux) / at(2);
      return [ux, uy, (z - at(3) * ux - at(4) * uy) / at(5)];
    };
    const [ox, oy, oz] = unit(
      o[0] - (meansM[3 * row] ?? 0),
      o[1] - (meansM[3 * row + 1] ?? 0),
      o[2] - (meansM[3 * row + 2] ?? 0),
    );
    const [dx, dy, dz] = unit(d[0], d[1], d[2]);
    const a = dx * dx + dy * dy + dz * dz;
    const b = ox * dx + oy * dy + oz * dz;
    const root = b * b - a * (ox * ox + oy * oy + oz * oz - drawn.sigmas ** 2);
    if (!(root >= 0)) continue;
    const entryM = (-b - Math.sqrt(root)) / a;
    if (entryM <= 0 || entryM >= (best?.entryM ?? Infinity) || !isDrawn(table, row, drawn))
      continue;
    best = { entryM, placeM: -b / a };
  }
  return best;
}

/** Both sides of triangles (Möller and Trumbore 1997). */
function metTriangle(
  table: ModelTables['triangles'],
  { originM: o, direction: d }: ClickRay,
  drawn: DrawnParts,
): Met | null {
  const { cornersM } = table;
  let best: Met | null = null;
  for (let row = 0; 9 * row + 8 < cornersM.length; row += 1) {
    const at = (value: number): number => cornersM[9 * row + value] ?? 0;
    const [ax, ay, az] = [at(3) - at(0), at(4) - at(1), at(5) - at(2)];
    const [bx, by, bz] = [at(6) - at(0), at(7) - at(1), at(8) - at(2)];
    const [px, py, pz] = [d[1] * bz - d[2] * by, d[2] * bx - d[0] * bz, d[0] * by - d[1] * bx];
    const volume = ax * px + ay * py + az * pz;
    if (volume === 0) continue;
    const [sx, sy, sz] = [o[0] - at(0), o[1] - at(1), o[2] - at(2)];
    const u = (sx * px + sy * py + sz * pz) / volume;
    if (u < 0 || u > 1) continue;
    const [qx, qy, qz] = [sy * az - sz * ay, sz * ax - sx * az, sx * ay - sy * ax];
    const v = (d[0] * qx + d[1] * qy + d[2] * qz) / volume;
    if (v < 0 || u + v > 1) continue;
    const entryM = (bx * qx + by * qy + bz * qz) / volume;
    if (entryM <= 0 || entryM >= (best?.entryM ?? Infinity) || !isDrawn(table, row, drawn))
      continue;
    best = { entryM, placeM: entryM };
  }
  return best;
}

/** Points, and the centres of elements that are smaller than a click. */
function metPoint(
  placesM: Float32Array,
  table: ObservedTable,
  { originM, direction, angleRad }: ClickRay,
  drawn: DrawnParts,
): Met | null {
  const isShown = (row: number): boolean => isDrawn(table, row, drawn);
  const found = nearestPoint(placesM, originM, direction, angleRad, isShown);
  return found === null ? null : { entryM: found.distanceM, placeM: found.distanceM };
}
