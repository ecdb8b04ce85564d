// The air of a scene in its view: extinction at 550 nm by the laws of PHYSICS.md, its colour, the mean wind.
import { describe, expect, it } from 'vitest';
import type { SceneInput } from '#contract/documents/scene.ts';
import { parseScenario } from '#domain/scenario/documentText.ts';
import { visibilityM } from '#domain/shared/weather.ts';
import { clearAir, sceneAir, type SceneAir } from '#renderer/logic/scene/sceneAir.ts';
import { scenario } from '#test/support/documents.ts';

function airOf(fields: Partial<SceneInput>): SceneAir {
  const { value, problems } = parseScenario(scenario(fields));
  if (value === null) throw new Error(problems.map(({ message }) => message).join());
  return sceneAir(value.scene);
}

const extinctionOf = (fields: Partial<SceneInput>): number => airOf(fields).extinctionPerM;

describe('extinction', () => {
  it('is that of the stated visibility in fog and in clear air', () => {
    expect(airOf({})).toEqual(clearAir);
    expect(extinctionOf({ weather: { fog: { visibilityM: 200 } } })).toBeCloseTo(3.912 / 200, 12);
    expect(extinctionOf({ atmosphere: { visibilityKm: 10 } })).toBeCloseTo(3.912e-4, 12);
    expect(visibilityM(extinctionOf({ weather: { fog: { visibilityM: 75 } } }))).toBeCloseTo(75, 9);
  });

  it('is that of drops and flakes by their numbers, and of rain in the air by Carbonneau', () => {
    // ½π · 8000 · (4.1 · 10^−0.21)^−3 · 10⁻⁶.
    const rain = { rateMmPerH: 10 };
    expect(extinctionOf({ weather: { rain } })).toBeCloseTo(7.78e-4, 6);
    const carbonneau = extinctionOf({ weather: { rain: { ...rain, law: 'carbonneau' } } });
    expect(carbonneau).toBeCloseTo(((1.076 * 10 ** 0.67) / 1000) * (Math.LN10 / 10), 9);
    expect(extinctionOf({ atmosphere: { rainMmPerH: 10 } })).toBeCloseTo(carbonneau, 12);
    expect(extinctionOf({ weather: { snow: { rateMmPerH: 2 } } })).toBeGreaterThan(1e-3);
  });

  it('adds up, and the air has the colour of what takes most', () => {
    const both = airOf({
      weather: { smoke: { extinctionPerM: 0.01 }, dust: { extinctionPerM: 0.03 } },
    });
    expect(both.extinctionPerM).toBeCloseTo(0.04, 12);
    const [red, green, blue] = both.tint;
    expect(red).toBeGreaterThan(green);
    expect(green).toBeGreaterThan(blue);
    const fog = airOf({ weather: { fog: { visibilityM: 50 }, dust: { extinctionPerM: 1e-6 } } });
    expect(Math.max(...fog.tint) - Math.min(...fog.tint)).toBeLessThan(1e-3);
  });
});

describe('wind', () => {
  const models = {
    tree: { kind: 'plant', plant: 'broadleaf-tree' },
    still: { kind: 'plant', plant: 'broadleaf-tree', sways: false },
    flag: { kind: 'box', sizeM: [1, 0.1, 1], material: 'grey', sways: true },
    crate: { kind: 'box', sizeM: [1, 1, 1], material: 'grey' },
  } as unknown as SceneInput['models'];

  it('leans by the square of its speed, towards where it blows', () => {
    const wind = { speedMPerS: 20, directionDeg: 90, topM: 0.1, maxLean: 0.2 };
    const air = airOf({ wind, models });
    expect(air.wind).toMatchObject({ speedMPerS: 20, topM: 0.4, maxLean: 0.2 });
    expect(air.wind?.towards[0]).toBeCloseTo(0, 12);
    expect(air.wind?.towards[1]).toBeCloseTo(1, 12);
    expect(air.extinctionPerM).toBe(0);
  });

  it('bends the models that sway; calm air bends none', () => {
    expect([...(airOf({ wind: { speedMPerS: 8 }, models }).wind?.models ?? [])]).toEqual([
      'tree',
      'flag',
    ]);
    expect(airOf({ wind: { speedMPerS: 0 }, models }).wind).toBeNull();
  });
});
