// Landscapes: tiles from stands and scatters, squares that have them, ids and names of plants, and what is refused.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { instanceNames } from '#contract/worker/instanceNames.ts';
import { sceneRecipeSchema, type SceneRecipe } from '#contract/worker/recipe.ts';
import { sceneSchema, type SceneInput } from '#contract/documents/scene.ts';
import { assetsFolder } from '#hosts/packageFolders.ts';
import { parseScenario, parseSpecies } from '#domain/scenario/documentText.ts';
import { compileScene } from '#domain/scene/compileScene.ts';
import { middleBox, middleIds } from '#domain/scene/landscapes.ts';
import { noReferences } from '#test/support/documents.ts';

type LandscapeInput = NonNullable<SceneInput['landscapes']>[number];

const bracken = parseSpecies(
  readFileSync(join(assetsFolder, 'species/bracken.yaml'), 'utf8'),
).value;
if (bracken === null) throw new Error('bracken has problems');

const tile: [number, number][] = [
  [0, 0],
  [40, 0],
  [40, 40],
  [0, 40],
];

const landscape: LandscapeInput = {
  name: 'heath',
  areaM: [
    [-100, -60],
    [110, -60],
    [110, 60],
    [-100, 60],
  ],
  sideM: 40,
  tiles: 5,
  stands: [
    {
      kind: 'distribution',
      name: 'bracken',
      class: 'shrub',
      areaM: tile,
      stemsPerHa: 500,
      mixture: { bracken: 1 },
      individuals: { sizes: 2, perSize: 1 },
    },
    { kind: 'dead-wood', name: 'log', areaM: tile, logsPerHa: 50, material: 'bark' },
  ],
  scatters: [{ name: 'stone', model: 'stone', count: 30, areaM: tile }],
};

function compile(landscapes: LandscapeInput[], others: Partial<SceneInput> = {}) {
  const scene = sceneSchema.parse({
    materials: { bark: { reflectance: 0.3 }, rock: { reflectance: 0.3 } },
    models: { stone: { kind: 'sphere', radiusM: 0.2, material: 'rock' } },
    landscapes,
    ...others,
  });
  const stands = { species: new Map([['bracken', bracken ?? never()]]), lists: new Map() };
  return compileScene(scene, { ...noReferences, stands }, 3);
}

function never(): never {
  throw new Error('unreachable');
}

function built(...args: Parameters<typeof compile>): SceneRecipe {
  const { value, problems } = compile(...args);
  expect(problems).toEqual([]);
  return value ?? never();
}

describe('a landscape', () => {
  const recipe = built([landscape]);
  const [made = never()] = recipe.landscapes ?? [];

  it('is a recipe that the worker takes', () => {
    expect(sceneRecipeSchema.safeParse(recipe).error).toBeUndefined();
    expect(recipe.instances).toEqual([]);
  });

  it('has squares from the south-west corner of its area on', () => {
    expect(made).toMatchObject({ cornerM: [-100, -60], sideM: 40, columns: 6, rows: 3 });
    expect(made.tileOf).toHaveLength(18);
    expect(new Set(made.tileOf).size).toBeGreaterThan(2);
  });

  it('has tiles that differ, with plants by the density of their stands', () => {
    // 500 and 50 plants on 10,000 m² are 80 and 8 on 1,600.
    for (const { plants, scatters } of made.tiles) {
      expect(plants.filter(({ name }) => name.startsWith('bracken'))).toHaveLength(80);
      expect(plants.filter(({ name }) => name.startsWith('log'))).toHaveLength(8);
      expect(scatters).toMatchObject([{ name: 'stone', count: 30 }]);
      for (const { positionM } of plants.filter(({ name }) => name.startsWith('bracken'))) {
        expect(Math.min(positionM[0], positionM[1])).toBeGreaterThanOrEqual(0);
        expect(Math.max(positionM[0], positionM[1])).toBeLessThanOrEqual(40);
      }
    }
    const places = made.tiles.map(({ plants }) => JSON.stringify(plants[0]?.positionM));
    expect(new Set(places).size).toBe(5);
    expect(made.plantsPerSquare).toBe(80 + 8 + 30);
  });

  it('grows few individuals, which its tiles share', () => {
    expect(recipe.models.filter(({ name }) => name.startsWith('bracken:'))).toHaveLength(2);
  });

  it('gives every plant an id and a name', () => {
    const nameOf = instanceNames(recipe);
    const first = made.firstId;
    const [tileOfSecond = 0] = made.tileOf.slice(1);
    const plant = made.tiles[tileOfSecond]?.plants[4]?.name;
    expect(nameOf(first + made.plantsPerSquare + 4)).toBe(`heath-2:${plant}`);
    expect(nameOf(first + 18 * made.plantsPerSquare)).toBeNull();
  });

  it('has ids after those of instances and scatters, and of the landscape before it', () => {
    const two = built([landscape, { ...landscape, name: 'moor', seed: 9 }], {
      instances: [{ name: 'a', model: 'stone', positionM: [0, 0, 0] }],
      scatters: [{ name: 'b', model: 'stone', count: 7, areaM: tile }],
    });
    const [heath = never(), moor = never()] = two.landscapes ?? [];
    expect(heath.firstId).toBe(9);
    expect(moor.firstId).toBe(9 + 18 * heath.plantsPerSquare);
    expect(moor.tileOf).not.toEqual(heath.tileOf);
  });

  it('is the same by the same seed', () => {
    expect(built([landscape])).toEqual(recipe);
    expect(built([{ ...landscape, seed: 4 }])).not.toEqual(recipe);
  });

  it('is placed relative to the origin of the scene, its tiles are not', () => {
    const moved = built(
      [{ ...landscape, areaM: landscape.areaM.map(([x, y]) => [x + 500_000, y + 5_000_000]) }],
      { origin: [500_000, 5_000_000, 0] },
    );
    expect(moved.landscapes).toEqual(recipe.landscapes);
  });
});

