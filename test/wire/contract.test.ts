// The contract of both languages: golden frames of every kind, and recipes that have all of its fields.
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { plantObjects } from '#contract/documents/plant.ts';
import { frameKinds } from '#contract/wire/frameHeader.ts';
import { recipeObjects, sceneRecipeSchema } from '#contract/worker/recipe.ts';
import { sensorRecipeSchema } from '#contract/worker/sensorRecipe.ts';
import { goldenFrames } from './goldenFrames.ts';
import { goldenRecipes, goldenSensors } from './goldenRecipes.ts';
import { goldenScene } from './goldenScene.ts';

it('there is a golden frame of every kind', () => {
  const kinds = goldenFrames.map(({ headerJson }) => {
    const { kind } = JSON.parse(headerJson) as { kind: string };
    return kind;
  });
  expect(new Set(kinds)).toEqual(new Set(frameKinds));
});

describe('the golden recipes', () => {
  const file = new URL('golden/recipes.json', import.meta.url);

  it('are those of goldenRecipes.ts, and as their schemas say', () => {
    expect(readFileSync(file, 'utf8')).toBe(goldenRecipes());
    for (const sensor of Object.values(goldenSensors)) {
      expect(sensorRecipeSchema.parse(sensor)).toEqual(sensor);
    }
    expect(sceneRecipeSchema.parse(goldenScene)).toEqual(goldenScene);
  });

  it('have every field of every object', () => {
    const objects = objectsIn([goldenSensors, goldenScene]);
    for (const [name, schema] of Object.entries({ ...recipeObjects, ...plantObjects })) {
      const found = objects.filter((value) => z.safeParse(schema, value).success);
      expect(found.length, name).toBeGreaterThan(0);
      const keys = new Set(found.flatMap((value) => Object.keys(value)));
      expect([...keys].sort(), name).toEqual(Object.keys(schema.shape).sort());
    }
  });
});

/** All objects of a value, at any depth. */
function objectsIn(value: unknown): object[] {
  if (typeof value !== 'object' || value === null) return [];
  const inner = Object.values(value).flatMap(objectsIn);
  return Array.isArray(value) ? inner : [value, ...inner];
}
