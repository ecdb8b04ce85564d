// Supervised native workers for the services (WorkerLauncher of services/ports/workers.ts).
import { existsSync } from 'node:fs';
import { UnderstoryError } from '#contract/errors.ts';
import type { Mutation } from '#contract/worker/mutations.ts';
import type { Log } from '#services/ports/system.ts';
import type { WorkerLauncher } from '#services/ports/workers.ts';
import type { SuperviseOptions } from './supervisedProcess.ts';
import { superviseWorker } from './superviseWorker.ts';
import {
  startWorkerProcess,
  type WorkerProcess,
  type WorkerProcessOptions,
} from './workerProcess.ts';

/** Set: workers may hang, since a debugger holds them (CONTRIBUTING.md). */
const debugVariable = 'UNDERSTORY_DEBUG_WORKER';
/** Workers of one process at a time: each takes 15 MB before it has a scene. */
const maxWorkers = 64;
/** The longest time that a timer of Node takes: 24 days. */
const unlimitedMs = 2 ** 31 - 1;

export interface WorkerLauncherOptions {
  log: Log;
  /** Absolute path of scanWorker. */
  binary: string;
  /** Absolute path of scanWorkerMpi; null: workers over ranks cannot be started. */
  mpiBinary?: string | null;
  /** Folder in which workers keep meshes that took long to make, shared by all of them; null: none. */
  cacheFolder?: string | null;
  /** Workers give way to this process by so much niceness; default: 0. */
  niceness?: number;
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
  const {
    log,
    binary,
    mpiBinary = null,
    cacheFolder = null,
    niceness = 0,
    limits = {},
    environment = {},
    adapt,
  } = options;
  const isDebugged = (environment[debugVariable] ?? process.env[debugVariable] ?? '') !== '';
  const {
    helloLimitMs = 20_000,
    heartbeatMs = 5_000,
    missedBeats = 4,
    cancelLimitMs = 10_000,
    maxRestarts = 5,
    backOffMs = 200,
  } = limits;
  let alive = 0;
  /** @throws UnderstoryError 'locked' */
  const startCounted = async (given: WorkerProcessOptions): Promise<WorkerProcess> => {
    if (alive >= maxWorkers) {
      const message = `${maxWorkers} workers are at work in this host, the limit: wait for one, or close a scene`;
      throw new UnderstoryError('locked', message);
    }
    alive += 1;
    try {
      const started = await startWorkerProcess(given);
      void started.ended.then(() => (alive -= 1));
      return started;
    } catch (error) {
      alive -= 1;
      throw error;
    }
  };
  return {
    open: ({ isa, threads, ranks = null }) =>
      superviseWorker({
        start: () =>
          startCounted({
            binary: ranks === null ? binary : mpiBinaryOf(mpiBinary),
            ranks,
            isa,
            // Why one: ranks are as many as there are cores, or each has those that it was given.
            threads: ranks === null ? threads : (threads ?? 1),
            cacheFolder,
            niceness,
            log,
            helloLimitMs: isDebugged ? unlimitedMs : helloLimitMs,
            heartbeatMs: isDebugged ? unlimitedMs : heartbeatMs,
            missedBeats,
            cancelLimitMs: isDebugged ? unlimitedMs : cancelLimitMs,
            environment,
            ...(adapt && { adapt }),
          }),
        log,
        // Why none with ranks: where one is lost, its node mostly is.
        maxRestarts: ranks === null ? maxRestarts : 0,
        backOffMs,
      }),
  };
}

/** @throws UnderstoryError 'unsupported' */
function mpiBinaryOf(binary: string | null): string {
  if (binary !== null && existsSync(binary)) return binary;
  throw new UnderstoryError(
    'unsupported',
    'the worker for MPI ranks is not built: `node src-main/hosts/cli/setup.mjs --for mpi` in a clone builds it',
  );
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
