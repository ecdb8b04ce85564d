// Stands: what distributions draw, which individuals trees become, and what is refused, with its path.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Problem } from '#contract/documents/problems.ts';
import { sceneSchema, type SceneInput } from '#contract/documents/scene.ts';
import type { Species } from '#contract/documents/species.ts';
import type { SceneRecipe } from '#contract/worker/recipe.ts';
import { assetsFolder } from '#hosts/packageFolders.ts';
import { ksCritical, ksDistance } from '#domain/metrics/distribution.ts';
import { parseScenario, parseSpecies } from '#domain/scenario/documentText.ts';
import { rotate } from '#domain/shared/pose.ts';
import { compileScene } from '#domain/scene/compileScene.ts';
import { sizesOf } from '#domain/scene/individual.ts';
import type { ListedTree } from '#domain/scene/standTrees.ts';
import { noReferences } from '#test/support/documents.ts';

type StandInput = NonNullable<SceneInput['stands']>[number];

function speciesNamed(id: string): Species {
  const { value } = parseSpecies(readFileSync(join(assetsFolder, 'species', `${id}.yaml`), 'utf8'));
  if (value === null) throw new Error(`${id} has problems`);
  return value;
}

const ids = ['norway-spruce', 'european-beech', 'scots-pine', 'bracken', 'maize'];
const species = new Map(ids.map((id) => [id, speciesNamed(id)]));

function compile(
  stands: StandInput[],
  {
    origin,
    list = [],
    seed = 3,
  }: { origin?: [number, number, number]; list?: ListedTree[]; seed?: number } = {},
): { recipe: SceneRecipe | null; problems: Problem[] } {
  const scene = sceneSchema.parse({ materials: {}, stands, ...(origin && { origin }) });
  const references = {
    ...noReferences,
    stands: { species, lists: new Map([['scene.stands[0]', list]]) },
  };
  const { value, problems } = compileScene(scene, references, seed);
  return { recipe: value, problems };
}

function built(...args: Parameters<typeof compile>): SceneRecipe {
  const { recipe, problems } = compile(...args);
  expect(problems).toEqual([]);
  if (recipe === null) throw new Error('unreachable');
  return recipe;
}

const hectare: [number, number][] = [
  [0, 0],
  [100, 0],
  [100, 100],
  [0, 100],
];
const wood: Extract<StandInput, { kind: 'distribution' }> = {
  kind: 'distribution',
  name: 'tree',
  areaM: hectare,
  stemsPerHa: 800,
  mixture: { 'norway-spruce': 3, 'european-beech': 1 },
  diameters: { shape: 2.5, scaleM: 0.3, minM: 0.05 },
};

/** The plant of an instance, with its sizes after scaling. */
function treeOf(recipe: SceneRecipe, index: number) {
  const placed = recipe.instances[index];
  const source = recipe.models[placed?.model ?? -1]?.source;
  if (placed === undefined || source?.kind !== 'plant') throw new Error('no plant');
  const { plant } = source;
  if (plant.generator !== 'sized-plant') throw new Error('not sized');
  return { plant, placed, heightM: plant.heightM * placed.scale };
}

/** Distance to the nearest other instance. */
function nearestM({ instances }: SceneRecipe): number[] {
  return instances.map((one, n) =>
    Math.min(
      ...instances.map((other, m) =>
        n === m
          ? Infinity
          : Math.hypot(
              one.positionM[0] - other.positionM[0],
              one.positionM[1] - other.positionM[1],
            ),
      ),
    ),
  );
}