describe('refused, with its path', () => {
  const problemOf = (change: Partial<LandscapeInput>) =>
    compile([{ ...landscape, ...change }]).problems[0];

  it('areas that leave the tile', () => {
    const wide = tile.map(([x, y]): [number, number] => [2 * x, y]);
    const scatters = [{ name: 'stone', model: 'stone', count: 30, areaM: wide }];
    expect(problemOf({ scatters })).toMatchObject({
      path: 'scene.landscapes[0].scatters[0].areaM',
      message: 'expected coordinates from 0 to 40, those of a tile',
    });
    const trees = [
      { species: 'bracken', positionM: [3, 4] as [number, number], heightM: 1 },
      { species: 'bracken', positionM: [3, 41] as [number, number], heightM: 1 },
    ];
    expect(problemOf({ stands: [{ kind: 'trees', name: 'few', trees }] })).toMatchObject({
      path: 'scene.landscapes[0].stands[0].trees[1].positionM',
    });
  });

  it('more squares than a landscape may have, and more plants than there are ids', () => {
    const areaM: [number, number][] = [
      [0, 0],
      [9000, 0],
      [9000, 9000],
      [0, 9000],
    ];
    expect(problemOf({ areaM, stands: [], scatters: [] })).toMatchObject({
      path: 'scene.landscapes[0].stands',
      message: 'expected plants, found none in any tile',
    });
    const scatters = [{ name: 'stone', model: 'stone', count: 200_000, areaM: tile }];
    expect(problemOf({ areaM, stands: [], scatters })).toMatchObject({
      path: 'scene.landscapes[0].areaM',
    });
    const far: [number, number][] = areaM.map(([x, y]) => [3 * x, y]);
    expect(problemOf({ areaM: far, sideM: 5, stands: [], scatters: [] })).toMatchObject({
      path: 'scene.landscapes[0].sideM',
      message: 'expected at most 1048576 squares, found 5400 × 1800',
    });
  });

  const scenarioOf = (scene: string) =>
    parseScenario(`understory: 2
name: x
scene:
  materials: { rock: { reflectance: 0.3 } }
  models: { stone: { kind: sphere, radiusM: 0.2, material: rock } }
${scene}`).problems;

  it('lists of trees, unknown models, wind', () => {
    const head = '  landscapes:\n    - { name: a, areaM: [[0,0],[9,0],[9,9]], ';
    expect(scenarioOf(`${head}stands: [{ kind: list, name: b, file: trees.csv }] }`)).toMatchObject(
      [{ path: 'scene.landscapes[0].stands[0].kind' }],
    );
    const scatter = (model: string): string =>
      `scatters: [{ name: c, model: ${model}, count: 1, areaM: [[0,0],[9,0],[9,9]] }] }`;
    expect(scenarioOf(`${head}${scatter('none')}`)).toMatchObject([
      { path: 'scene.landscapes[0].scatters[0].model' },
    ]);
    expect(scenarioOf(`  wind: { speedMPerS: 3 }\n${head}${scatter('stone')}`)).toMatchObject([
      {
        path: 'scene.wind',
        message: expect.stringContaining(
          'expected none beside a landscape, whose plants do not move',
        ) as unknown,
      },
    ]);
  });
});

it('what is shown of a landscape lies about its middle', () => {
  const [made = never()] = built([landscape]).landscapes ?? [];
  const ids = middleIds(made, 2 * made.plantsPerSquare);
  expect(ids).toHaveLength(2 * made.plantsPerSquare);
  const squares = new Set(ids.map((id) => Math.floor((id - made.firstId) / made.plantsPerSquare)));
  // Six columns, three rows: the two squares about the middle.
  expect([...squares]).toEqual([8, 9]);
  expect(ids).toEqual(ids.toSorted((a, b) => a - b));
  const { minM, maxM } = middleBox(made, 4 * made.plantsPerSquare);
  expect([minM[0], maxM[0], minM[1], maxM[1]]).toEqual([-20, 60, -40, 40]);
});
