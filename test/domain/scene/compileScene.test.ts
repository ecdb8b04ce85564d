// From a scene document to the recipe: ids, classes, placing, units, and what is refused.
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { instanceNames } from '#contract/worker/instanceNames.ts';
import type { Plant } from '#contract/documents/plant.ts';
import type { SceneRecipe } from '#contract/worker/recipe.ts';
import { sceneSchema } from '#contract/documents/scene.ts';
import type { z } from 'zod';
import { parsePlant } from '#domain/scenario/documentText.ts';
import { rotate } from '#domain/shared/pose.ts';
import { compileScene, type SceneReferences } from '#domain/scene/compileScene.ts';
import { noReferences } from '#test/support/documents.ts';

function plantAsset(id: string): Plant {
  const file = new URL(`../../../assets/plants/${id}.yaml`, import.meta.url);
  const { value } = parsePlant(readFileSync(file, 'utf8'));
  if (value === null) throw new Error(`expected a plant in ${id}.yaml`);
  return { ...value, seed: 7 };
}

const materials = {
  soil: { reflectance: 0.2, colour: '#ff8000' },
  brick: { reflectance: 0.4 },
  leaf: { reflectance: 0.5 },
  bark: { reflectance: 0.3 },
  grass: { reflectance: 0.45 },
};

const references: SceneReferences = {
  ...noReferences,
  plants: new Map([
    ['oak', plantAsset('broadleaf-tree')],
    ['turf', plantAsset('grass-patch')],
    ['bush', plantAsset('potted-shrub')],
  ]),
  meshes: new Map([['rock', { file: '/scenes/rock.ply', format: 'ply' }]]),
  heightField: { columns: 5, rows: 3 },
};

function compiled(scene: z.input<typeof sceneSchema>): SceneRecipe {
  const { value, problems } = compileScene(sceneSchema.parse(scene), references, 11);
  expect(problems).toEqual([]);
  if (value === null) throw new Error('unreachable');
  return value;
}

const area: [number, number][] = [
  [0, 0],
  [10, 0],
  [0, 10],
];

const everything: z.input<typeof sceneSchema> = {
  materials,
  models: {
    oak: { kind: 'plant', plant: 'broadleaf-tree' },
    turf: { kind: 'plant', plant: 'grass-patch', seed: 3 },
    bush: { kind: 'plant', plant: 'potted-shrub' },
    rock: {
      kind: 'mesh',
      file: 'rock.ply',
      unit: 'in',
      upAxis: 'y',
      material: 'brick',
      materials: { moss: 'leaf' },
    },
    ball: { kind: 'sphere', radiusM: 1, material: 'brick', solid: false },
  },
  ground: { kind: 'plane', sizeM: [20, 10], centreM: [1, 2], zM: 3, material: 'soil' },
  walls: [
    { name: 'w', fromM: [1, 1], toM: [4, 5], heightM: 3, thicknessM: 0.2, material: 'brick' },
  ],
  instances: [
    { name: 'first', model: 'rock', positionM: [1, 2, 0], yawDeg: 90 },
    { name: 'second', model: 'oak', class: 'tree', positionM: [0, 0, 0], onGround: false },
  ],
  scatters: [
    { name: 'tree', model: 'oak', class: 'tree', count: 5, areaM: area },
    {
      name: 'grass',
      model: 'turf',
      count: 1000,
      areaM: area,
      yawDeg: [0, 180],
      tiltDeg: [0, 90],
      pattern: 'poisson-disk',
      minSpacingM: 0.5,
    },
  ],
};

