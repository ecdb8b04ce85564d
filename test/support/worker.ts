// The real worker.
import { mpiWorkerBinary, workerBinary } from '#hosts/packageFolders.ts';
import type { ScanWorker, WorkerLauncher } from '#services/ports/workers.ts';
import { withMotions } from '#services/movingWorkers.ts';
import { createWorkerLauncher, type WorkerLauncherOptions } from '#workers/workerLauncher.ts';
import { afterwards } from './afterwards.ts';
import { silentLog } from './log.ts';

type OpenOptions = Parameters<WorkerLauncher['open']>[0];
export type WorkerOptions = Partial<OpenOptions> & Partial<WorkerLauncherOptions>;

export function realLauncher(options: Partial<WorkerLauncherOptions> = {}): WorkerLauncher {
  const binaries = { binary: workerBinary, mpiBinary: mpiWorkerBinary };
  return withMotions(createWorkerLauncher({ log: silentLog, ...binaries, ...options }));
}

/** Starts a worker that ends after the test that asks for it, or, outside of tests, after those of the file. */
export async function startWorker(options: WorkerOptions = {}): Promise<ScanWorker> {
  const { threads = null, ranks = null, isa = null, ...launcherOptions } = options;
  const worker = await realLauncher(launcherOptions).open({ isa, threads, ranks });
  afterwards(() => worker.dispose());
  return worker;
}
