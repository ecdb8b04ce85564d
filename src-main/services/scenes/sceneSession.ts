// An open scene: a worker with the scene in it, and the queue of its calls.
// Guarantees: one call is under way at a time, in the order of asking; a call that is cancelled while waiting ends at
// once; when the session ends, so does every call of it.
import { orAborted, UnderstoryError } from '#contract/errors.ts';
import type { CompiledScenario } from '#contract/host/run.ts';
import type { SceneSummary } from '#contract/worker/worker.ts';
import type { OpenScene } from '#services/scans/sceneWork.ts';
import type { ScanWorker } from '#services/ports/workers.ts';
import { createMutex } from '#services/mutex.ts';

export interface SceneSession {
  readonly id: string;
  readonly compiled: CompiledScenario;
  readonly summary: SceneSummary;
  /** @throws 'cancelled' when the caller cancels or the session ends, and what `work` throws */
  ask<T>(
    caller: AbortSignal,
    work: (worker: ScanWorker, signal: AbortSignal) => Promise<T>,
  ): Promise<T>;
  /** Rejects with 'worker-lost' once the worker cannot be brought back, 'cancelled' when `caller` is aborted. */
  untilEnd(caller: AbortSignal): Promise<never>;
  /** Cancels the calls of the session; resolves when none is under way. */
  end(): Promise<void>;
}

/** A session over a scene that is built; the worker stays its owner's to dispose, after `end`. */
export function createSceneSession(
  id: string,
  { worker, summary }: OpenScene,
  compiled: CompiledScenario,
): SceneSession {
  const ended = new AbortController();
  const lost = new AbortController();
  const mutex = createMutex();

  return {
    id,
    compiled,
    summary,
    async ask(caller, work) {
      const signal = AbortSignal.any([caller, ended.signal]);
      const unlock = await mutex.lock(signal);
      try {
        return await work(worker, signal);
      } catch (error) {
        if (error instanceof UnderstoryError && error.code === 'worker-lost') lost.abort(error);
        throw error;
      } finally {
        unlock();
      }
    },
    untilEnd: (caller) =>
      orAborted(new Promise<never>(() => undefined), AbortSignal.any([caller, lost.signal])),
    async end() {
      ended.abort();
      await mutex.idle();
    },
  };
}
