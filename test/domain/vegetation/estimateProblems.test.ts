// Scenes whose leaf area can be estimated, and those where it cannot.
import { expect, it } from 'vitest';
import type { SceneInput } from '#contract/documents/scene.ts';
import { parseScenario } from '#domain/scenario/documentText.ts';
import { compileScene } from '#domain/scene/compileScene.ts';
import { estimateProblems } from '#domain/vegetation/estimateProblems.ts';
import { noReferences, placed, scenario } from '#test/support/documents.ts';

const leaf = { reflectance: 0.4, part: 'leaf' as const };
type Models = NonNullable<SceneInput['models']>;
const discs: Models[string] = {
  kind: 'leaf-discs',
  sizeM: [1, 1, 1],
  leafAreaDensity: 1,
  material: 'leaf',
};

/** Messages about the estimate of a scene. */
function problemsOf(scene: Partial<SceneInput>, hasEstimate = true): string[] {
  const { value, problems } = parseScenario(
    scenario({ ...scene, ...(hasEstimate && { estimate: { voxelM: 0.5 } }) }),
  );
  if (value === null) throw new Error(JSON.stringify(problems));
  const compiled = compileScene(value.scene, noReferences, 1);
  if (compiled.value === null) throw new Error(JSON.stringify(compiled.problems));
  return estimateProblems(value, compiled.value).map(({ path, message }) => `${path}: ${message}`);
}

it('leaf discs, and surfaces of leaves in a class of plants, have leaf area', () => {
  const models = { canopy: discs };
  const instances = [placed('canopy', [0, 0, 0])];
  expect(problemsOf({ materials: { leaf }, models, instances })).toEqual([]);
  const plane: Models[string] = { kind: 'plane', sizeM: [1, 1], material: 'leaf' };
  const thin = { materials: { leaf: { reflectance: 0.4, transmittance: 0.4 } } };
  expect(
    problemsOf({ ...thin, models: { leaf: plane }, instances: [placed('leaf', [0, 0, 0])] }),
  ).toEqual([]);
});

it('scenes without any are refused, unless nothing is estimated', () => {
  const box: Models[string] = { kind: 'box', sizeM: [1, 1, 1], material: 'grey' };
  const bare = { models: { box }, instances: [placed('box', [0, 0, 0])] };
  expect(problemsOf(bare)).toEqual([expect.stringMatching(/^estimate: expected plants/)]);
  expect(problemsOf(bare, false)).toEqual([]);
  // A model that is not placed has none either.
  const models = { canopy: discs };
  expect(problemsOf({ materials: { leaf }, models })).toHaveLength(1);
});

it('leaves that beams would take for surfaces are refused', () => {
  const radiusM = 0.1;
  const disc: Models[string] = { kind: 'cylinder', radiusM, heightM: 0.001, material: 'leaf' };
  const instances = [placed('disc', [0, 0, 0])];
  expect(problemsOf({ materials: { leaf }, models: { disc }, instances })).toEqual([
    'estimate: expected a class of plants for what has leaves, such as leaf or tree: returns of disc count as surfaces',
  ]);
});
