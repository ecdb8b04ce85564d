// Compiled scenarios of version 1 in the present form: hits keep the intensity that they had; and the rules that each of
// any version meets.
import { expect, it } from 'vitest';
import type { CompiledScenario } from '#contract/host/run.ts';
import { storedOutline, storedScenario } from '#contract/host/storedScenario.ts';
import { sampleRun } from '#test/catalogue/sampleScene.ts';
import { sampleCompiled } from '#test/recordings/samples.ts';

const stored = (materials: Record<string, object>): unknown => {
  const { scenario, recipe, ...rest } = sampleCompiled();
  return {
    ...rest,
    scenario: {
      ...scenario,
      understory: 1,
      scene: { ...scenario.scene, materials: { ...scenario.scene.materials, ...materials } },
    },
    recipe: {
      ...recipe,
      materials: Object.entries(materials).map(([name, material]) => ({
        ...material,
        name,
        colourRgb: [0, 0, 0],
      })),
    },
  };
};

it('turns what went straight through into gaps, and the reflectance into that of the rest', () => {
  const { value, problems } = storedScenario(
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
    'catalogue',
  );
  expect(problems).toEqual([]);
  const { scenario, recipe, scenarioHash } = value ?? sampleCompiled();
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
  expect(scenario.scene.materials['soil']).toMatchObject({
    reflectance: 0.3,
    transmittance: 0,
    gapFraction: 0,
    wetness: 0,
  });
  expect(scenarioHash).toBe(sampleCompiled().scenarioHash);
});

it('leaves the present form as it is', () => {
  const { compiled } = sampleRun(1);
  expect(storedScenario(compiled, 'catalogue')).toEqual({ value: compiled, problems: [] });
  const { value } = storedOutline(compiled);
  expect(value?.recipe).toEqual({ ...compiled.recipe, instances: [], scatters: [] });
  expect(value?.scenario.sensors).toEqual(compiled.scenario.sensors);
});

/** The first problem of the scenario after a change. */
function problemOf(
  change: (compiled: CompiledScenario) => void,
  foundIn: 'catalogue' | 'recording' | 'bundle' = 'catalogue',
): string {
  const compiled = structuredClone(sampleRun(1).compiled);
  change(compiled);
  const [problem] = storedScenario(compiled, foundIn).problems;
  return problem === undefined ? '' : `${problem.path}: ${problem.message}`;
}

it('refuses parts that do not agree', () => {
  expect(problemOf(({ recipe }) => recipe.instances.pop())).toContain('expected the id 4, found 5');
  expect(problemOf(({ recipe }) => (recipe.seed = 7))).toContain(
    "recipe.seed: expected the scenario's 1",
  );
  expect(problemOf(({ recipe }) => recipe.models.splice(1))).toContain('expected one of 1 models');
  expect(problemOf(({ recipe }) => recipe.classes.splice(1))).toContain(
    'expected one of 1 classes',
  );
  expect(problemOf(({ recipe }) => (recipe.materials = []))).toContain(
    'expected one of 0 materials',
  );
  expect(problemOf(({ sensors }) => sensors.pop())).toContain(
    'sensors: expected those of the scenario',
  );
  expect(
    problemOf(({ recipe }) => {
      for (const scatter of recipe.scatters) scatter.count = 4_000_000_000;
    }),
  ).toContain("recipe.scatters[0].count: expected the scenario's 8, found 4000000000");
  expect(
    problemOf(({ sensors }) => {
      for (const { recipe } of sensors) recipe.slotPattern = [3];
    }),
  ).toContain('slotPattern: expected one of 1 banks, found 3');
  // A worker would look for its first slot without end.
  const sweeping =
    (rateHz: number) =>
    ({ sensors }: CompiledScenario) => {
      const sweep = { minAzimuthRad: -1, maxAzimuthRad: 1, slotsPerScan: 10, activeShare: 0.5 };
      for (const { recipe } of sensors) recipe.scan = { kind: 'sweep', rateHz, ...sweep };
    };
  expect(problemOf(sweeping(1e290))).toContain('recipe.scan.rateHz: ');
  expect(problemOf(sweeping(1e6))).toMatch(
    /recipe\.slotsPerSecond: expected 10000000, as its scan has them, found \d+$/,
  );
  expect(problemOf(({ scenario }) => (scenario.navigation.costMap.cells = 40_000))).toContain(
    'scenario.navigation.costMap.cells: expected at most 4000, found 40000',
  );
  expect(problemOf(({ scenario }) => (scenario.name = 'two\nlines'))).toMatch(
    /^scenario.name: expected one line .* found 'two\\u000alines'$/,
  );
});

it('takes names of files by the place where it was found', () => {
  const withMesh = (file: string) => (compiled: CompiledScenario) => {
    Object.assign(compiled, structuredClone(sampleCompiled()));
    for (const { source } of compiled.recipe.models) if (source.kind === 'mesh') source.file = file;
    for (const mount of compiled.scenario.sensors) mount.sensor = 'vlp-16';
  };
  expect(problemOf(withMesh('/etc/passwd'))).toBe('');
  for (const file of ['/etc/passwd', 'C:\\x.obj', '\\\\server\\x.obj']) {
    expect(problemOf(withMesh(file), 'recording')).toContain('expected a relative name');
  }
  expect(problemOf(withMesh('../meshes/log.obj'), 'recording')).toBe('');
  expect(problemOf(withMesh('../meshes/log.obj'), 'bundle')).toContain(
    'source.file: expected the name of a mesh',
  );
  expect(problemOf(withMesh(`meshes/${'a'.repeat(64)}.obj`), 'bundle')).toBe('');
});
