// bench.*: how fast this machine simulates. Each measurement has a worker of its own.
import { originOf, toScene } from '#contract/worldOrigin.ts';
import type { Pose } from '#contract/pose.ts';
import type { RequestOf } from '#contract/host/methods.ts';
import { radians } from '#domain/shared/numbers.ts';
import type { LoadedScenario, Documents } from '#services/documents/documents.ts';
import type { Handlers } from '#services/handlers.ts';
import type { Machine } from '#services/ports/system.ts';
import { benchBlensor, type BlensorBenchPorts } from './blensorBench.ts';
import { benchGrowth } from './growthBench.ts';
import { benchLearn, type LearnBenchPorts } from './learnBench.ts';
import { benchMemory } from './memoryBench.ts';
import { benchNav, type NavBenchPorts } from './navBench.ts';
import { benchRanks } from './ranksBench.ts';
import { benchScaling } from './scalingBench.ts';
import { benchScan, type ScanBenchOrder, type ScanBenchPorts } from './scanBench.ts';
import { missionStart, type SensorStart } from './slowSensor.ts';

/** The sample whose panorama is measured beside the sensor that is asked for. */
const tripodSensor = 'vz-400i';

export interface BenchPorts
  extends ScanBenchPorts, NavBenchPorts, BlensorBenchPorts, LearnBenchPorts {
  machine: Machine;
  documents: Documents;
}

export function benchHandlers(ports: BenchPorts): Handlers<'bench'> {
  const { documents, machine } = ports;
  return {
    'bench.scan': async (request, context) => {
      const { scenario, sensor, seconds, repeats, threads = null, isa = null } = request;
      const { settings } = request;
      const loaded = await documents.compile(scenario, { settings }, { sensor });
      const start = startOf(request, loaded);
      const reference = await referenceOf(request);
      const { recipe } = await documents.expectSensor(tripodSensor, {});
      const mount = { positionM: [0, 0, 0], rotation: [0, 0, 0, 1] } satisfies Pose;
      const panorama = { name: tripodSensor, recipe, mount };
      const order = { scene: scenario, sensor, loaded, start, panorama, reference };
      const measured = { ...order, seconds, repeats, threads, isa };
      return { reply: await benchScan(ports, measured, context) };
    },
    'bench.scaling': async (request, context) => {
      const { scenario, sensor, seconds, repeats, isa = null, settings } = request;
      const loaded = await documents.compile(scenario, { settings }, { sensor });
      const start = startOf(request, loaded);
      const order = { scene: scenario, sensor, loaded, start, seconds, repeats, isa };
      const { ranks, maxThreads = machine.cores } = request;
      const reply =
        ranks === undefined
          ? await benchScaling(ports, { ...order, maxThreads }, context)
          : await benchRanks(ports, { ...order, ranks }, context);
      return { reply };
    },
    'bench.nav': async (request, context) => {
      const { scenario, sensor, seed, settings } = request;
      const loaded = await documents.compile(scenario, { seed, settings }, { sensor });
      return { reply: await benchNav(ports, request, loaded, context) };
    },
    'bench.blensor': async ({ repeats, threads = null, isa = null }, context) => ({
      reply: await benchBlensor(ports, { repeats, threads, isa }, context),
    }),
    'bench.growth': async ({ threads = null, isa = null, ...order }, context) => ({
      reply: await benchGrowth(ports, { ...order, threads, isa }, context),
    }),
    'bench.learn': async ({ threads = null, isa = null, ...order }, context) => ({
      reply: await benchLearn(ports, { ...order, threads, isa }, context),
    }),
    'bench.memory': async (_request, context) => ({ reply: await benchMemory(ports, context) }),
  };

  async function referenceOf(
    request: RequestOf<'bench.scan'>,
  ): Promise<ScanBenchOrder['reference']> {
    const { reference, sensor } = request;
    if (reference === undefined) return null;
    const loaded = await documents.compile(reference, {}, { sensor });
    return { scene: reference, loaded, start: startOf(request, loaded) };
  }
}

function startOf(
  { pose }: Pick<RequestOf<'bench.scan'>, 'pose'>,
  { compiled, heights }: LoadedScenario,
): SensorStart {
  if (pose === undefined) return missionStart(compiled, heights);
  const positionM = toScene(originOf(compiled.scenario.scene), pose.positionM);
  return { positionM, yawRad: radians(pose.yawDeg), pitchRad: radians(pose.pitchDeg) };
}
