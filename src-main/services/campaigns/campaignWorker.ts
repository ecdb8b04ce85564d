// The worker that answers what a campaign needs to know before its runs: the engine, and how many runs fit at once.
import { UnderstoryError } from '#contract/errors.ts';
import type { Isa } from '#contract/worker/worker.ts';
import type { Machine } from '#services/ports/system.ts';
import type { WorkerLauncher } from '#services/ports/workers.ts';
import { prepareRun, type PlannedText, type RunTerms } from './prepareRun.ts';

/** A worker of the campaign's instruction set. @throws 'unsupported' */
export async function openedWorker({ launcher }: { launcher: WorkerLauncher }, isa: Isa) {
  const worker = await launcher.open({ isa, threads: 1 });
  if (worker.hello.isa === isa) return worker;
  await worker.dispose();
  const message = `this machine has no ${isa}, the instruction set of the campaign`;
  throw new UnderstoryError('unsupported', message, { isa, found: worker.hello.isa });
}

/** A run process and its worker before any scene. Measured over some 760 runs: 306 MB, and 82 MB with a small scene. */
const processBytes = 370e6;

/** As many runs as cores and free memory allow; at least one, whose worker refuses what does not fit. */
export async function jobsFor(
  { machine }: { machine: Machine },
  planned: PlannedText | null,
  prepare: Parameters<typeof prepareRun>[0],
  terms: RunTerms,
  worker: Awaited<ReturnType<WorkerLauncher['open']>>,
  signal: AbortSignal,
): Promise<number> {
  if (planned === null) return 1;
  let sceneBytes = 0;
  try {
    const { compiled, heights } = await prepareRun(prepare, planned, terms, signal);
    const request = { recipe: compiled.recipe, memoryLimitBytes: Number.MAX_SAFE_INTEGER };
    const plan = await worker.call('scene.plan', request, { heights }, { signal });
    sceneBytes = plan.body.memoryBytes;
  } catch (error) {
    // It fails again as a run of the plan, and is reported there.
    if (signal.aborted) throw error;
  }
  const fitting = Math.floor(machine.availableMemoryBytes() / (processBytes + 1.25 * sceneBytes));
  return Math.max(1, Math.min(machine.cores, fitting));
}
