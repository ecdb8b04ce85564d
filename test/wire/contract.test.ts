// The contract of both languages: the header that is generated from it, and recipes that have all of its fields.
import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { plantObjects } from '#contract/documents/plant.ts';
import { frameKinds } from '#contract/wire/frameHeader.ts';
import { recipeObjects, sceneRecipeSchema, sensorRecipeSchema } from '#contract/worker/recipe.ts';
import { goldenFrames } from './goldenFrames.ts';
import { goldenRecipes, goldenScene, goldenSensors } from './goldenRecipes.ts';
import { nativeContract } from './nativeContract.ts';

const project = fileURLToPath(new URL('../..', import.meta.url));
const header = 'native-workers/contract/contract.h';

describe('the native header', () => {
  it('is what the contract says (otherwise: npm run contract)', () => {
    expect(readFileSync(join(project, header), 'utf8')).toBe(nativeContract());
  });

  describe('in a copy of the project', () => {
    const copy = mkdtempSync(join(tmpdir(), 'understory-contract-'));
    afterAll(() => rmSync(copy, { recursive: true }));

    it('makes the check fail when a column is added in C++ alone', () => {
      const sources = ['package.json', 'src-main/contract', 'native-workers/contract'];
      const checks = ['test/wire', 'test/check.ts', 'test/checkStages.ts', 'test/stages.ts'];
      for (const part of [...sources, ...checks]) {
        cpSync(join(project, part), join(copy, part), { recursive: true });
      }
      symlinkSync(join(project, 'node_modules'), join(copy, 'node_modules'));
      const check = ['test/check.ts', 'native contract'];
      expect(execFileSync(process.execPath, check, { cwd: copy, encoding: 'utf8' })).toContain(
        '1 passed, 0 failed',
      );
      const file = join(copy, header);
      const text = readFileSync(file, 'utf8');
      const row = '  {"mirrors", ColumnType::u8, 1},\n';
      expect(text).toContain(row);
      writeFileSync(file, text.replace(row, `${row}  {"moisture", ColumnType::f32, 4},\n`));
      const { status, stdout } = spawnSync(process.execPath, check, {
        cwd: copy,
        encoding: 'utf8',
      });
      expect(status).toBe(1);
      expect(stdout).toContain('npm run contract');
    });
  });
});

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
