// Triangles made ready for drawing: sharp edges stay sharp, smooth ones smooth, materials apart.
import { describe, expect, it } from 'vitest';
import { BoxGeometry, CylinderGeometry, type BufferGeometry } from 'three';
import { mergeVertices } from 'three/addons/utils/BufferGeometryUtils.js';
import {
  surfaceMesh,
  type ModelTriangles,
  type SurfaceMesh,
} from '#renderer/logic/scene/surfaceMesh.ts';

function trianglesOf(
  geometry: BufferGeometry,
  materialOf = (_: number): number => 0,
): ModelTriangles {
  geometry.deleteAttribute('normal').deleteAttribute('uv');
  const merged = mergeVertices(geometry);
  const index = Uint32Array.from(merged.index?.array ?? []);
  return {
    positionM: Float32Array.from(merged.getAttribute('position').array),
    index,
    material: Uint16Array.from({ length: index.length / 3 }, (_, n) => materialOf(n)),
  };
}

function corner({ positionM, normal, index }: SurfaceMesh, k: number): [number[], number[]] {
  const vertex = index[k] ?? 0;
  return [
    [...positionM.subarray(3 * vertex, 3 * vertex + 3)],
    [...normal.subarray(4 * vertex, 4 * vertex + 3)].map((part) => part / 127),
  ];
}

describe('a surface', () => {
  it('of a box has the normal of each face at each of its corners', () => {
    const mesh = surfaceMesh(trianglesOf(new BoxGeometry(2, 4, 6)));
    expect(mesh.index.length).toBe(36);
    for (let k = 0; k < 36; k += 1) {
      const [position, normal] = corner(mesh, k);
      const along = normal.findIndex((part) => Math.abs(part) > 0.99);
      expect(along).toBeGreaterThanOrEqual(0);
      expect(Math.sign(normal[along] ?? 0)).toBe(Math.sign(position[along] ?? 0));
    }
    expect(mesh.areaM2[0]).toBeCloseTo(2 * (8 + 12 + 24), 5);
  });

  it('of a tube is smooth around: normals point away from the axis', () => {
    const mesh = surfaceMesh(trianglesOf(new CylinderGeometry(1, 1, 3, 48, 1, true)));
    for (let k = 0; k < mesh.index.length; k += 1) {
      const [[x = 0, , z = 0], [nx = 0, , nz = 0]] = corner(mesh, k);
      expect(Math.abs(x * nx + z * nz)).toBeGreaterThan(0.99);
    }
    // Each of the 96 vertices once.
    expect(mesh.positionM.length / 3).toBe(96);
  });

  it('keeps the order of triangles and one material for each vertex', () => {
    const source = trianglesOf(new CylinderGeometry(1, 1, 3, 24, 4, true), (n) => n % 3);
    const mesh = surfaceMesh(source);
    for (let k = 0; k < mesh.index.length; k += 1) {
      expect(mesh.material[mesh.index[k] ?? 0]).toBe(source.material[Math.floor(k / 3)]);
      const was = source.index[k] ?? 0;
      expect(corner(mesh, k)[0]).toEqual([...source.positionM.subarray(3 * was, 3 * was + 3)]);
    }
    expect(mesh.areaM2.length).toBe(3);
  });
});
