// The levels of detail that scene.open hands over, by the real worker: what they keep of a plant, and in which order
// they come. The simplification itself is tested in test/native/detailTest.cpp.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Columns } from '#contract/columns.ts';
import { sceneServices, type OpenedScene } from './openScene.ts';

const services = sceneServices();
const scenario = `understory: 2
name: levels
scene:
  materials:
    soil: { reflectance: 0.3 }
    leaf: { reflectance: 0.5 }
    bark: { reflectance: 0.2 }
    grass: { reflectance: 0.5 }
  models:
    tree: { kind: plant, plant: broadleaf-tree }
    shrub: { kind: plant, plant: potted-shrub }
    grass: { kind: plant, plant: grass-patch }
    ball: { kind: sphere, radiusM: 1, rings: 64, material: soil }
  ground: { kind: plane, sizeM: [20, 20], material: soil }
  instances: [{ name: tree, model: tree, positionM: [3, 0, 0] }]
`;

let opened: OpenedScene;
beforeAll(async () => {
  opened = await services.open({ scenario: '/nowhere/levels.understory.yaml', text: scenario });
});
afterAll(() => services.closeAll());

describe('levels of detail', () => {
  it('come as announced, the coarsest of every model first', () => {
    const { contents, meshes } = opened;
    const { models } = contents;
    expect(models.slice(0, 3).map(({ levels }) => levels)).toEqual([
      [200_000, 40_000, 8_000, 1_500, 200],
      // 45,360 triangles: 40,000 would hardly be fewer.
      [models[1]?.triangles, 8_000, 1_500, 200],
      [models[2]?.triangles, 1_500, 200],
    ]);
    const order = meshes.map(({ chunk: { model, level } }) => `${model}/${level}`);
    expect(order.slice(0, 5)).toEqual(['0/4', '1/3', '2/2', '3/3', '4/0']);
    expect(new Set(order).size).toBe(models.reduce((sum, { levels }) => sum + levels.length, 0));
    for (const { chunk, columns } of meshes) {
      const { triangles, levels } = models[chunk.model] ?? { triangles: 0, levels: [] };
      expect(chunk.triangles).toBeLessThanOrEqual(Math.max(50, levels[chunk.level] ?? 0));
      expect(chunk.triangles).toBeGreaterThan(0.5 * (levels[chunk.level] ?? 0));
      expect(chunk.isWhole).toBe(chunk.triangles === triangles);
      expect(columns['index']).toHaveLength(3 * chunk.triangles);
      expect(columns['material']).toHaveLength(chunk.triangles);
      const vertices = (columns['position']?.length ?? 0) / 3;
      expect(Math.max(...firstOf(columns['index']))).toBeLessThan(vertices);
    }
  });

  it.each([0, 1, 2])('of plant %i keep the area of each material, and the bounds', (model) => {
    const summary = opened.contents.summary.models[model];
    const of = opened.meshes.filter(({ chunk }) => chunk.model === model);
    const finest = areas(of.find(({ chunk }) => chunk.level === 0)?.columns ?? {});
    expect(finest.size).toBe(model === 2 ? 1 : 2);
    for (const { chunk, columns } of of) {
      const found = areas(columns);
      for (const [material, areaM2] of finest) {
        expect(Math.abs((found.get(material) ?? 0) / areaM2 - 1), `${chunk.level}`).toBeLessThan(
          0.03,
        );
      }
      const { minM, maxM } = boundsOf(columns);
      for (const axis of [0, 1, 2]) {
        const [from, to] = [summary?.minM[axis] ?? 0, summary?.maxM[axis] ?? 0];
        // A few leaves more than a tenth of the crown across, at 200 triangles, do not fill its bounds.
        const slackM = (chunk.triangles < 1000 ? 0.06 : 0.01) * (to - from);
        expect(minM[axis]).toBeGreaterThanOrEqual(from - 1e-6);
        expect(minM[axis]).toBeLessThanOrEqual(from + slackM);
        expect(maxM[axis]).toBeLessThanOrEqual(to + 1e-6);
        expect(maxM[axis]).toBeGreaterThanOrEqual(to - slackM);
      }
    }
  });

  it('are the same bytes every time, whatever was asked for before', async () => {
    const [worker] = services.workers;
    const again = await worker?.call('scene.mesh', { model: 0, maxTriangles: 8000 }, {});
    const before = opened.meshes.find(({ chunk }) => chunk.model === 0 && chunk.level === 2);
    expect(again?.columns.position).toEqual(before?.columns['position']);
    expect(again?.columns.index).toEqual(before?.columns['index']);
    expect(again?.columns.material).toEqual(before?.columns['material']);
  });

  it('of what is not there, or of too few triangles, are refused', async () => {
    const [worker] = services.workers;
    for (const request of [
      { model: 99, maxTriangles: 100 },
      { model: 0, maxTriangles: 10 },
    ]) {
      await expect(worker?.call('scene.mesh', request, {})).rejects.toMatchObject({
        code: 'bad-input',
      });
    }
  });
});

function* firstOf(array: Columns[string] | undefined): Iterable<number> {
  for (let at = 0; at < Math.min(60_000, array?.length ?? 0); at++) yield Number(array?.[at]);
}

/** Area by material. */
function areas(columns: Columns): Map<number, number> {
  const result = new Map<number, number>();
  const index = columns['index'] ?? [];
  const at = (corner: number): number[] => {
    const vertex = 3 * Number(index[corner]);
    return [0, 1, 2].map((axis) => Number(columns['position']?.[vertex + axis]));
  };
  for (const [triangle, material] of Array.from(columns['material'] ?? [], Number).entries()) {
    const [a = [], b = [], c = []] = [0, 1, 2].map((corner) => at(3 * triangle + corner));
    const [u, v] = [b, c].map((p) => p.map((value, axis) => value - (a[axis] ?? 0)));
    const [ux = 0, uy = 0, uz = 0] = u ?? [];
    const [vx = 0, vy = 0, vz = 0] = v ?? [];
    const areaM2 = 0.5 * Math.hypot(uy * vz - uz * vy, uz * vx - ux * vz, ux * vy - uy * vx);
    result.set(material, (result.get(material) ?? 0) + areaM2);
  }
  return result;
}

function boundsOf(columns: Columns): { minM: number[]; maxM: number[] } {
  const minM = [Infinity, Infinity, Infinity];
  const maxM = [-Infinity, -Infinity, -Infinity];
  for (const [at, value] of Array.from(columns['position'] ?? [], Number).entries()) {
    minM[at % 3] = Math.min(minM[at % 3] ?? 0, value);
    maxM[at % 3] = Math.max(maxM[at % 3] ?? 0, value);
  }
  return { minM, maxM };
}
