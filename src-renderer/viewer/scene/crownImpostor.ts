// The stand-in of a plant until a level fine enough has come: a crown, an ellipsoid with the mean and the spread of
// its leaves, on a stem. Why: a level of a few triangles shows leaves as polygons of a metre.
import {
  BufferAttribute,
  type BufferGeometry,
  CylinderGeometry,
  SphereGeometry,
  Vector3,
} from 'three';
import { mergeGeometries } from 'three/addons/utils/BufferGeometryUtils.js';

/** A level of a plant; `material` is that of each vertex. */
export interface PlantLevel {
  geometry: BufferGeometry;
  material: Uint16Array;
}

export interface Impostor {
  /** In the model's frame, in metres, with the attributes position, normal and surface, and an index. */
  geometry: BufferGeometry;
  triangles: number;
}

/** Radius of a ball over the standard deviation of one coordinate within it. */
const radiusPerDeviation = Math.sqrt(5);
/** Depth of the bumps of a crown, as a share of its radius. */
const bump = 0.09;
/** Radius of the stem as a share of the plant's height. */
const stemShare = 0.012;

/** Null for a level without area. Without leaves the whole plant counts as its crown. */
export function crownImpostor(
  level: PlantLevel,
  isLeaf: (material: number) => boolean,
): Impostor | null {
  const leaves = spreadOf(level, isLeaf);
  const crown = leaves ?? spreadOf(level, () => true);
  if (crown === null) return null;
  const { geometry } = level;
  geometry.computeBoundingBox();
  const minM = geometry.boundingBox?.min ?? new Vector3();
  const maxM = geometry.boundingBox?.max ?? new Vector3();
  const parts = [crownGeometry(crown, minM, maxM)];
  const wood = leaves === null ? null : spreadOf(level, (material) => !isLeaf(material));
  if (wood !== null && crown.meanM.z > minM.z) {
    parts.push(stemGeometry(crown, wood.material, minM.z, stemShare * (maxM.z - minM.z)));
  }
  const merged = mergeGeometries(parts);
  for (const part of parts) part.dispose();
  return { geometry: merged, triangles: (merged.index?.count ?? 0) / 3 };
}

interface Spread {
  meanM: Vector3;
  /** Standard deviation along each axis. */
  deviationM: Vector3;
  /** Material with the greatest area. */
  material: number;
}

/** Spread of the triangles of some materials, each by its area; null where they have none. */
function spreadOf(
  { geometry, material }: PlantLevel,
  isOf: (material: number) => boolean,
): Spread | null {
  const position = geometry.getAttribute('position');
  const index = geometry.index;
  if (index === null) return null;
  const corners = [new Vector3(), new Vector3(), new Vector3()] as const;
  const [a, b, c] = corners;
  const [sum, squares] = [new Vector3(), new Vector3()];
  const areas = new Map<number, number>();
  let all = 0;
  for (let first = 0; first < index.count; first += 3) {
    const of = material[index.getX(first)] ?? 0;
    if (!isOf(of)) continue;
    for (const [k, corner] of corners.entries()) {
      corner.fromBufferAttribute(position, index.getX(first + k));
    }
    const area = b.clone().sub(a).cross(c.clone().sub(a)).length() / 2;
    for (const corner of corners) {
      sum.addScaledVector(corner, area / 3);
      squares.addScaledVector(corner.clone().multiply(corner), area / 3);
    }
    areas.set(of, (areas.get(of) ?? 0) + area);
    all += area;
  }
  if (all === 0) return null;
  const meanM = sum.divideScalar(all);
  const variance = squares.divideScalar(all).sub(meanM.clone().multiply(meanM));
  const deviationM = new Vector3(...variance.toArray().map((v) => Math.sqrt(Math.max(v, 0))));
  const [largest] = [...areas].reduce((before, next) => (next[1] > before[1] ? next : before));
  return { meanM, deviationM, material: largest };
}

/** An ellipsoid with bumps, kept within the plant's box. */
function crownGeometry({ meanM, deviationM, material }: Spread, minM: Vector3, maxM: Vector3) {
  const radiusM = deviationM.clone().multiplyScalar(radiusPerDeviation);
  const geometry = new SphereGeometry(1, 18, 12);
  const position = geometry.getAttribute('position');
  const place = new Vector3();
  for (let vertex = 0; vertex < position.count; vertex += 1) {
    place.fromBufferAttribute(position, vertex);
    const { x, y, z } = place;
    const bumps = Math.sin(5 * x + 2 * z) * Math.cos(4 * y - z) + Math.sin(7 * z + 3 * y);
    place.multiplyScalar(1 + (bump / 2) * bumps).multiply(radiusM);
    place.add(meanM).clamp(minM, maxM);
    position.setXYZ(vertex, place.x, place.y, place.z);
  }
  geometry.computeVertexNormals();
  return surfaceOf(geometry, material);
}

/** From the ground to the middle of the crown. */
function stemGeometry({ meanM }: Spread, material: number, footM: number, radiusM: number) {
  const heightM = meanM.z - footM;
  const geometry = new CylinderGeometry(0.6 * radiusM, radiusM, heightM, 8, 1, true);
  geometry.rotateX(Math.PI / 2);
  geometry.translate(meanM.x, meanM.y, footM + heightM / 2);
  return surfaceOf(geometry, material);
}

function surfaceOf(geometry: BufferGeometry, material: number): BufferGeometry {
  const { count } = geometry.getAttribute('position');
  geometry.deleteAttribute('uv');
  geometry.setAttribute('surface', new BufferAttribute(new Uint16Array(count).fill(material), 1));
  return geometry;
}
