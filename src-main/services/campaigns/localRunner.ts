// The runner of this machine: a few run processes, each of which executes one order after another. Guarantees: a
// process or worker that was lost costs the order another attempt, in a new process; no process is left at the end.
import { toWire, UnderstoryError, type WireError } from '#contract/errors.ts';
import type { RunOutcome } from '#contract/host/run.ts';
import type {
  CampaignOrder,
  CampaignResult,
  CampaignRunner,
} from '#services/ports/campaignRunner.ts';
import { createOrderQueue, type OrderQueue } from './orderQueue.ts';
import type { RunProcess, RunProcesses } from '#services/ports/runProcesses.ts';
import type { Clock, Log, Timer } from '#services/ports/system.ts';

export interface LocalRunnerPorts {
  processes: RunProcesses;
  clock: Clock;
  timer: Timer;
  log: Log;
}

/** Attempts at an order whose process or worker is lost each time. */
const maxAttempts = 3;

/** A runner of `jobs` processes. */
export function createLocalRunner(ports: LocalRunnerPorts, jobs: number): CampaignRunner {
  return {
    async run(orders, report, signal) {
      const failed = new AbortController();
      const ended = AbortSignal.any([signal, failed.signal]);
      const queue = createOrderQueue(orders, ended);
      const lanes = Array.from({ length: jobs }, (_, index) =>
        lane(ports, { index, queue }, report, ended).catch((error: unknown) => {
          failed.abort();
          throw error;
        }),
      );
      const results = await Promise.allSettled(lanes);
      // Why not awaited: it may be waiting for a run that has just been ended.
      void orders.return().catch(() => undefined);
      for (const result of results) if (result.status === 'rejected') throw result.reason;
    },
  };
}

/** Executes orders one after another in a process of its own; further ones are prepared meanwhile. */
async function lane(
  ports: LocalRunnerPorts,
  { index, queue }: { index: number; queue: OrderQueue },
  report: (order: CampaignOrder, result: CampaignResult) => Promise<void>,
  signal: AbortSignal,
): Promise<void> {
  const process = createLastingProcess(ports.processes);
  try {
    let beforeS = ports.clock.seconds();
    let isFirst = true;
    // Why before an order is taken: more are prepared meanwhile, from which to choose by scene.
    if (await queue.ready()) await process.get().catch(() => undefined);
    for (;;) {
      const order = await queue.take(index);
      if (order === null) return;
      await order.begin();
      const result = await resultOf(ports, process, order, signal);
      const endS = ports.clock.seconds();
      const sinceS = endS - beforeS;
      beforeS = endS;
      await report(order, { ...result, lane: { sinceS, isFirst } });
      isFirst = false;
      if (signal.aborted) return;
    }
  } finally {
    await process.dispose();
  }
}

async function resultOf(
  ports: LocalRunnerPorts,
  process: LastingProcess,
  order: CampaignOrder,
  signal: AbortSignal,
): Promise<CampaignResult> {
  const { clock, log } = ports;
  const startS = clock.seconds();
  for (let attempts = 1; ; attempts += 1) {
    try {
      const outcome = await attempt(ports, process, order, signal);
      return { outcome, error: null, wallS: clock.seconds() - startS, attempts };
    } catch (error) {
      const wire = toWire(error);
      // Why always: what a failed run left in its process is not known.
      await process.dispose();
      const isLost = wire.code === 'run-lost' || wire.code === 'worker-lost';
      if (isLost && attempts < maxAttempts && !signal.aborted) {
        log.warn('a run of a campaign is repeated', { planIndex: order.planIndex, ...wire });
        await order.beginAgain();
        continue;
      }
      const ending = signal.aborted ? stopped : wire;
      return { outcome: null, error: ending, wallS: clock.seconds() - startS, attempts };
    }
  }
}

const stopped: WireError = { code: 'cancelled', message: 'the campaign was stopped' };

/** @throws what ends the run; 'worker-failed' beyond the limit of wall time */
async function attempt(
  { timer }: LocalRunnerPorts,
  process: LastingProcess,
  { order, heights, wallLimitS, ...events }: CampaignOrder,
  signal: AbortSignal,
): Promise<RunOutcome> {
  const limit = new AbortController();
  const ended = new AbortController();
  if (wallLimitS !== null) {
    void timer.pause(wallLimitS, ended.signal).then(() => limit.abort());
  }
  try {
    const running = await process.get();
    const outcome = await running.execute(order, heights, {
      signal: AbortSignal.any([signal, limit.signal]),
      onRunEvent: (event, columns) => events.onRunEvent(event, columns),
    });
    if (outcome.end !== 'cancelled' && outcome.end !== 'host-lost') return outcome;
    throw new UnderstoryError('cancelled', 'the run was stopped');
  } catch (error) {
    if (!limit.signal.aborted || signal.aborted) throw error;
    const message = `the run took longer than the limit of ${wallLimitS} s`;
    throw new UnderstoryError('worker-failed', message);
  } finally {
    ended.abort();
  }
}

interface LastingProcess {
  get(): Promise<RunProcess>;
  dispose(): Promise<void>;
}

/** A process that is started when it is needed, and again after it was disposed. */
function createLastingProcess(processes: RunProcesses): LastingProcess {
  let current: RunProcess | null = null;
  return {
    async get() {
      current ??= await processes.start();
      return current;
    },
    async dispose() {
      const before = current;
      current = null;
      await before?.dispose();
    },
  };
}
