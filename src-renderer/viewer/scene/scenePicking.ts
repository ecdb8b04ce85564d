// The first hit of a ray in a scene: boxes of instances, then the triangles of the models whose boxes it
// enters, nearest first. Only what is drawn can be met.
import { Box3, DoubleSide, Matrix3, Matrix4, Ray, Vector3 } from 'three';
import type { InstanceTable } from '#renderer/logic/scene/instanceTable.ts';
import type { Picker } from '../engine/viewport.ts';
import type { PreparedMesh } from './scenePreparer.ts';

export interface SceneHit {
  instanceId: number;
  positionM: [number, number, number];
  /** World, turned towards the viewer. */
  normal: [number, number, number];
  distanceM: number;
  /** Corners of the triangle, in the world. */
  cornersM: [number, number, number][];
  /** Index of the material of the triangle; null where the model's triangles have not come yet. */
  material: number | null;
}

/** Where what a click met is; null for nothing, and for what is no place to measure. */
export function placeOf(
  met: { picker: Pick<Picker, 'placeM'> } | { hit: SceneHit } | null,
): readonly [number, number, number] | null {
  if (met === null) return null;
  return 'hit' in met ? met.hit.positionM : (met.picker.placeM?.() ?? null);
}

/** `meshOf` gives the finest triangles of a model that are there. */
export function pickScene(
  ray: Ray,
  table: InstanceTable,
  isDrawn: (row: number) => boolean,
  meshOf: (model: number) => PreparedMesh | null,
): SceneHit | null {
  let best: SceneHit | null = null;
  for (const { row, enterM } of boxesOnRay(ray, table, isDrawn)) {
    if (best !== null && enterM > best.distanceM) break;
    const mesh = meshOf(table.modelId[row] ?? 0);
    const hit = mesh && hitOf(ray, table, row, mesh);
    if (hit !== null && (best === null || hit.distanceM < best.distanceM)) best = hit;
  }
  return best;
}

/** Rows whose world boxes the ray enters, nearest first. */
function boxesOnRay(
  ray: Ray,
  { count, boxesM }: InstanceTable,
  isDrawn: (row: number) => boolean,
): { row: number; enterM: number }[] {
  const found: { row: number; enterM: number }[] = [];
  const origin = ray.origin.toArray();
  const inverse = ray.direction.toArray().map((part) => 1 / part);
  for (let row = 0; row < count; row += 1) {
    let enter = 0;
    let leave = Infinity;
    for (let axis = 0; axis < 3; axis += 1) {
      const from = origin[axis] ?? 0;
      const slope = inverse[axis] ?? 0;
      const a = ((boxesM[6 * row + axis] ?? 0) - from) * slope;
      const b = ((boxesM[6 * row + axis + 3] ?? 0) - from) * slope;
      enter = Math.max(enter, Math.min(a, b));
      leave = Math.min(leave, Math.max(a, b));
    }
    // Why a hair more: a level plane's box has no height.
    if (enter <= leave + 1e-4 && isDrawn(row)) found.push({ row, enterM: enter });
  }
  return found.sort((a, b) => a.enterM - b.enterM);
}

const worldFromModel = new Matrix4();
const modelFromWorld = new Matrix4();
const localRay = new Ray();

/** The first hit of a ray on a row's triangles. */
export function hitOf(
  ray: Ray,
  table: InstanceTable,
  row: number,
  mesh: PreparedMesh,
): SceneHit | null {
  worldFromModel.fromArray(table.matrices, 16 * row);
  modelFromWorld.copy(worldFromModel).invert();
  localRay.copy(ray).applyMatrix4(modelFromWorld);
  const hit = mesh.tree.raycastFirst(localRay, DoubleSide);
  if (hit === null) return null;
  const position = hit.point.clone().applyMatrix4(worldFromModel);
  const normal = (hit.face?.normal ?? new Vector3(0, 0, 1))
    .clone()
    .applyMatrix3(new Matrix3().getNormalMatrix(worldFromModel))
    .normalize();
  if (normal.dot(ray.direction) > 0) normal.negate();
  const vertex = hit.face?.a ?? -1;
  const vertices =
    hit.face === null || hit.face === undefined ? [] : [hit.face.a, hit.face.b, hit.face.c];
  const positions = mesh.geometry.getAttribute('position');
  const cornersM = vertices.map((of) =>
    new Vector3().fromBufferAttribute(positions, of).applyMatrix4(worldFromModel).toArray(),
  );
  return {
    instanceId: table.instanceId[row] ?? 0,
    positionM: position.toArray(),
    normal: normal.toArray(),
    distanceM: position.distanceTo(ray.origin),
    cornersM,
    material: mesh.material[vertex] ?? null,
  };
}

/** Height of a row's surface seen from above, in metres; null: there is none at this place. */
export function heightAt(
  [x, y]: readonly [number, number],
  table: InstanceTable,
  row: number,
  mesh: PreparedMesh,
): number | null {
  const from = new Vector3(x, y, (table.boxesM[6 * row + 5] ?? 0) + 1);
  return hitOf(new Ray(from, new Vector3(0, 0, -1)), table, row, mesh)?.positionM[2] ?? null;
}

/** The lowest corner of a row's triangles, in the world. */
export function lowestCorner(
  table: InstanceTable,
  row: number,
  { geometry }: PreparedMesh,
): [number, number, number] {
  worldFromModel.fromArray(table.matrices, 16 * row);
  const positions = geometry.getAttribute('position');
  const corner = new Vector3();
  const lowest = new Vector3(0, 0, Infinity);
  for (let index = 0; index < positions.count; index += 1) {
    corner.fromBufferAttribute(positions, index).applyMatrix4(worldFromModel);
    if (corner.z < lowest.z) lowest.copy(corner);
  }
  return lowest.toArray();
}

/** World box of a row. */
export function boxOfRow({ boxesM }: InstanceTable, row: number): Box3 {
  const corner = (from: number): Vector3 => new Vector3().fromArray(boxesM, 6 * row + from);
  return new Box3(corner(0), corner(3));
}
