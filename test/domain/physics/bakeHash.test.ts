// The seed in the hash of a bake: in itself only where the worker scatters instances, and by what stands draw.
import { describe, expect, it } from 'vitest';
import { sceneSchema, type SceneInput } from '#contract/documents/scene.ts';
import { bakeDependsOnSeed, bakeHashInput } from '#domain/physics/bakeHash.ts';
import { compileScene } from '#domain/scene/compileScene.ts';
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
const base: Partial<SceneInput> = {
  materials: { bark: { reflectance: 0.3 } },
  models: { box: { kind: 'box', sizeM: [1, 1, 1], material: 'bark' } },
  instances: [{ name: 'one', model: 'box', positionM: [0, 0, 0] }],
};

function isBySeed(more: Partial<SceneInput>): { stated: boolean; hashed: boolean } {
  const scene = sceneSchema.parse({ ...base, ...more });
  const textOf = (seed: number): string => {
    const { value } = compileScene(scene, noReferences, seed);
    if (value === null) throw new Error('the scene has problems');
    return bakeHashInput(scene, value, { meshes: {}, heights: '' });
  };
  return { stated: bakeDependsOnSeed(scene), hashed: textOf(1) !== textOf(2) };
}

describe('the seed in the hash of a bake', () => {
  it.each<[string, Partial<SceneInput>, boolean]>([
    ['with instances alone', {}, false],
    ['with a scatter', { scatters: [scatter] }, true],
    ['with a stand', { stands: [logs] }, true],
    ['with a stand that has its own seed', { stands: [{ ...logs, seed: 5 }] }, false],
  ])('%s', (_, more, depends) => {
    expect(isBySeed(more)).toEqual({ stated: depends, hashed: depends });
  });
});
