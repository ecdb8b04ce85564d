// One text for one meaning: what changes a scenario's hash, and what does not.
import { describe, expect, it } from 'vitest';
import type { CompiledScenario } from '#contract/host/run.ts';
import { canonicalJson, scenarioHashInput } from '#domain/scenario/canonicalJson.ts';
import { parseScenario } from '#domain/scenario/documentText.ts';
import { minimalScenario } from '#test/support/documents.ts';

describe('canonicalJson', () => {
  it('does not depend on the order of keys, at any depth', () => {
    const a = { b: [{ y: 1, x: 'é' }], a: null, c: undefined };
    const b = { a: null, b: [{ x: 'é', y: 1 }] };
    expect(canonicalJson(a)).toBe(canonicalJson(b));
    expect(canonicalJson(a)).toBe('{"a":null,"b":[{"x":"é","y":1}]}');
  });

  it('distinguishes lists in another order', () => {
    expect(canonicalJson([1, 2])).not.toBe(canonicalJson([2, 1]));
  });

  it('refuses what JSON cannot hold', () => {
    expect(() => canonicalJson({ a: [NaN] })).toThrow(RangeError);
  });
});

describe('scenarioHashInput', () => {
  const scenario = parseScenario(minimalScenario).value;
  if (scenario === null) throw new Error('expected a scenario');
  const mesh = { kind: 'mesh', format: 'ply', unitM: 1, upAxis: 'z', material: 0 } as const;
  const compiled = (file: string): Omit<CompiledScenario, 'scenarioHash'> => ({
    scenario,
    sensors: [],
    recipe: {
      seed: 1,
      materials: [],
      classes: [],
      models: [{ name: 'rock', solid: 'all', source: { ...mesh, file, materials: {} } }],
      instances: [],
      scatters: [],
      ground: -1,
    },
  });
  const input = (file: string, hash: string, heights = 'h'): string =>
    [...scenarioHashInput(compiled(file), { meshes: { [file]: hash }, heights })].join('');

  it('depends on what files hold, not on where they lie', () => {
    expect(input('/a/rock.ply', '01')).toBe(input('/b/rock.ply', '01'));
    expect(input('/a/rock.ply', '01')).not.toBe(input('/a/rock.ply', '02'));
    expect(input('/a/rock.ply', '01')).not.toBe(input('/a/rock.ply', '01', 'other'));
  });

  it('depends on the seed', () => {
    const other = { ...compiled('/a'), scenario: { ...scenario, seed: 2 } };
    const pieces = scenarioHashInput(other, { meshes: { '/a': '01' }, heights: 'h' });
    expect([...pieces].join('')).not.toBe(input('/a', '01'));
  });

  it('is the canonical JSON of what it takes in, whatever it is divided into', () => {
    const instances = Array.from({ length: 1234 }, (_, id) => ({ name: `n${id}`, id }));
    const { scenario: own, sensors, recipe } = compiled('/a');
    const large = { scenario: own, sensors, recipe: { ...recipe, instances } };
    const { name, seed, vehicle, mission, navigation } = own;
    const [model] = recipe.models;
    const expected = canonicalJson({
      scenario: { name, seed, vehicle, mission, navigation },
      recipe: {
        ...large.recipe,
        models: [{ ...model, source: { ...model?.source, file: '01' } }],
      },
      sensors,
      heights: 'h',
    });
    // Why the cast: only names and ids of the instances matter here.
    const pieces = [
      ...scenarioHashInput(large as unknown as Omit<CompiledScenario, 'scenarioHash'>, {
        meshes: { '/a': '01' },
        heights: 'h',
      }),
    ];
    expect(pieces.join('')).toBe(expected);
    expect(Math.max(...pieces.map(({ length }) => length))).toBeLessThan(expected.length / 2);
  });
});
