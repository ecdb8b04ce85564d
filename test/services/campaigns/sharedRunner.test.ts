// Results that tasks of a cluster leave for the machine that collects: failures, and those that are retried. Tasks and
// folder are made up.
import { expect, test } from 'vitest';
import type { RunMetrics } from '#contract/host/run.ts';
import { createSharedRunner } from '#services/campaigns/sharedRunner.ts';
import type {
  CampaignOrder,
  CampaignResult,
  CampaignRunner,
} from '#services/ports/campaignRunner.ts';
import type { SharedResults } from '#services/ports/sharedResults.ts';

/** Results in memory. */
function madeUpResults(): SharedResults {
  const byIdentity = new Map<string, Uint8Array>();
  return {
    read: (identity) => Promise.resolve(byIdentity.get(identity) ?? null),
    write: (identity, bytes) => Promise.resolve(void byIdentity.set(identity, bytes)),
    remove: (identity) => Promise.resolve(void byIdentity.delete(identity)),
    copyRecording: () => Promise.resolve(false),
    count: () => Promise.resolve(byIdentity.size),
  };
}

const ended = { end: 'seconds' as const, metrics: { points: 7 } as RunMetrics };
const lost = { code: 'worker-lost' as const, message: 'the worker ended' };

/** A task's runner, whose worker is lost three times, and never again. */
function taskOfLostWorker(): CampaignRunner {
  let calls = 0;
  return {
    async run(orders, report) {
      for await (const order of orders) {
        await order.begin();
        calls += 1;
        const result: CampaignResult =
          calls === 1
            ? { wallS: 1, attempts: 3, outcome: null, error: lost }
            : { wallS: 1, attempts: 1, outcome: ended, error: null };
        await report(order, result);
      }
    },
  };
}

test('a failure is collected as it is, until it is retried', async () => {
  const results = madeUpResults();
  const task = taskOfLostWorker();
  const execute = async (inner: CampaignRunner | null, isRetrying = false) => {
    const found: (string | number)[] = [];
    async function* orders(): AsyncGenerator<CampaignOrder, void> {
      yield await Promise.resolve({
        planIndex: 0,
        wallLimitS: null,
        scene: 's',
        order: { compiled: { scenarioHash: 'h' }, seconds: 1, isa: 'avx2', recordingFile: null },
        begin: () => Promise.resolve(),
        beginAgain: () => Promise.resolve(),
        onRunEvent: () => undefined,
      } as unknown as CampaignOrder);
    }
    const runner = createSharedRunner({ results, hostName: 'n1', isRetrying }, 'e', inner);
    const report = (_: CampaignOrder, { error, attempts }: CampaignResult): Promise<void> =>
      Promise.resolve(void found.push(error?.code ?? 'done', attempts));
    await runner.run(orders(), report, new AbortController().signal);
    return found;
  };
  expect(await execute(task)).toEqual(['worker-lost', 3]);
  expect(await execute(null)).toEqual(['worker-lost', 3]);
  // A task that is executed again, as after the loss of a node, finds the failure there.
  expect(await execute(task)).toEqual(['worker-lost', 3]);
  expect(await execute(null, true)).toEqual(['cancelled', 0]);
  expect(await execute(null)).toEqual(['cancelled', 0]);
  expect(await execute(task)).toEqual(['done', 1]);
  // A finished run is never removed.
  expect(await execute(null, true)).toEqual(['done', 1]);
});
