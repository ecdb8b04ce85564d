// Weather as the worker is given it, and what is refused.
import { describe, expect, it } from 'vitest';
import { weatherSchema } from '#contract/documents/weather.ts';
import type { SceneInput } from '#contract/documents/scene.ts';
import { parseScenario } from '#domain/scenario/documentText.ts';
import { particleExtinctionPerM, weatherRecipe } from '#domain/shared/weather.ts';
import { weatherProblems } from '#domain/sensor/airEffects.ts';
import { compileSensor } from '#domain/sensor/compileSensor.ts';
import { parseSensor } from '#domain/scenario/documentText.ts';
import { scenario, sensor } from '#test/support/documents.ts';

type Weather = NonNullable<SceneInput['weather']>;

const recipeOf = (weather: Weather) => weatherRecipe(weatherSchema.parse(weather));

function extinctionOf(weather: Weather): number {
  const [particles] = recipeOf(weather).particles;
  return particles === undefined ? NaN : particleExtinctionPerM(particles);
}

function compiled(returns: object) {
  const all = { mode: 'strongest', signalCutoffM: 1, ...returns } as const;
  const { value } = parseSensor(sensor({ returns: all }));
  const recipe = value === null ? null : compileSensor(value).value;
  if (recipe === null) throw new Error('expected a sensor');
  return recipe;
}

const problemsOf = (fields: Partial<SceneInput>) =>
  parseScenario(scenario(fields)).problems.map(({ path, message }) => `${path}: ${message}`);

describe('drops and flakes', () => {
  it('take of light what their number and sizes say', () => {
    // ½π · 8000 · (4.1 · 10^−0.21)^−3 · 10⁻⁶.
    expect(extinctionOf({ rain: { rateMmPerH: 10 } })).toBeCloseTo(7.78e-4, 6);
    const dry = extinctionOf({ snow: { rateMmPerH: 2 } });
    const wet = extinctionOf({ snow: { rateMmPerH: 2, wetness: 'wet' } });
    expect(dry / wet).toBeCloseTo(3 ** (2 / 3), 12);
  });

  it('are as many as a named law takes of light', () => {
    const byLaw = extinctionOf({ rain: { rateMmPerH: 25, law: 'carbonneau' } });
    expect((byLaw * 1000 * 10) / Math.LN10).toBeCloseTo(1.076 * 25 ** 0.67, 10);
  });
});

it('media keep their coefficients', () => {
  expect(recipeOf({ fog: { visibilityM: 200 }, smoke: { extinctionPerM: 0.02 } }).media).toEqual([
    { kind: 'fog', visibilityKm: 0.2, lidarRatioSr: 18 },
    { kind: 'smoke', extinctionPerM: 0.02, lidarRatioSr: 60 },
  ]);
});

it('the extinction of one thing is not stated twice', () => {
  expect(
    problemsOf({
      atmosphere: { rainMmPerH: 5, visibilityKm: 2 },
      weather: { rain: { rateMmPerH: 5 }, fog: { visibilityM: 500 } },
    }),
  ).toEqual([
    expect.stringMatching(
      /^scene\.atmosphere\.rainMmPerH: expected none beside scene\.weather\.rain/,
    ),
    expect.stringMatching(
      /^scene\.atmosphere\.visibilityKm: expected none beside scene\.weather\.fog/,
    ),
  ]);
});

it('rates beyond what falls, and fog of no visibility, are problems', () => {
  expect(problemsOf({ weather: { rain: { rateMmPerH: 1000 } } })[0]).toMatch(/rateMmPerH.*200/);
  expect(problemsOf({ weather: { snow: { rateMmPerH: 0 } } })[0]).toMatch(/rateMmPerH/);
  expect(problemsOf({ weather: { fog: { visibilityM: 0 } } })[0]).toMatch(/visibilityM/);
});

describe('sensors in weather', () => {
  const rain = recipeOf({ rain: { rateMmPerH: 5 } });
  const fog = recipeOf({ fog: { visibilityM: 100 } });
  const [path, kind] = ['scene.weather', 'expected sensors that weather can be simulated for'];
  it.each([
    [rain, {}, 'returns.detection'],
    [fog, { detectionThreshold: 1e-6 }, 'returns.rangeResolutionM'],
    [rain, { detectionThreshold: 1e-6, rangeResolutionM: 1 }, 'beam.apertureHorizontalM'],
  ])('state what their echoes follow from', (weather, returns, missing) => {
    const recipe = compiled(returns);
    expect(weatherProblems(weather, [recipe])).toEqual([
      { path, code: 'custom', message: `${kind}, '${recipe.id}' states no ${missing}` },
    ]);
  });

  it('need no aperture in media', () => {
    const recipe = compiled({ detectionThreshold: 1e-6, rangeResolutionM: 1 });
    expect(weatherProblems(fog, [recipe])).toEqual([]);
  });
});
