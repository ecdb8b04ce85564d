// A worker thread that is watched while it works. Guarantees: it is ended when it takes more computing time or memory
// than its work may; its owner is called once for every end that it did not ask for, whatever the thread does meanwhile.
import { Worker } from 'node:worker_threads';

export interface WorkLimits {
  /** Computing time of the thread since its work began, or since its last progress. */
  cpuS: number;
  /** Heap and array buffers together. */
  memoryBytes: number;
}

/** Why a thread ended. `error`: a bug; null: a limit was reached. */
export interface ThreadLoss {
  reason: string;
  error: Error | null;
}

export interface WatchedThread {
  post(message: unknown): void;
  /** The thread works from now on, within limits that start again; the process stays alive for it. */
  watch(limits: WorkLimits): void;
  /** The thread waits for work; it keeps no process alive. */
  rest(): void;
  /** Ends the thread; nothing more comes from it. Native code in it ends a moment later. */
  end(): void;
}

/** Between two checks of the thread: pages of memory are written at some gigabytes a second. */
const checkMs = 250;
/** Why a heap limit too: V8 ends the thread between two checks. */
const maxHeapMB = 6_000;

/** @param entryFile absolute; @param onLost is called after limits and failures, not after `end` */
export function startWatchedThread(
  entryFile: string,
  onMessage: (message: unknown) => void,
  onLost: (loss: ThreadLoss) => void,
): WatchedThread {
  // Why data: the reader of GeoTIFF loads a library (web-worker) that takes some apart in a thread.
  const worker = new Worker(entryFile, {
    workerData: {},
    resourceLimits: { maxOldGenerationSizeMb: maxHeapMB },
  });
  let isOver = false;
  let timer: NodeJS.Timeout | undefined;
  let stopwatch: (() => Promise<ThreadLoss | null>) | null = null;
  worker.unref();
  worker.on('message', (message: unknown) => {
    if (!isOver) onMessage(message);
  });
  worker.on('error', (error: NodeJS.ErrnoException) => {
    const isTooLarge = error.code === 'ERR_WORKER_OUT_OF_MEMORY';
    lose(isTooLarge ? { reason: memoryReason(maxHeapMB * 1e6), error: null } : failure(error));
  });
  worker.on('exit', () => lose(failure(new Error('the thread exited'))));

  function end(): void {
    isOver = true;
    clearInterval(timer);
    void worker.terminate();
  }

  function lose(loss: ThreadLoss): void {
    if (isOver) return;
    end();
    onLost(loss);
  }

  async function check(): Promise<void> {
    const asked = stopwatch;
    const loss = await asked?.();
    if (loss && asked === stopwatch) lose(loss);
  }

  return {
    post: (message) => worker.postMessage(message),
    watch: (limits) => {
      worker.ref();
      stopwatch = watching(worker, limits);
      timer ??= setInterval(() => void check(), checkMs).unref();
    },
    rest: () => {
      worker.unref();
      stopwatch = null;
      clearInterval(timer);
      timer = undefined;
    },
    end,
  };
}

function failure(error: Error): ThreadLoss {
  return { reason: error.message, error };
}

function memoryReason(bytes: number): string {
  return `its reader took more than ${(bytes / 1e9).toFixed(1)} GB of memory`;
}

/**
 * Checks what the thread has used since now. Why the time of the whole process counts while the thread does not
 * answer: native code answers at its end, and a machine that is busy with other processes must not end the work.
 */
function watching(
  worker: Worker,
  { cpuS, memoryBytes }: WorkLimits,
): () => Promise<ThreadLoss | null> {
  let first: number | null = null;
  let lastS = 0;
  let ownAtLastS = cpuSecondsOf(process.cpuUsage());
  let isAsking = false;

  async function ask(): Promise<number> {
    const [usage, heap] = await Promise.all([worker.cpuUsage(), worker.getHeapStatistics()]);
    first ??= cpuSecondsOf(usage);
    lastS = cpuSecondsOf(usage) - first;
    ownAtLastS = cpuSecondsOf(process.cpuUsage());
    return heap.used_heap_size + heap.external_memory;
  }

  return async () => {
    let bytes = 0;
    let usedS = lastS + cpuSecondsOf(process.cpuUsage()) - ownAtLastS;
    if (!isAsking) {
      isAsking = true;
      // A thread that has ended reports why by itself.
      bytes = await ask().catch(() => 0);
      isAsking = false;
      usedS = lastS;
    }
    if (bytes > memoryBytes) return { reason: memoryReason(memoryBytes), error: null };
    if (usedS <= cpuS) return null;
    return {
      reason: `its reader took more than ${Number(cpuS.toPrecision(2))} s of computing time`,
      error: null,
    };
  };
}

function cpuSecondsOf({ user, system }: NodeJS.CpuUsage): number {
  return (user + system) / 1e6;
}
