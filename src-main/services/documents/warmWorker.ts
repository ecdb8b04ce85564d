// One worker for short calls that need no scene. It is started by the first call, shared by those at the same
// time and stays for the next, since starting a process takes longer than the call; without calls it ends.
import { UnderstoryError } from '#contract/errors.ts';
import type { Timer } from '#services/ports/system.ts';
import type { ScanWorker, WorkerLauncher } from '#services/ports/workers.ts';

export interface WarmWorker {
  /** Calls `work` with the worker. A failure of the worker itself ends it: the next call starts another. */
  use<T>(work: (worker: ScanWorker) => Promise<T>): Promise<T>;
  /** Ends the worker, calls under way included. */
  dispose(): Promise<void>;
}

const idleSeconds = 60;

/** No worker is started yet. */
export function createWarmWorker({
  launcher,
  timer,
  threads = 1,
}: {
  launcher: WorkerLauncher;
  timer: Timer;
  /** null: one for each core. */
  threads?: number | null;
}): WarmWorker {
  let opened: Promise<ScanWorker> | null = null;
  let users = 0;
  let idle = new AbortController();
  return { use, dispose };

  async function use<T>(work: (worker: ScanWorker) => Promise<T>): Promise<T> {
    idle.abort();
    users += 1;
    opened ??= launcher.open({ isa: null, threads });
    const mine = opened;
    try {
      return await work(await mine);
    } catch (error) {
      if (!isAnswer(error)) await end(mine);
      throw error;
    } finally {
      users -= 1;
      if (users === 0 && opened !== null) void endWhenIdle();
    }
  }

  async function endWhenIdle(): Promise<void> {
    idle = new AbortController();
    const { signal } = idle;
    await timer.pause(idleSeconds, signal);
    if (!signal.aborted) await dispose();
  }

  async function dispose(): Promise<void> {
    idle.abort();
    if (opened !== null) await end(opened);
  }

  async function end(worker: Promise<ScanWorker>): Promise<void> {
    if (opened === worker) opened = null;
    // Why caught: a worker that could not be started was reported to who asked for it.
    await worker.then((each) => each.dispose()).catch(() => undefined);
  }
}

/** Whether the worker did its part: it refused the request, or stopped as it was asked to. */
function isAnswer(error: unknown): boolean {
  return error instanceof UnderstoryError && ['bad-input', 'cancelled'].includes(error.code);
}
