// The seed in the hash of a bake: in itself only where the worker scatters instances, and by what stands draw.
import { describe, expect, it } from 'vitest';
import { sceneSchema, terrainsOf, type SceneInput } from '#contract/documents/scene.ts';
import type { TerrainDocument } from '#contract/documents/terrain.ts';
import { bakeDependsOnSeed, bakeHashInput } from '#domain/physics/bakeHash.ts';
import { compileScene } from '#domain/scene/compileScene.ts';
import { terrainHeights } from '#domain/scene/terrain.ts';
import { noReferences } from '#test/support/documents.ts';

const areaM: [number, number][] = [
  [0, 0],
  [50, 0],
  [50, 50],
];
const logs = {
  kind: 'dead-wood' as const,
  name: 'logs',
  areaM,
  logsPerHa: 40,
  material: 'bark',
};
const scatter = { name: 'stone', model: 'box', count: 3, areaM };
const terrain = {
  kind: 'terrain' as const,
  sizeM: [20, 20] as [number, number],
  material: 'bark',
};
const base: Partial<SceneInput> = {
  materials: { bark: { reflectance: 0.3 } },
  models: { box: { kind: 'box', sizeM: [1, 1, 1], material: 'bark' } },
  instances: [{ name: 'one', model: 'box', positionM: [0, 0, 0] }],
};

function generated(terrainOf: TerrainDocument, seed: number): Float32Array {
  const steps = terrainHeights(terrainOf, seed);
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value.heights;
  }
}

function isBySeed(more: Partial<SceneInput>): { stated: boolean; hashed: boolean } {
  const scene = sceneSchema.parse({ ...base, ...more });
  const textOf = (seed: number): string => {
    const heightField = scene.ground.kind === 'terrain' ? { columns: 21, rows: 21 } : null;
    const { value } = compileScene(scene, { ...noReferences, heightField }, seed);
    if (value === null) throw new Error('the scene has problems');
    const heights = terrainsOf(scene).flatMap((one) => [...generated(one, seed)]);
    return bakeHashInput(scene, value, { meshes: {}, heights: heights.join() });
  };
  return { stated: bakeDependsOnSeed(scene), hashed: textOf(1) !== textOf(2) };
}

describe('the seed in the hash of a bake', () => {
  it.each<[string, Partial<SceneInput>, boolean]>([
    ['with instances alone', {}, false],
    ['with a scatter', { scatters: [scatter] }, true],
    ['with a stand', { stands: [logs] }, true],
    ['with a stand that has its own seed', { stands: [{ ...logs, seed: 5 }] }, false],
    ['with a terrain', { ground: terrain }, true],
    ['with a terrain that has its own seed', { ground: { ...terrain, seed: 5 } }, false],
  ])('%s', (_, more, depends) => {
    expect(isBySeed(more)).toEqual({ stated: depends, hashed: depends });
  });
});
