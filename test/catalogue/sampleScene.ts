// A made-up scene for catalogue tests: ground, a wall, two trees, a small scatter, and ground cover with
// gaps, as the worker hands it over.
import { createHash } from 'node:crypto';
import type { Columns } from '#contract/columns.ts';
import type { InstanceRecipe, SceneRecipe, ScatterRecipe } from '#contract/worker/recipe.ts';
import type { CompiledScenario } from '#contract/host/run.ts';
import { instanceColumnNames, type SceneSummary } from '#contract/worker/worker.ts';
import { scenarioHashInput } from '#domain/scenario/canonicalJson.ts';
import type { NewRun, SavedScene } from '#services/ports/catalogue.ts';
import { sampleCompiled } from '#test/recordings/samples.ts';

const placed: Omit<InstanceRecipe, 'id' | 'name' | 'class' | 'model'> = {
  positionM: [0, 0, 0],
  onGround: true,
  rotation: [0, 0, 0, 1],
  scale: 1,
};
const scattered: Omit<ScatterRecipe, 'firstId' | 'name' | 'class' | 'model' | 'count'> = {
  pattern: 'uniform',
  minSpacingM: 0,
  areaM: [
    [0, 0],
    [9, 0],
    [9, 9],
  ],
  yawRad: [0, 6],
  scale: [1, 1],
  tiltRad: [0, 0],
  keepClear: [],
};

export const grassCount = 20_000;
/** Ids of the grass: 13 … 13 + grassCount − 1, of which the last 100 found no room. */
export const firstGrassId = 13;

export const sampleRecipe: SceneRecipe = {
  seed: 1,
  materials: [{ name: 'bark', reflectance: 0.4, colourRgb: [0.5, 0.4, 0.3] }],
  classes: ['ground', 'wall', 'tree', 'shrub', 'grass'],
  models: ['ground', 'wall', 'tree', 'shrub', 'grass'].map((name) => ({
    name,
    solid: 'all',
    source: { kind: 'box', sizeM: [1, 1, 1], material: 0 },
  })),
  instances: [
    instance(1, 'ground', 0),
    instance(2, 'wall-north', 1),
    instance(3, 'tree-12', 2),
    instance(4, 'tree-13', 2),
  ],
  scatters: [
    { ...scattered, name: 'shrub', firstId: 5, count: 8, class: 3, model: 3 },
    { ...scattered, name: 'grass', firstId: 13, count: grassCount, class: 4, model: 4 },
  ],
  ground: 0,
};

export function sampleSummary(sceneHash = 'scene-1'): SceneSummary {
  return {
    instancedTriangles: 1000,
    uniqueTriangles: 100,
    degenerateTriangles: 0,
    instances: 12 + grassCount - 100,
    models: [],
    scatters: [{ name: 'grass', requested: grassCount, placed: grassCount - 100 }],
    minM: [-1, -1, 0],
    maxM: [1, 1, 2],
    memoryBytes: 12345,
    sceneHash,
    buildSeconds: 1.5,
  };
}

/** The scene as a run saves it. */
export function sampleSavedScene(sceneHash?: string): SavedScene {
  return { summary: sampleSummary(sceneHash), isa: 'avx2', engine: 'e', recipe: sampleRecipe };
}

/** The columns of scene.instances; every value follows from id and column. */
export function sampleInstances(): Columns {
  const ids = Array.from({ length: 12 + grassCount - 100 }, (_, row) => row + 1);
  const columns: Columns = {};
  for (const [number, name] of instanceColumnNames.entries()) {
    const values = ids.map((id) => instanceValue(id, number));
    if (name === 'instance_id') columns[name] = Uint32Array.from(ids);
    else if (name.endsWith('_id')) columns[name] = Uint16Array.from(ids, kindOf);
    else if (name.startsWith('m')) columns[name] = Float32Array.from(values);
    else columns[name] = Float64Array.from(values);
  }
  return columns;
}

/** The value of sampleInstances for an instance in the column of this number; exact in 32 bits. */
export function instanceValue(id: number, columnNumber: number): number {
  return id / 4 + columnNumber;
}

export function sampleRun(number: number, changes: Partial<NewRun> = {}): NewRun {
  const { scenario, ...rest } = sampleCompiled();
  const scattered = sampleRecipe.scatters.map(({ name, count, pattern, areaM }) => {
    const span = (from: number, to: number): [number, number] => [from, to];
    const spans = { yawDeg: span(0, 360), scale: span(1, 1), tiltDeg: span(0, 0) };
    return { name, model: 'log', count, pattern, areaM, ...spans, keepClear: [] };
  });
  const compiled: CompiledScenario = {
    ...rest,
    scenario: { ...scenario, scene: { ...scenario.scene, scatters: scattered } },
    recipe: sampleRecipe,
  };
  compiled.scenarioHash = hashOf(compiled);
  const hex = number.toString(16).padStart(12, '0');
  return {
    id: `0199a0c1-0000-7000-8000-${hex}`,
    name: `run ${number}`,
    createdMs: 1_800_000_000_000 + number,
    compiled,
    version: '0.1.0',
    hostName: 'test',
    order: { seconds: 10, threads: null, isa: null },
    ...changes,
  };
}

/** The hash of a scenario without meshes and heights. */
function hashOf(compiled: CompiledScenario): string {
  const contents = { meshes: {}, heights: createHash('sha256').digest('hex') };
  const sum = createHash('sha256');
  for (const text of scenarioHashInput(compiled, contents)) sum.update(text);
  return sum.digest('hex');
}

function kindOf(id: number): number {
  if (id >= firstGrassId) return 4;
  if (id >= 5) return 3;
  return Math.min(id - 1, 2);
}

function instance(id: number, name: string, kind: number): InstanceRecipe {
  return { ...placed, id, name, class: kind, model: kind };
}
