// Litter of a stand: squares side by side in its area, of variants enough for the law, with the optics of dead leaves.
import { describe, expect, it } from 'vitest';
import { landscapeSchema } from '#contract/documents/landscape.ts';
import { sceneSchema, type SceneInput } from '#contract/documents/scene.ts';
import { sceneRecipeSchema, type SceneRecipe } from '#contract/worker/recipe.ts';
import { classNamesOf } from '#contract/documents/scenarioReferences.ts';
import { compileScene } from '#domain/scene/compileScene.ts';
import { parseScenario } from '#domain/scenario/documentText.ts';
import { noReferences } from '#test/support/documents.ts';

type StandInput = NonNullable<SceneInput['stands']>[number];

const litter = {
  kind: 'litter' as const,
  name: 'leaf',
  areaM: [
    [0, 0],
    [20, 0],
    [20, 10],
    [0, 10],
  ] as [number, number][],
  cover: 0.5,
};

function compiled(stand: StandInput, others: Partial<SceneInput> = {}) {
  return compileScene(
    sceneSchema.parse({ materials: {}, stands: [stand], ...others }),
    noReferences,
    3,
  );
}

function built(change: Partial<typeof litter> & object): SceneRecipe {
  const { value, problems } = compiled({ ...litter, ...change });
  expect(problems).toEqual([]);
  if (value === null) throw new Error('there is no recipe');
  return value;
}

function sourcesOf({ models }: SceneRecipe) {
  return models.map(({ source }) => {
    if (source.kind !== 'litter') throw new Error('expected litter');
    return source;
  });
}

describe('litter', () => {
  it('is squares side by side, in four directions, that lie on the ground', () => {
    const recipe = built({});
    expect(sceneRecipeSchema.safeParse(recipe).error).toBeUndefined();
    expect(recipe.instances).toHaveLength((20 * 10) / 0.5 ** 2);
    const places = new Set(recipe.instances.map(({ positionM }) => String(positionM)));
    expect(places.size).toBe(800);
    const turns = new Map<string, number>();
    for (const {
      positionM: [x, y, z],
      onGround,
      liesOnGround,
      scale,
      rotation,
    } of recipe.instances) {
      expect([z, onGround, liesOnGround, scale]).toEqual([0, true, true, 1]);
      expect([x % 0.5, y % 0.5]).toEqual([0.25, 0.25]);
      const turn = rotation.map((part) => part.toFixed(3)).join();
      turns.set(turn, (turns.get(turn) ?? 0) + 1);
    }
    expect(turns.size).toBe(4);
    // Binomial of 800 and a quarter: 12.2; four of them.
    for (const count of turns.values()) expect(Math.abs(count - 200)).toBeLessThan(49);
    const sources = sourcesOf(recipe);
    expect(new Set(sources.map(({ seed }) => seed)).size).toBe(sources.length);
    for (const source of sources) {
      expect(source).toMatchObject({ sideM: 0.5, cover: 0.5, leafM: [0.07, 0.045] });
      expect(source.maxTiltRad).toBeCloseTo(Math.PI / 9, 12);
    }
    // -ln(0.5) m² of leaves, from above, on a square metre: 85 on a square, 6000 in all.
    expect(sources.length).toBe(64);
    expect(recipe.models.every(({ solid }) => solid === 'none')).toBe(true);
    expect(recipe.materials).toMatchObject([
      {
        name: 'litter:dead-leaf',
        reflectance: [
          [532, 0.2],
          [905, 0.42],
          [1064, 0.47],
          [1550, 0.48],
        ],
      },
    ]);
  });

  it('leaves exclusion zones and what is outside of a concave area out', () => {
    const areaM: [number, number][] = [
      [0, 0],
      [10, 0],
      [10, 10],
      [5, 5],
      [0, 10],
    ];
    const keepClear = [{ centreM: [2, 2] as [number, number], radiusM: 1 }];
    const recipe = built({ areaM, keepClear } as object);
    const isInside = ([x = 0, y = 0]: readonly number[]): boolean =>
      (x < 5 ? y < 10 - x : y <= x) && Math.hypot(x - 2, y - 2) >= 1;
    const all = Array.from({ length: 400 }, (_, n) => [
      (n % 20) * 0.5 + 0.25,
      Math.floor(n / 20) * 0.5 + 0.25,
    ]);
    const found = recipe.instances.map(({ positionM: [x, y] }) => String([x, y]));
    expect(new Set(found)).toEqual(new Set(all.filter(isInside).map(String)));
    expect(recipe.instances[0]?.name).toBe('leaf-1');
  });

  it('has larger squares for few leaves, large ones and large areas', () => {
    const sideOf = (change: object): number => sourcesOf(built(change))[0]?.sideM ?? NaN;
    // 20 leaves of 0.00205 m² at 1 %: 4.1 m² would do.
    expect(sideOf({ cover: 0.01 })).toBe(2);
    expect(sideOf({ leafM: [0.3, 0.2] })).toBe(1.5);
    const large: [number, number][] = [
      [0, 0],
      [400, 0],
      [400, 250],
      [0, 250],
    ];
    expect(sideOf({ areaM: large })).toBe(1);
  });

  it('has no squares without cover, and another material where one is named', () => {
    expect(built({ cover: 0 }).instances).toEqual([]);
    const needles = { ...litter, leafM: [0.05, 0.0012], material: 'needles' } as StandInput;
    const { value } = compiled(needles, { materials: { needles: { reflectance: 0.3 } } });
    expect(value?.materials).toHaveLength(1);
    expect(value && sourcesOf(value)).toHaveLength(4);
    const scenario = { understory: 2, name: 'L', scene: { materials: {}, stands: [needles] } };
    expect(parseScenario(JSON.stringify(scenario)).problems.map(({ path }) => path)).toEqual([
      'scene.stands[0].material',
    ]);
    expect(classNamesOf(scenario)).toContain('litter');
  });

  it('refuses what has no law or no end', () => {
    const problemOf = (change: object): string => {
      const [problem] = compiled({ ...litter, ...change }).problems;
      return `${problem?.path}: ${problem?.message}`;
    };
    const line = [0, 1, 2].map((at) => [at, at]);
    expect(problemOf({ areaM: line })).toBe(
      'scene.stands[0].areaM: expected a polygon with an area',
    );
    const huge = litter.areaM.map(([x, y]) => [50 * x, 100 * y]);
    expect(problemOf({ areaM: huge })).toBe(
      'scene.stands[0].areaM: expected at most 400000 m², found 1000000',
    );
    expect(problemOf({ leafM: [0.01, 0.0005] })).toMatch(
      /^scene\.stands\[0\]\.leafM: expected leaves of which at most 50000 lie on a square, found \d+ on 0\.5 × 0\.5 m/,
    );
    expect(() => sceneSchema.parse({ materials: {}, stands: [{ ...litter, cover: 1 }] })).toThrow();
    const tiled = landscapeSchema.safeParse({
      name: 'wide',
      areaM: litter.areaM,
      stands: [litter],
    });
    expect(tiled.error?.issues.map(({ path, message }) => [path.join('.'), message])).toEqual([
      ['stands.0.kind', expect.stringContaining('expected no litter') as string],
    ]);
  });
});
