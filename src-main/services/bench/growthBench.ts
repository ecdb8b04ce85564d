// How tracing and memory grow with a scene: the middle of the sample `landscape` in growing squares, each in a fresh
// worker, scanned from above its middle.
import type { GrowthBench } from '#contract/host/bench.ts';
import type { LandscapeRecipe, SceneRecipe } from '#contract/worker/recipe.ts';
import { UnderstoryError } from '#contract/errors.ts';
import { middleOf } from '#domain/scene/landscapes.ts';
import { terrainOf } from '#domain/truth/terrain.ts';
import { weightedSlope } from '#domain/metrics/lineFit.ts';
import type { Documents } from '#services/documents/documents.ts';
import type { HandlerContext } from '#services/handlers.ts';
import type { Clock, ProcessMeter } from '#services/ports/system.ts';
import { buildScene, planScene, type ScenePorts } from '#services/scans/sceneWork.ts';
import { nativePass } from './nativeVariants.ts';
import { slowMotion, unmounted } from './slowSensor.ts';

export interface GrowthBenchPorts extends ScenePorts {
  documents: Documents;
  clock: Clock;
  meter: ProcessMeter;
}

export interface GrowthBenchOrder {
  scenario: string;
  sensor: string;
  seconds: number;
  /** Instanced triangles of the largest scene, by the power of ten. */
  maxPower: number;
  threads: number | null;
  isa: GrowthBench['isa'] | null;
}

const minPower = 6;
/** Height of the sensor above the ground in the middle. */
const heightM = 60;
/** The axis of the head along the way, as that of a scanner on an aircraft. */
const pitchRad = Math.PI / 2;

/** @throws UnderstoryError 'bad-input' without a landscape | 'scene-too-large' | 'worker-lost' | 'cancelled' */
export async function benchGrowth(
  ports: GrowthBenchPorts,
  order: GrowthBenchOrder,
  context: HandlerContext,
): Promise<GrowthBench> {
  const { scenario, sensor, seconds, maxPower } = order;
  const { compiled, heights } = await ports.documents.compile(scenario, {}, { sensor });
  const [landscape] = compiled.recipe.landscapes ?? [];
  const [mounted] = compiled.sensors;
  if (landscape === undefined || mounted === undefined) {
    throw new UnderstoryError('bad-input', `${scenario}: expected a scene with a landscape`);
  }
  const [x, y] = middleOf(landscape);
  const groundM = terrainOf(compiled.recipe, heights).heightM(x, y);
  let isa: GrowthBench['isa'] = 'sse4.2';
  const measure = async (recipe: SceneRecipe): Promise<GrowthBench['scenes'][number]> => {
    const worker = await ports.launcher.open({ isa: order.isa, threads: order.threads });
    isa = worker.hello.isa;
    try {
      const { signal } = context;
      const startS = ports.clock.seconds();
      const summary = await buildScene(ports, worker, { recipe, heights }, { signal });
      const buildSeconds = ports.clock.seconds() - startS;
      const positionM: [number, number, number] = [x, y, groundM + heightM];
      const start = { positionM, yawRad: 0, pitchRad };
      const motions = slowMotion(start, seconds, seconds * 1e9);
      const work = { worker, compiled, sensor: unmounted(mounted), motions, signal };
      // The first pass finds caches cold.
      await nativePass(work);
      const pass = await nativePass(work);
      return {
        triangles: summary.instancedTriangles,
        instances: summary.instances,
        buildSeconds,
        peakRssMB: ports.meter.peakRssBytes(worker.pid) / 1e6,
        mraysPerSecond: pass.rays / pass.seconds / 1e6,
      };
    } finally {
      await worker.dispose();
    }
  };
  const wholeM = Math.min(landscape.columns, landscape.rows) * landscape.sideM;
  const { recipe } = compiled;
  const whole = await planScene(ports, { recipe, heights }, context);
  const scenes: GrowthBench['scenes'] = [];
  for (let power = minPower; power <= maxPower; power += 1) {
    context.progress({ phase: 'bench', done: power - minPower, total: maxPower - minPower + 1 });
    const sideM = wholeM * Math.min(1, Math.sqrt(10 ** power / whole.instancedTriangles));
    scenes.push(await measure(aroundMiddle(recipe, landscape, sideM)));
    if (sideM === wholeM) break;
  }
  const exponentOf = (valueOf: (scene: GrowthBench['scenes'][number]) => number): number =>
    weightedSlope(
      scenes.map((scene) => [Math.log(scene.triangles), Math.log(valueOf(scene)), 1] as const),
    );
  return {
    scenario,
    sensor,
    isa,
    scenes,
    law: {
      raysExponent: exponentOf(({ mraysPerSecond }) => mraysPerSecond),
      memoryExponent: exponentOf(({ peakRssMB }) => peakRssMB),
    },
  };
}

/** The square of this side about the middle, without what else is in the scene but the ground. */
function aroundMiddle(recipe: SceneRecipe, landscape: LandscapeRecipe, sideM: number): SceneRecipe {
  const { ground } = recipe;
  const [x, y] = middleOf(landscape);
  const half = sideM / 2;
  const [west, east] = [x - half, x + half];
  const [south, north] = [y - half, y + half];
  const squares = Math.max(1, Math.ceil(sideM / landscape.sideM));
  return {
    ...recipe,
    instances: recipe.instances.filter((_instance, index) => index === ground),
    ground: ground < 0 ? ground : 0,
    scatters: [],
    landscapes: [
      {
        ...landscape,
        cornerM: [west, south],
        columns: squares,
        rows: squares,
        tileOf: landscape.tileOf.slice(0, squares * squares),
        areaM: [
          [west, south],
          [east, south],
          [east, north],
          [west, north],
        ],
        keepClear: [],
      },
    ],
  };
}
