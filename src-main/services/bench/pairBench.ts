// Two workers side by side: the same scan, alternately, in one run. Ratios are taken within a repeat, and the order
// changes from repeat to repeat, so that a machine that slows down in between changes them little.
import { UnderstoryError } from '#contract/errors.ts';
import type { LoadedScenario } from '#services/documents/documents.ts';
import type { HandlerContext } from '#services/handlers.ts';
import type { ScanWorker, WorkerLauncher } from '#services/ports/workers.ts';
import { buildScene, type BuildPorts } from '#services/scans/sceneWork.ts';
import { median } from '#domain/shared/statistics.ts';
import { nativePass, type NativePass } from './nativeVariants.ts';
import { slowMotion, unmounted, type SensorStart } from './slowSensor.ts';

export interface PairBenchOrder {
  loaded: LoadedScenario;
  start: SensorStart;
  seconds: number;
  repeats: number;
  threads: number | null;
  isa: Parameters<WorkerLauncher['open']>[0]['isa'];
}

export interface PairBench {
  isa: string;
  threads: number;
  simSeconds: number;
  repeats: number;
  /** Wall time of the second worker over that of the first, by repeat. */
  ratios: number[];
  /** Their median less 1: 0.03 is 3 % slower. */
  slowdown: number;
  /** The same of processor time. */
  cpuSlowdown: number;
  /** Medians, first and second worker. */
  mraysPerSecond: [number, number];
  /** Whether both give the same rows, to the bit. */
  isSame: boolean;
}

/** @throws UnderstoryError 'scene-too-large' | 'worker-lost' | 'cancelled' | 'unsupported' */
export async function benchPair(
  ports: BuildPorts,
  launchers: readonly [WorkerLauncher, WorkerLauncher],
  order: PairBenchOrder,
  context: HandlerContext,
): Promise<PairBench> {
  const workers: ScanWorker[] = [];
  try {
    for (const launcher of launchers)
      workers.push(await openBuilt(ports, launcher, order, context));
    const [first, second] = workers;
    if (first === undefined || second === undefined) throw new Error('there are two workers');
    if (first.hello.isa !== second.hello.isa) {
      throw new UnderstoryError('unsupported', 'the workers chose different instruction sets');
    }
    const passes = await alternate([first, second], order, context);
    const ratiosOf = (metric: 'seconds' | 'coreSeconds'): number[] =>
      passes.map(([a, b]) => b[metric] / a[metric]);
    const rate = (side: 0 | 1): number =>
      median(passes.map((pair) => pair[side].rays / pair[side].seconds / 1e6));
    const { isa, threads } = first.hello;
    return {
      isa,
      threads,
      simSeconds: order.seconds,
      repeats: order.repeats,
      ratios: ratiosOf('seconds'),
      slowdown: median(ratiosOf('seconds')) - 1,
      cpuSlowdown: median(ratiosOf('coreSeconds')) - 1,
      mraysPerSecond: [rate(0), rate(1)],
      isSame: passes.every(([a, b]) => a.hash === b.hash && a.rays === b.rays),
    };
  } finally {
    await Promise.all(workers.map((worker) => worker.dispose()));
  }
}

async function openBuilt(
  ports: BuildPorts,
  launcher: WorkerLauncher,
  { loaded, isa, threads }: PairBenchOrder,
  { signal, progress }: HandlerContext,
): Promise<ScanWorker> {
  const worker = await launcher.open({ isa, threads });
  try {
    const scene = { recipe: loaded.compiled.recipe, heights: loaded.heights };
    await buildScene(ports, worker, scene, { signal, onProgress: progress });
    return worker;
  } catch (error) {
    await worker.dispose();
    throw error;
  }
}

/** By repeat: the passes of the first and of the second worker. */
async function alternate(
  workers: [ScanWorker, ScanWorker],
  { loaded, start, seconds, repeats }: PairBenchOrder,
  { signal, progress }: HandlerContext,
): Promise<[NativePass, NativePass][]> {
  const { compiled } = loaded;
  const [sensor] = compiled.sensors;
  if (sensor === undefined) throw new UnderstoryError('internal', 'the sensor was not compiled');
  const motions = slowMotion(start, seconds, compiled.scenario.navigation.tickMs * 1e6);
  const pass = (worker: ScanWorker): Promise<NativePass> =>
    nativePass({ worker, compiled, sensor: unmounted(sensor), motions, signal });
  const passes: [NativePass, NativePass][] = [];
  // Why one more: the first round finds caches cold, and is not counted.
  for (let done = 0; done <= repeats; done += 1) {
    progress({ phase: 'bench', done, total: repeats + 1 });
    const [a, b] = workers;
    const pair: [NativePass, NativePass] =
      done % 2 === 0
        ? [await pass(a), await pass(b)]
        : ([await pass(b), await pass(a)].reverse() as [NativePass, NativePass]);
    if (done > 0) passes.push(pair);
  }
  return passes;
}
