// Compiled scenarios of version 1 in the present form: hits keep the intensity that they had.
import { expect, it } from 'vitest';
import { compiledFromStored } from '#contract/host/storedScenario.ts';
import { parseScenario } from '#domain/scenario/documentText.ts';
import { minimalScenario } from '#test/domain/scenario/minimal.ts';

const stored = (materials: Record<string, object>): unknown => ({
  scenario: { understory: 1, name: 'old', scene: { materials, models: {} } },
  recipe: {
    materials: Object.entries(materials).map(([name, material]) => ({
      ...material,
      name,
      colourRgb: [0, 0, 0],
    })),
  },
  sensors: [],
  scenarioHash: 'abc',
});

it('turns what went straight through into gaps, and the reflectance into that of the rest', () => {
  const { scenario, recipe, scenarioHash } = compiledFromStored(
    stored({
      soil: { reflectance: 0.3 },
      gauze: { reflectance: 0.05, transmittance: 0.8 },
      leaf: {
        reflectance: [
          [680, 0.06],
          [905, 0.48],
        ],
        transmittance: 0.25,
      },
      air: { reflectance: 0, transmittance: 1 },
    }),
  );
  const [soil, gauze, leaf, air] = recipe.materials;
  expect(soil).toEqual({ name: 'soil', reflectance: 0.3, colourRgb: [0, 0, 0] });
  expect(gauze).toMatchObject({ gapFraction: 0.8 });
  // A hit of gauze sends back (1 - g) times its reflectance: 0.05, as it did.
  expect(gauze?.reflectance).toBeCloseTo(0.25, 12);
  expect(gauze).not.toHaveProperty('transmittance');
  expect(leaf?.reflectance).toEqual([
    [680, 0.06 / 0.75],
    [905, 0.48 / 0.75],
  ]);
  expect(air).toMatchObject({ reflectance: 0, gapFraction: 1 });
  expect(scenario.understory).toBe(2);
  expect(scenario.scene.materials['gauze']).toMatchObject({
    gapFraction: 0.8,
    transmittance: 0,
    wetness: 0,
  });
  expect(scenario.scene.materials['soil']).toEqual({
    reflectance: 0.3,
    transmittance: 0,
    gapFraction: 0,
    wetness: 0,
  });
  expect(scenarioHash).toBe('abc');
});

it('leaves the present form as it is', () => {
  const { value: scenario } = parseScenario(minimalScenario);
  const recipe = { materials: [{ name: 'leaf', reflectance: 0.4, transmittance: 0.4 }] };
  const compiled = { scenario, recipe, sensors: [], scenarioHash: '' };
  expect(compiledFromStored(compiled)).toEqual(compiled);
});
