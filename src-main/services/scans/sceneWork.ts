// What single scans, pictures and plans have in common: a worker of one's own with a scene in it, gone
// when the work is done.
import type { Isa, SceneSummary } from '#contract/worker/worker.ts';
import type { CompiledScenario } from '#contract/host/run.ts';
import { memoryLimitBytes } from '#domain/scene/memoryLimit.ts';
import type { HandlerContext } from '#services/handlers.ts';
import type { Machine } from '#services/ports/system.ts';
import type { ScanWorker, WorkerPool } from '#services/ports/workers.ts';

export interface ScenePorts {
  pool: WorkerPool;
  machine: Machine;
}

export interface OpenScene {
  worker: ScanWorker;
  summary: SceneSummary;
}

/**
 * Plans the scene, builds it if it fits, does the work and lets the worker go.
 * @throws 'scene-too-large' with the figures, before anything is built
 */
export async function withScene<T>(
  { pool, machine }: ScenePorts,
  scene: { recipe: CompiledScenario['recipe']; heights: Float32Array },
  options: { isa?: Isa | undefined; threads?: number | undefined },
  context: HandlerContext,
  work: (open: OpenScene) => Promise<T>,
): Promise<T> {
  const worker = await pool.open({ isa: options.isa ?? null, threads: options.threads ?? null });
  try {
    const request = {
      recipe: scene.recipe,
      memoryLimitBytes: memoryLimitBytes(machine.availableMemoryBytes()),
    };
    const callOptions = { signal: context.signal, onProgress: context.progress };
    const summary = await worker.buildScene(request, scene.heights, callOptions);
    return await work({ worker, summary });
  } finally {
    await worker.dispose();
  }
}

/** Counts, extents and memory of a scene that is not built. */
export async function planScene(
  { pool, machine }: ScenePorts,
  scene: { recipe: CompiledScenario['recipe']; heights: Float32Array },
  context: HandlerContext,
): Promise<SceneSummary> {
  const worker = await pool.open({ isa: null, threads: null });
  try {
    const request = {
      recipe: scene.recipe,
      memoryLimitBytes: memoryLimitBytes(machine.availableMemoryBytes()),
    };
    return await worker.planScene(request, scene.heights, {
      signal: context.signal,
      onProgress: context.progress,
    });
  } finally {
    await worker.dispose();
  }
}