describe('a stand by distributions', () => {
  it('has its density, mixture and Weibull diameters; heights follow', () => {
    const recipe = built([wood]);
    expect(recipe.instances).toHaveLength(800);
    const trees = recipe.instances.map((_, n) => treeOf(recipe, n));
    const spruces = trees.filter(({ plant }) => plant.id.startsWith('norway-spruce'));
    // Binomial with p = 3/4: four standard deviations.
    expect(Math.abs(spruces.length - 600)).toBeLessThan(4 * Math.sqrt(800 * 0.75 * 0.25));
    const spruce = speciesNamed('norway-spruce');
    const diametersM = spruces.map(({ heightM }) => {
      const sizes = sizesOf(spruce, { heightM });
      return typeof sizes === 'string' ? NaN : sizes.diameterM;
    });
    const above = (0.05 / 0.3) ** 2.5;
    const weibull = (d: number): number => 1 - Math.exp(above - (d / 0.3) ** 2.5);
    expect(ksDistance(diametersM, weibull)).toBeLessThan(ksCritical(diametersM.length));
    const other = (d: number): number => 1 - Math.exp(-((d / 0.25) ** 2.5));
    expect(ksDistance(diametersM, other)).toBeGreaterThan(ksCritical(diametersM.length));
  });

  it('grows at most 16 individuals of a species, and gives each tree one of nearly its shape', () => {
    const recipe = built([wood]);
    expect(recipe.models.length).toBeLessThanOrEqual(2 * 16);
    expect(recipe.models.length).toBeGreaterThan(20);
    for (let n = 0; n < 800; n += 1) {
      const { plant, placed, heightM } = treeOf(recipe, n);
      const of = speciesNamed(plant.id.replace(/-\d+$/, ''));
      const law = sizesOf(of, { heightM });
      if (typeof law === 'string') throw new Error(law);
      expect(placed.scale).toBeGreaterThan(0.7);
      expect(placed.scale).toBeLessThan(1.4);
      expect(Math.abs(Math.log((plant.diameterM * placed.scale) / law.diameterM))).toBeLessThan(
        0.5,
      );
    }
    const [, , ...few] = built([{ ...wood, individuals: { sizes: 1, perSize: 1 } }]).models;
    expect(few).toEqual([]);
  });

  it('places trees at random, apart, in clusters or in rows', () => {
    const meanM = (pattern: typeof wood.pattern): number => {
      const distances = nearestM(
        built([{ ...wood, stemsPerHa: 400, ...(pattern && { pattern }) }]),
      );
      return distances.reduce((sum, one) => sum + one, 0) / distances.length;
    };
    // 1/(2√λ) = 2.5 m; standard error 0.26/√(nλ) = 0.065 m, edges add up to 5 %.
    expect(meanM({ kind: 'poisson' })).toBeGreaterThan(2.3);
    expect(meanM({ kind: 'poisson' })).toBeLessThan(2.85);
    expect(meanM({ kind: 'cluster', spreadM: 2, meanTrees: 10 })).toBeLessThan(1.8);
    const apart = nearestM(built([{ ...wood, pattern: { kind: 'hard-core', distanceM: 2 } }]));
    expect(Math.min(...apart)).toBeGreaterThanOrEqual(2);
    const rows = { kind: 'rows' as const, rowM: 0.75, inRowM: 0.18, yawDeg: 30 };
    const field: [number, number][] = [
      [0, 0],
      [10, 0],
      [10, 10],
      [0, 10],
    ];
    const maize = built([{ ...wood, areaM: field, mixture: { maize: 1 }, pattern: rows }]);
    expect(Math.abs(maize.instances.length / (100 / (0.75 * 0.18)) - 1)).toBeLessThan(0.02);
    for (const m of nearestM(maize)) expect(m).toBeGreaterThan(0.1799);
  });

  it('keeps discs clear, and its density elsewhere', () => {
    const keepClear = [{ centreM: [50, 50] as [number, number], radiusM: 20 }];
    const left = built([{ ...wood, keepClear }]).instances;
    const whole = built([wood]).instances;
    const isClear = ({ positionM: [x, y] }: (typeof whole)[number]): boolean =>
      Math.hypot(x - 50, y - 50) >= 20;
    expect(left.every(isClear)).toBe(true);
    expect(left.map(({ positionM }) => positionM)).toEqual(
      whole.filter(isClear).map(({ positionM }) => positionM),
    );
    expect(left.length).toBeLessThan(750);
  });

  it('repeats for one seed, differs for another, and follows the origin', () => {
    expect(built([wood])).toEqual(built([wood]));
    expect(built([wood], { seed: 4 }).instances).not.toEqual(built([wood]).instances);
    expect(built([{ ...wood, seed: 3 }], { seed: 4 }).instances).toEqual(built([wood]).instances);
    const far = { ...wood, areaM: hectare.map(([x, y]): [number, number] => [x + 5e5, y + 5e6]) };
    const [here, there] = [built([wood]), built([far], { origin: [5e5, 5e6, 0] })];
    for (const [n, { positionM }] of there.instances.entries()) {
      expect(positionM[0]).toBeCloseTo(here.instances[n]?.positionM[0] ?? NaN, 6);
    }
  });

  it('has dead leaves in winter, and needles', () => {
    const recipe = built([{ ...wood, season: 'winter' }]);
    const names = recipe.materials.map(({ name }) => name);
    expect(names).toContain('european-beech:dead-leaf');
    expect(names).toContain('norway-spruce:leaf');
    const shares = recipe.instances.map((_, n) => treeOf(recipe, n).plant.leafShare);
    expect(new Set(shares)).toEqual(new Set([1, 0.03]));
  });

  it('refuses what cannot be, at its path', () => {
    const pathsOf = (change: object): string[] =>
      compile([{ ...wood, ...change }]).problems.map(({ path }) => path);
    expect(pathsOf({ pattern: { kind: 'hard-core', distanceM: 6 } })).toEqual([
      'scene.stands[0].pattern',
    ]);
    expect(pathsOf({ stemsPerHa: 2e5 })).toEqual(['scene.stands[0].stemsPerHa']);
    expect(
      pathsOf({
        areaM: [
          [0, 0],
          [1, 1],
          [2, 2],
        ],
      }),
    ).toEqual(['scene.stands[0].areaM']);
    const schemaPaths = (change: object): string[] => {
      const { error } = sceneSchema.safeParse({ materials: {}, stands: [{ ...wood, ...change }] });
      return (error?.issues ?? []).map(({ path }) => path.join('.'));
    };
    expect(schemaPaths({ stemsPerHa: -1 })).toEqual(['stands.0.stemsPerHa']);
    expect(schemaPaths({ mixture: { 'norway-spruce': 0 } })).toEqual(['stands.0.mixture']);
    expect(schemaPaths({ mixture: { 'norway-spruce': -1 } })).toContain(
      'stands.0.mixture.norway-spruce',
    );
  });
});

