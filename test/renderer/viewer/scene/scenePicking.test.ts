// Hits of a ray in a scene: through boxes to triangles, of scaled and turned instances, the nearest first.
import { BoxGeometry, BufferAttribute, BufferGeometry, Ray, Vector3 } from 'three';
import { MeshBVH } from 'three-mesh-bvh';
import { describe, expect, it } from 'vitest';
import { surfaceMesh } from '#renderer/logic/scene/surfaceMesh.ts';
import { pickScene } from '#renderer/viewer/scene/scenePicking.ts';
import type { PreparedMesh } from '#renderer/viewer/scene/scenePreparer.ts';
import { tableOf } from '#test/renderer/logic/scene/sceneTables.ts';

/** A cube of 2 m; its upper face is of material 7, the others of 3. */
function cube(): PreparedMesh {
  const source = new BoxGeometry(2, 2, 2);
  const index = Uint32Array.from(source.index?.array ?? []);
  const positionM = Float32Array.from(source.getAttribute('position').array);
  const isUpper = (triangle: number): boolean =>
    [0, 1, 2].every((k) => positionM[3 * (index[3 * triangle + k] ?? 0) + 2] === 1);
  const material = Uint16Array.from({ length: 12 }, (_, triangle) => (isUpper(triangle) ? 7 : 3));
  const surface = surfaceMesh({ positionM, index, material });
  const geometry = new BufferGeometry();
  geometry.setAttribute('position', new BufferAttribute(surface.positionM, 3));
  geometry.setIndex(new BufferAttribute(surface.index, 1));
  return {
    geometry,
    triangles: 12,
    material: surface.material,
    areaM2: surface.areaM2,
    tree: new MeshBVH(geometry, { indirect: true }),
  };
}

const mesh = cube();
const half = Math.SQRT2;
const table = tableOf([
  { model: 0, positionM: [10, 0, 0], halfM: [1, 1, 1] },
  { model: 0, positionM: [20, 0, 0], halfM: [3, 3, 3], scale: 3 },
  // Turned by 45°: an edge points along the ray, and its box has empty corners.
  { model: 0, positionM: [0, 10, 0], halfM: [half, half, 1], yawRad: Math.PI / 4 },
]);
const pick = (from: Vector3, towards: Vector3, isDrawn = (_: number): boolean => true) =>
  pickScene(new Ray(from, towards.normalize()), table, isDrawn, () => mesh);

describe('picking', () => {
  it('meets the nearest instance, at its place', () => {
    const hit = pick(new Vector3(0, 0.2, 0.1), new Vector3(1, 0, 0));
    expect(hit).toMatchObject({ instanceId: 1, material: 3 });
    expect(hit?.distanceM).toBeCloseTo(9, 6);
    expect(hit?.positionM[0]).toBeCloseTo(9, 6);
    expect(hit?.normal[0]).toBeCloseTo(-1, 6);
  });

  it('ignores hidden instances, and applies scales', () => {
    const hit = pick(new Vector3(0, 0.2, 0.1), new Vector3(1, 0, 0), (row) => row !== 0);
    expect(hit?.instanceId).toBe(2);
    expect(hit?.distanceM).toBeCloseTo(17, 6);
  });

  it('names the material of the face that was hit', () => {
    const hit = pick(new Vector3(20, 0, 50), new Vector3(0, 0, -1));
    expect(hit).toMatchObject({ instanceId: 2, material: 7 });
    expect(hit?.positionM[2]).toBeCloseTo(3, 5);
    expect(hit?.normal[2]).toBeCloseTo(1, 5);
  });

  it('goes through the empty corners of a box', () => {
    const along = new Vector3(0, 1, 0);
    expect(pick(new Vector3(0, 0, 0), along)?.distanceM).toBeCloseTo(10 - half, 6);
    expect(pick(new Vector3(1.3, 0, 0), along)?.distanceM).toBeCloseTo(10 - (half - 1.3), 6);
    expect(pick(new Vector3(0, 0, 5), along)).toBeNull();
  });
});