describe('compileScene', () => {
  const recipe = compiled(everything);

  it('numbers ground, walls, instances and scatters from 1', () => {
    expect(recipe.instances.map(({ id, name }) => [id, name])).toEqual([
      [1, 'ground'],
      [2, 'w'],
      [3, 'first'],
      [4, 'second'],
    ]);
    expect(recipe.scatters.map(({ firstId, name }) => [firstId, name])).toEqual([
      [5, 'tree'],
      [10, 'grass'],
    ]);
    expect(recipe.ground).toBe(0);
    expect(recipe.seed).toBe(11);
  });

  it('gives classes by name, each once', () => {
    expect(recipe.classes).toEqual(['ground', 'wall', 'rock', 'tree', 'turf', 'noise']);
    expect(recipe.instances.map((instance) => instance.class)).toEqual([0, 1, 2, 3]);
    expect(recipe.scatters.map((scatter) => scatter.class)).toEqual([3, 4]);
  });

  it('makes a wall a box along its line, on the ground', () => {
    const wall = recipe.instances[1];
    expect(wall?.positionM).toEqual([2.5, 3, 1.5]);
    expect(wall?.onGround).toBe(true);
    const model = recipe.models[wall?.model ?? -1];
    expect(model).toEqual({
      name: 'wall:w',
      solid: 'all',
      source: { kind: 'box', sizeM: [5, 0.2, 3], material: 1 },
    });
    // Its x axis lies along the line from (1, 1) to (4, 5): (3, 4) / 5.
    const along = rotate(wall?.rotation ?? [0, 0, 0, 1], [1, 0, 0]);
    expect(along[0]).toBeCloseTo(0.6, 14);
    expect(along[1]).toBeCloseTo(0.8, 14);
    expect(along[2]).toBeCloseTo(0, 14);
  });

  it('lets plants sway in a wind, and models that ask for it; without one the recipe has nothing of it', () => {
    const { models, ...rest } = everything;
    const windy = compiled({
      ...rest,
      models: {
        ...models,
        bush: { kind: 'plant', plant: 'potted-shrub', sways: false },
        ball: { kind: 'sphere', radiusM: 1, material: 'brick', sways: true },
      },
      wind: { speedMPerS: 8, directionDeg: 90 },
    });
    expect(windy.wind).toEqual({
      speedMPerS: 8,
      towardsRad: Math.PI / 2,
      topM: 0.1,
      maxLean: 0.3,
      gusts: 0.5,
      frequencyHz: 2.1,
    });
    const swaying = windy.models.filter(({ sways }) => sways).map(({ name }) => name);
    expect(swaying).toEqual(['oak', 'turf', 'ball']);
    expect(compiled({ ...everything, wind: { speedMPerS: 0 } })).toEqual(recipe);
    expect(JSON.stringify(recipe)).not.toContain('sways');
  });

  it('refuses a learned model that should sway', () => {
    const model = { kind: 'learned', file: 'site.ply', material: 'leaf', sways: true };
    const { error } = sceneSchema.safeParse({ ...everything, models: { site: model } });
    expect(error?.issues.map(({ path, code }) => [path.join('.'), code])).toEqual([
      ['models.site', 'unrecognized_keys'],
    ]);
  });

  it('places the ground as given, and excludes it from collisions', () => {
    const ground = recipe.instances[0];
    expect(ground?.positionM).toEqual([1, 2, 3]);
    expect(ground?.onGround).toBe(false);
    expect(recipe.models[ground?.model ?? -1]).toEqual({
      name: 'ground:surface',
      solid: 'none',
      source: { kind: 'plane', sizeM: [20, 10], divisions: 1, material: 0 },
    });
  });

  it('takes the posts of a height field to the edges of the ground', () => {
    const ground = { kind: 'height-field' as const, file: 'h.png', material: 'soil' };
    const { models, instances } = compiled({
      materials,
      ground: { ...ground, sizeM: [20, 10], centreM: [1, 2], zM: [0, 1] },
    });
    expect(models[0]?.source).toEqual({
      kind: 'height-field',
      columns: 5,
      rows: 3,
      originM: [-9, -3],
      stepM: [5, 5],
      material: 0,
    });
    expect(instances[0]?.positionM).toEqual([0, 0, 0]);
  });

  it('starts walls at height 0 without a ground', () => {
    const bare = compiled({ materials });
    expect(bare.ground).toBe(-1);
    expect(bare.instances).toEqual([]);
  });

  it('resolves meshes, plants and colours', () => {
    const sources = Object.fromEntries(recipe.models.map(({ name, source }) => [name, source]));
    expect(sources['rock']).toEqual({
      kind: 'mesh',
      file: '/scenes/rock.ply',
      format: 'ply',
      unitM: 0.0254,
      upAxis: 'y',
      material: 1,
      materials: { moss: 2 },
    });
    expect(sources['oak']).toMatchObject({ seed: 7, materials: { bark: 3, leaf: 2 } });
    expect(sources['turf']).toMatchObject({ seed: 3, materials: { grass: 4 } });
    expect(sources['ball']).toEqual({ kind: 'sphere', radiusM: 1, rings: 64, material: 1 });
    expect(recipe.materials[0]).toEqual({
      name: 'soil',
      reflectance: 0.2,
      colourRgb: [1, 128 / 255, 0],
    });
  });

  it('lets a vehicle through grass and shrubs, and stops it at wood and everything else', () => {
    const solid = (scene: SceneRecipe): Record<string, string> =>
      Object.fromEntries(scene.models.map((model) => [model.name, model.solid]));
    expect(solid(recipe)).toEqual({
      oak: 'wood',
      turf: 'none',
      bush: 'none',
      rock: 'all',
      ball: 'none',
      'ground:surface': 'none',
      'wall:w': 'all',
    });
    const described = compiled({
      materials,
      models: {
        oak: { kind: 'plant', plant: 'broadleaf-tree', solid: false },
        bush: { kind: 'plant', plant: 'potted-shrub', solid: true },
      },
    });
    expect(solid(described)).toEqual({ oak: 'none', bush: 'all' });
  });

  it('turns degrees of instances and scatters into radians', () => {
    const [qx, qy, qz, qw] = recipe.instances[2]?.rotation ?? [];
    expect([qx, qy]).toEqual([0, 0]);
    expect(qz).toBeCloseTo(Math.SQRT1_2, 15);
    expect(qw).toBeCloseTo(Math.SQRT1_2, 15);
    expect(recipe.scatters[1]).toMatchObject({
      yawRad: [0, Math.PI],
      tiltRad: [0, Math.PI / 2],
      minSpacingM: 0.5,
      count: 1000,
    });
    expect(recipe.scatters[0]).toMatchObject({ minSpacingM: 0, scale: [1, 1] });
  });

  it('names every material that a plant misses', () => {
    const scene = sceneSchema.parse({
      materials: { leaf: { reflectance: 0.5 } },
      models: {
        oak: { kind: 'plant', plant: 'broadleaf-tree' },
        turf: { kind: 'plant', plant: 'grass-patch' },
      },
    });
    const { problems } = compileScene(scene, references, 1);
    expect(problems.map(({ path }) => path)).toEqual([
      'scene.materials.bark',
      'scene.materials.grass',
    ]);
    expect(problems[0]?.message).toContain("plant 'broadleaf-tree'");
  });
});

describe('names of instances', () => {
  const recipe = compiled(everything);

  it.each([
    [1, 'ground'],
    [2, 'w'],
    [4, 'second'],
    [5, 'tree-1'],
    [9, 'tree-5'],
    [10, 'grass-1'],
    [1009, 'grass-1000'],
  ])('calls %d %s', (id, name) => {
    expect(instanceNames(recipe)(id)).toBe(name);
  });

  it('refuses others', () => {
    for (const id of [0, -1, 1010]) expect(instanceNames(recipe)(id)).toBeNull();
  });
});