describe('dead wood', () => {
  const logs: StandInput = {
    kind: 'dead-wood',
    name: 'log',
    areaM: hectare,
    logsPerHa: 100,
    material: 'bark',
  };

  it('lies in its area, its middle at its place, on the ground', () => {
    const scene = { materials: { bark: { reflectance: 0.3 } }, stands: [logs] };
    const { value } = compileScene(sceneSchema.parse(scene), noReferences, 3);
    expect(value?.instances).toHaveLength(100);
    for (const { model, positionM, rotation, onGround } of value?.instances ?? []) {
      const source = value?.models[model]?.source;
      if (source?.kind !== 'cylinder') throw new Error('not a log');
      expect(onGround).toBe(true);
      expect(positionM[2]).toBe(source.radiusM);
      const [dx, dy, dz] = rotate(rotation, [0, 0, source.heightM / 2]);
      expect(Math.abs(dz)).toBeLessThan(1e-9);
      for (const m of [positionM[0] + dx, positionM[1] + dy]) expect(m > 0 && m < 100).toBe(true);
    }
  });

  it('needs a material of the scene', () => {
    const scenario = { understory: 2, name: 'Logs', scene: { materials: {}, stands: [logs] } };
    const { problems } = parseScenario(JSON.stringify(scenario));
    expect(problems.map(({ path }) => path)).toEqual(['scene.stands[0].material']);
  });
});

describe('a stand tree by tree', () => {
  const rows = (...trees: object[]): StandInput[] => [
    { kind: 'trees', name: 'tree', trees } as StandInput,
  ];
  const spruce = { species: 'norway-spruce', positionM: [0, 0] };

  it('has each tree as stated, or by the laws of its species', () => {
    const recipe = built(
      rows(
        { ...spruce, diameterM: 0.3 },
        { ...spruce, positionM: [5, 0], heightM: 20 },
        {
          ...spruce,
          positionM: [9, 0],
          diameterM: 0.3,
          heightM: 18,
          crownWidthM: 5,
          crownBaseM: 4,
        },
      ),
    );
    const [byDiameter, byHeight, stated] = [0, 1, 2].map((n) => treeOf(recipe, n));
    // 1.3 + (30 / (1.811 + 0.308·30))³
    expect(byDiameter?.heightM).toBeCloseTo(1.3 + (30 / (1.811 + 0.308 * 30)) ** 3, 4);
    expect(byDiameter?.plant.crownWidthM).toBeCloseTo(4.2, 6);
    expect(byDiameter?.plant.leafAreaM2).toBeCloseTo((7 * Math.PI * 4.2 ** 2) / 4, 3);
    expect(byHeight?.heightM).toBeCloseTo(20, 6);
    expect(stated?.plant).toMatchObject({
      diameterM: 0.3,
      heightM: 18,
      crownWidthM: 5,
      crownBaseM: 4,
    });
  });

  it('refuses trunks that overlap and sizes that no tree has', () => {
    const messages = (...trees: object[]): string[] =>
      compile(rows(...trees)).problems.map(({ path, message }) => `${path}: ${message}`);
    expect(
      messages({ ...spruce, diameterM: 0.4 }, { ...spruce, positionM: [0.3, 0], diameterM: 0.4 }),
    ).toEqual([
      'scene.stands[0].trees[1].positionM: expected a trunk beside that at (0.00, 0.00), found one that overlaps it',
    ]);
    expect(
      messages({ ...spruce, diameterM: 0.4 }, { ...spruce, positionM: [0.41, 0], diameterM: 0.4 }),
    ).toEqual([]);
    expect(messages(spruce)).toEqual(['scene.stands[0].trees[0]: expected diameterM or heightM']);
    expect(messages({ ...spruce, heightM: 1.2 })[0]).toContain('above 1.3 m');
    expect(messages({ ...spruce, heightM: 60 })[0]).toContain('below 35.5 m');
    expect(messages({ ...spruce, heightM: 10, crownBaseM: 11 })[0]).toContain('crown base');
  });

  it('tells lines of a list, and places its trees relative to the origin', () => {
    const origin: [number, number, number] = [1000, 2000, 0];
    const path = 'scene.stands[0].file';
    const tree = { species: 'norway-spruce', heightM: 15, path };
    const list = [
      { ...tree, positionM: [1001, 2002] as const, line: 2 },
      { ...tree, positionM: [1001, 2002.1] as const, line: 3 },
    ];
    const stands: StandInput[] = [{ kind: 'list', name: 'tree', file: 'plot.csv' }];
    expect(compile(stands, { origin, list }).problems).toEqual([
      {
        path,
        code: 'custom',
        message:
          'line 3: expected a trunk beside that at (1001.00, 2002.00), found one that overlaps it',
      },
    ]);
    const [placed] = built(stands, { origin, list: list.slice(0, 1) }).instances;
    expect(placed?.positionM).toEqual([1, 2, 0]);
    expect(placed?.name).toBe('tree-1');
  });
});
