// Memory of a triangle and of an instance: scenes of growing size, each in a fresh worker, and the
// largest resident size of each. The peak counts what building needs for a moment, as it must.
import type { MemoryBench } from '#contract/host/bench.ts';
import type { SceneRecipe } from '#contract/worker/recipe.ts';
import type { HandlerContext } from '#services/handlers.ts';
import type { ProcessMeter } from '#services/ports/system.ts';
import { buildScene, type ScenePorts } from '#services/scans/sceneWork.ts';

export interface MemoryBenchPorts extends ScenePorts {
  meter: ProcessMeter;
}

/** Cells along the side of a plane, which has two triangles a cell: 0.1, 0.4 and 1.6 million. */
const divisions = [224, 447, 894];
/** Copies of a box. */
const copies = [25_000, 100_000, 400_000];

/** @throws UnderstoryError 'scene-too-large' | 'worker-lost' | 'cancelled' */
export async function benchMemory(
  ports: MemoryBenchPorts,
  context: HandlerContext,
): Promise<MemoryBench> {
  const recipes = [...divisions.map(planeScene), ...copies.map(boxScene)];
  const scenes: MemoryBench['scenes'] = [];
  const empty = await measure(ports, planeScene(1), context);
  for (const [done, recipe] of recipes.entries()) {
    context.progress({ phase: 'bench', done, total: recipes.length });
    scenes.push(await measure(ports, recipe, context));
  }
  const byTriangles = scenes.slice(0, divisions.length);
  const byInstances = scenes.slice(divisions.length);
  return {
    bytesPerUniqueTriangle: slope(byTriangles, ({ uniqueTriangles }) => uniqueTriangles),
    bytesPerInstance: slope(byInstances, ({ instances }) => instances),
    emptyMB: empty.peakRssMB,
    scenes,
  };
}

type Measured = MemoryBench['scenes'][number];

async function measure(
  ports: MemoryBenchPorts,
  recipe: SceneRecipe,
  { signal }: HandlerContext,
): Promise<Measured> {
  const { launcher, meter } = ports;
  const worker = await launcher.open({ isa: null, threads: null });
  try {
    const scene = { recipe, heights: new Float32Array() };
    const summary = await buildScene(ports, worker, scene, { signal });
    return {
      uniqueTriangles: summary.uniqueTriangles,
      instances: summary.instances,
      peakRssMB: meter.peakRssBytes(worker.pid) / 1e6,
      plannedMB: summary.memoryBytes / 1e6,
    };
  } finally {
    await worker.dispose();
  }
}

/** Bytes for each more of something, from the smallest scene to the largest. */
function slope(scenes: readonly Measured[], countOf: (scene: Measured) => number): number {
  const [small] = scenes;
  const large = scenes.at(-1);
  if (small === undefined || large === undefined) return Number.NaN;
  return (1e6 * (large.peakRssMB - small.peakRssMB)) / (countOf(large) - countOf(small));
}

const emptyScene: SceneRecipe = {
  seed: 1,
  materials: [{ name: 'grey', reflectance: 0.5, colourRgb: [0.5, 0.5, 0.5] }],
  classes: ['ground', 'wall', 'box'],
  models: [],
  instances: [],
  scatters: [],
  ground: -1,
};

function planeScene(cells: number): SceneRecipe {
  const source = { kind: 'plane' as const, sizeM: [200, 200] as [number, number], material: 0 };
  return {
    ...emptyScene,
    models: [{ name: 'plane', solid: 'none', source: { ...source, divisions: cells } }],
    instances: [
      {
        id: 1,
        name: 'plane',
        class: 0,
        model: 0,
        positionM: [0, 0, 0],
        onGround: false,
        rotation: [0, 0, 0, 1],
        scale: 1,
      },
    ],
  };
}

function boxScene(count: number): SceneRecipe {
  const half = 100;
  return {
    ...emptyScene,
    models: [
      { name: 'box', solid: 'none', source: { kind: 'box', sizeM: [0.1, 0.1, 0.1], material: 0 } },
    ],
    scatters: [
      {
        firstId: 1,
        name: 'box',
        class: 2,
        model: 0,
        count,
        pattern: 'uniform',
        minSpacingM: 0,
        areaM: [
          [-half, -half],
          [half, -half],
          [half, half],
          [-half, half],
        ],
        yawRad: [0, 2 * Math.PI],
        scale: [0.5, 1],
        tiltRad: [0, 0],
        keepClear: [],
      },
    ],
  };
}
