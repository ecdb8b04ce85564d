// One scan over MPI ranks of one thread each against one process with as many threads: whole scans without hand-over of
// rows, in turns, so that a slower minute hits both. Guarantee: both have yielded the same rows.
import type { RankSpeed, ScalingBench } from '#contract/host/bench.ts';
import { UnderstoryError } from '#contract/errors.ts';
import { median } from '#domain/shared/statistics.ts';
import type { HandlerContext } from '#services/handlers.ts';
import type { Clock } from '#services/ports/system.ts';
import type { ScanWorker } from '#services/ports/workers.ts';
import { buildScene } from '#services/scans/sceneWork.ts';
import { wholeScan } from './nativeVariants.ts';
import type { ScanOrder, ScanBenchPorts } from './scanBench.ts';
import type { ScanWork } from './scanVariants.ts';
import { slowMotion, unmounted } from './slowSensor.ts';

interface Timed {
  rays: number;
  seconds: number;
  hash: string;
}

/** @throws UnderstoryError as benchScan; 'worker-failed' where ranks yield other rows */
export async function benchRanks(
  ports: ScanBenchPorts,
  order: Omit<ScanOrder, 'threads'> & { ranks: readonly number[] },
  context: HandlerContext,
): Promise<ScalingBench> {
  const ranks: RankSpeed[] = [];
  let isa: ScalingBench['isa'] = 'sse4.2';
  for (const n of order.ranks) {
    const threads = await openWork(ports, order, { threads: n }, context);
    try {
      const spread = await openWork(ports, order, { threads: 1, ranks: n }, context);
      isa = spread.worker.hello.isa;
      try {
        ranks.push(await compare(ports.clock, n, threads, spread, order.repeats, context));
      } finally {
        await spread.worker.dispose();
      }
    } finally {
      await threads.worker.dispose();
    }
  }
  const { scene, sensor, repeats } = order;
  return { scene, sensor, isa, native: [], ranks, repeats };
}

async function compare(
  clock: Clock,
  n: number,
  threads: ScanWork,
  spread: ScanWork,
  repeats: number,
  { progress }: HandlerContext,
): Promise<RankSpeed> {
  const rates: number[] = [];
  const ratios: number[] = [];
  // Why one more: the first round finds caches cold, and is not counted.
  for (let done = 0; done <= repeats; done += 1) {
    progress({ phase: 'bench', done, total: repeats + 1 });
    const alone = await timedScan(clock, threads);
    const over = await timedScan(clock, spread);
    if (over.hash !== alone.hash) {
      const message = `the scan over ${n} ranks differs: ${over.hash}, ${alone.hash}`;
      throw new UnderstoryError('worker-failed', message);
    }
    if (done === 0) continue;
    rates.push(over.rays / over.seconds / 1e6);
    ratios.push(alone.seconds / over.seconds);
  }
  return { n, mraysPerSecond: median(rates), ratioToThreads: median(ratios) };
}

async function openWork(
  ports: ScanBenchPorts,
  order: Omit<ScanOrder, 'threads'>,
  size: { threads: number; ranks?: number },
  { signal, progress: onProgress }: HandlerContext,
): Promise<ScanWork> {
  const { compiled, heights } = order.loaded;
  const [sensor] = compiled.sensors;
  if (sensor === undefined) throw new UnderstoryError('internal', 'the sensor was not compiled');
  const worker: ScanWorker = await ports.launcher.open({ isa: order.isa, ...size });
  try {
    const scene = { recipe: compiled.recipe, heights };
    await buildScene(ports, worker, scene, { signal, onProgress });
  } catch (error) {
    await worker.dispose();
    throw error;
  }
  const motions = slowMotion(order.start, order.seconds, compiled.scenario.navigation.tickMs * 1e6);
  return { worker, compiled, sensor: unmounted(sensor), motions, signal };
}

async function timedScan(clock: Clock, work: ScanWork): Promise<Timed> {
  const { request, trajectory } = wholeScan(work);
  const { signal } = work;
  const startS = clock.seconds();
  const counted = { ...request, columns: [] };
  const { body } = await work.worker.call('scan', counted, trajectory, { signal });
  const { rays, hash } = body;
  return { rays, hash, seconds: clock.seconds() - startS };
}
