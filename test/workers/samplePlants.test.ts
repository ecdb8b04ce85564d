// The sample plants and the courtyard as the real worker plans them: the totals of the paper's scene.
import { beforeAll, describe, expect, it } from 'vitest';
import type { SceneRecipe } from '#contract/worker/recipe.ts';
import type { ModelSummary, SceneSummary } from '#contract/worker/worker.ts';
import type { LoadedScenario } from '#services/documents/documents.ts';
import { startWorker } from '#test/support/worker.ts';
import { compileScenario } from './realWorker.ts';

const memoryLimitBytes = 2e9;
const worker = await startWorker({ threads: 1 });

const plan = async (recipe: SceneRecipe): Promise<SceneSummary> => {
  const heights = new Float32Array();
  return (await worker.call('scene.plan', { recipe, memoryLimitBytes }, { heights })).body;
};

const modelNamed = (summary: SceneSummary, name: string): ModelSummary => {
  const model = summary.models.find((candidate) => candidate.name === name);
  if (!model) throw new Error(`no model '${name}'`);
  return model;
};

describe('the courtyard', () => {
  let courtyard: LoadedScenario;
  let summary: SceneSummary;
  beforeAll(async () => {
    courtyard = await compileScenario('courtyard');
    summary = await plan(courtyard.compiled.recipe);
  });

  it('has 191.2 million instanced triangles within 1 %, none degenerate', () => {
    expect(summary.instancedTriangles).toBeGreaterThan(191_245_324 * 0.99);
    expect(summary.instancedTriangles).toBeLessThan(191_245_324 * 1.01);
    expect(summary.degenerateTriangles).toBe(0);
  });

  it('has 50 trees and nearly 2 million blades of 88 triangles or more', () => {
    const grass = modelNamed(summary, 'grass');
    expect(modelNamed(summary, 'tree').instances).toBe(50);
    expect(grass.blades * grass.instances).toBe(1_990_000);
    expect(grass.triangles / grass.blades).toBeGreaterThanOrEqual(88);
    for (const { requested, placed } of summary.scatters) expect(placed).toBe(requested);
  });

  it('has a tree of 8 to 10 m with 100,000 leaf triangles or more, solid at its trunk only', async () => {
    const tree = modelNamed(summary, 'tree');
    expect(tree.maxM[2]).toBeGreaterThan(8);
    expect(tree.maxM[2]).toBeLessThan(10);
    const bare = structuredClone(courtyard.compiled.recipe);
    const source = bare.models.find(({ name }) => name === 'tree')?.source;
    if (source?.kind !== 'plant' || source.plant.generator !== 'tree') throw new Error('no tree');
    const { perTwig } = source.plant.leaves;
    source.plant.leaves.perTwig = 1;
    const withOneLeaf = modelNamed(await plan(bare), 'tree').triangles;
    // perTwig leaves take perTwig times the triangles of one; the wood stays.
    const leafTriangles = ((tree.triangles - withOneLeaf) * perTwig) / (perTwig - 1);
    expect(leafTriangles).toBeGreaterThan(100_000);
    const reachM = (tree.footprintM ?? []).map(([x, y]) => Math.hypot(x, y));
    expect(reachM.length).toBeGreaterThan(8);
    expect(Math.max(...reachM)).toBeLessThan(0.4);
  });
});

it('the clearing has shrubs of about 1 m that stop no vehicle', async () => {
  const { compiled } = await compileScenario('clearing');
  const shrub = modelNamed(await plan(compiled.recipe), 'shrub');
  expect(shrub.maxM[2]).toBeGreaterThan(0.9);
  expect(shrub.maxM[2]).toBeLessThan(1.2);
  expect(shrub.footprintM).toBeNull();
});
