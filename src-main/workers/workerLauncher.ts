// Supervised native workers for the services (WorkerLauncher of services/ports/workers.ts).
import type { Mutation } from '#contract/worker/mutations.ts';
import type { Log } from '#services/ports/system.ts';
import type { WorkerLauncher } from '#services/ports/workers.ts';
import type { SuperviseOptions } from './supervisedProcess.ts';
import { superviseWorker } from './superviseWorker.ts';
import { startWorkerProcess, type WorkerProcessOptions } from './workerProcess.ts';

/** Set: workers may hang, since a debugger holds them (CONTRIBUTING.md). */
const debugVariable = 'UNDERSTORY_DEBUG_WORKER';
/** The longest time that a timer of Node takes: 24 days. */
const unlimitedMs = 2 ** 31 - 1;

export interface WorkerLauncherOptions {
  log: Log;
  /** Absolute path of scanWorker. */
  binary: string;
  /** Folder in which workers keep meshes that took long to make, shared by all of them; null: none. */
  cacheFolder?: string | null;
  /** Time limits and restarts, for tests that cannot wait. */
  limits?: Partial<
    Pick<WorkerProcessOptions, 'helloLimitMs' | 'heartbeatMs' | 'missedBeats' | 'cancelLimitMs'> &
      Pick<SuperviseOptions, 'maxRestarts' | 'backOffMs'>
  >;
  /** Added to the workers' environment, for tests that make them fail. */
  environment?: Record<string, string>;
  /** As in WorkerProcessOptions. */
  adapt?: WorkerProcessOptions['adapt'];
}

/** A launcher of workers; each belongs to who opened it. */
export function createWorkerLauncher(options: WorkerLauncherOptions): WorkerLauncher {
  const { log, binary, cacheFolder = null, limits = {}, environment = {}, adapt } = options;
  const isDebugged = (environment[debugVariable] ?? process.env[debugVariable] ?? '') !== '';
  const {
    helloLimitMs = 20_000,
    heartbeatMs = 5_000,
    missedBeats = 4,
    cancelLimitMs = 10_000,
    maxRestarts = 5,
    backOffMs = 200,
  } = limits;
  return {
    open: ({ isa, threads }) =>
      superviseWorker({
        start: () =>
          startWorkerProcess({
            binary,
            isa,
            threads,
            cacheFolder,
            log,
            helloLimitMs: isDebugged ? unlimitedMs : helloLimitMs,
            heartbeatMs: isDebugged ? unlimitedMs : heartbeatMs,
            missedBeats,
            cancelLimitMs: isDebugged ? unlimitedMs : cancelLimitMs,
            environment,
            ...(adapt && { adapt }),
          }),
        log,
        maxRestarts,
        backOffMs,
      }),
  };
}

/**
 * Workers with a mutation in every scan: to show that checks fail when they must. `binary` is scanWorkerMutants;
 * another worker ends at its start: 'worker-lost'.
 */
export function createMutantLauncher(
  options: WorkerLauncherOptions,
  mutation: Mutation,
): WorkerLauncher {
  const environment = { ...options.environment, UNDERSTORY_TEST: `mutation=${mutation}` };
  return createWorkerLauncher({ ...options, environment });
}
