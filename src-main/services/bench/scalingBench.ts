// How speed grows with threads (Goodin 2018, figure 3): the native pipeline with 1, 2, … threads. A worker
// for each number, all at once in memory and taking turns, so that a slower minute hits them all.
import type { ScalingBench } from '#contract/host/bench.ts';
import { UnderstoryError } from '#contract/errors.ts';
import type { HandlerContext } from '#services/handlers.ts';
import type { ScanWorker } from '#services/ports/workers.ts';
import { buildScene } from '#services/scans/sceneWork.ts';
import { nativePass } from './nativeVariants.ts';
import type { ScanOrder, ScanBenchPorts } from './scanBench.ts';
import type { ScanWork } from './scanVariants.ts';
import { slowMotion, unmounted } from './slowSensor.ts';
import { median } from '#domain/shared/statistics.ts';

/** @throws UnderstoryError as benchScan */
export async function benchScaling(
  ports: ScanBenchPorts,
  order: Omit<ScanOrder, 'threads'> & { maxThreads: number },
  context: HandlerContext,
): Promise<ScalingBench> {
  const { compiled, heights } = order.loaded;
  const { signal, progress } = context;
  const [sensor] = compiled.sensors;
  if (sensor === undefined) throw new UnderstoryError('internal', 'the sensor was not compiled');
  const motions = slowMotion(order.start, order.seconds, compiled.scenario.navigation.tickMs * 1e6);
  const workers: ScanWorker[] = [];
  try {
    for (const threads of threadCounts(order.maxThreads)) {
      const worker = await ports.launcher.open({ isa: order.isa, threads });
      workers.push(worker);
      const scene = { recipe: compiled.recipe, heights };
      await buildScene(ports, worker, scene, { signal, onProgress: progress });
    }
    const rates = workers.map((): number[] => []);
    // Why one more: the first round finds caches cold, and is not counted.
    for (let done = 0; done <= order.repeats; done += 1) {
      progress({ phase: 'bench', done, total: order.repeats + 1 });
      for (const [n, worker] of workers.entries()) {
        const work: ScanWork = { worker, compiled, sensor: unmounted(sensor), motions, signal };
        const { rays, seconds } = await nativePass(work);
        if (done > 0) rates[n]?.push(rays / seconds / 1e6);
      }
    }
    const single = median(rates[0] ?? []);
    return {
      scene: order.scene,
      sensor: order.sensor,
      isa: workers[0]?.hello.isa ?? 'sse4.2',
      native: workers.map(({ hello }, n) => {
        const mraysPerSecond = median(rates[n] ?? []);
        const { threads } = hello;
        return { threads, mraysPerSecond, efficiency: mraysPerSecond / (threads * single) };
      }),
      repeats: order.repeats,
    };
  } finally {
    for (const worker of workers) await worker.dispose();
  }
}

/** 1, 2, 3, 4, then doubling, and the most. */
export function threadCounts(most: number): number[] {
  const counts = new Set([1, 2, 3, 4].filter((count) => count <= most));
  for (let count = 8; count < most; count *= 2) counts.add(count);
  counts.add(most);
  return [...counts];
}
