// A run process that executes one order after another: worker and scene stay, and no byte of a recording depends on it.
import { beforeAll, describe, expect, it, vi } from 'vitest';
import type { RunEvent, RunOrder } from '#contract/host/run.ts';
import { assetsFolder } from '#hosts/packageFolders.ts';
import { createNodeFiles } from '#hosts/node/nodeFiles.ts';
import { spawnRunChild } from '#hosts/runProcess/launch.ts';
import { createRunProcesses } from '#hosts/runProcess/runProcess.ts';
import { createDocuments, type LoadedScenario } from '#services/documents/documents.ts';
import type { RunProcess } from '#services/ports/runProcesses.ts';
import { temporaryFolder } from '#test/support/folder.ts';
import {} from '#test/workers/realWorker.ts';
import { silentLog } from '#test/support/log.ts';
import { childrenOf, digestOf, execute, orderFor } from './realRun.ts';

vi.setConfig({ testTimeout: 120_000 });

/** Seeds 1 and 2 are two scenes; another sensor and another height of it are the same scene. */
const variants = [
  { seed: 1, sensor: 'lms-291' },
  { seed: 1, sensor: 'vlp-16' },
  { seed: 2, sensor: 'lms-291' },
  { seed: 1, sensor: 'lms-291' },
];

const documents = createDocuments({ files: createNodeFiles({ assetsFolder }) });
let loaded: LoadedScenario[] = [];
beforeAll(async () => {
  loaded = await Promise.all(
    variants.map(({ seed, sensor }) => documents.compile('clearing', { seed }, { sensor })),
  );
});

function shortOrder(index: number, change: Partial<RunOrder> = {}): [RunOrder, Float32Array] {
  const scenario = loaded[index] as LoadedScenario;
  const order = orderFor(scenario, temporaryFolder(), { seconds: 0.6, isa: 'avx2', threads: 1 });
  return [{ ...order, ...change }, scenario.heights];
}

async function withProcess(work: (process: RunProcess) => Promise<void>): Promise<void> {
  const process = await createRunProcesses({
    log: silentLog,
    startChild: spawnRunChild,
  }).start();
  try {
    await work(process);
  } finally {
    await process.dispose();
  }
}

describe('a process that executes several runs', () => {
  it('records what each run records alone, and builds a scene again only for another one', async () => {
    const digests: string[] = [];
    const builds: number[] = [];
    const workers = new Set<number>();
    await withProcess(async (process) => {
      for (const index of variants.keys()) {
        const [order, heights] = shortOrder(index);
        await process.execute(order, heights, {
          onRunEvent: (event: RunEvent) => {
            if (event.kind === 'scene') builds.push(event.summary.buildSeconds);
          },
        });
        for (const pid of childrenOf(process.pid)) workers.add(pid);
        digests.push(await digestOf(order.recordingFile ?? ''));
      }
    });
    expect(builds.map((seconds) => seconds > 0)).toEqual([true, false, true, true]);
    expect(workers.size).toBe(1);
    for (const index of [1, 3]) {
      const [order, heights] = shortOrder(index);
      await execute(order, heights);
      expect(digests[index]).toBe(await digestOf(order.recordingFile ?? ''));
    }
    expect(digests[3]).toBe(digests[0]);
    expect(new Set(digests).size).toBe(3);
  });

  it('starts another worker for other threads, and after its worker was lost', async () => {
    const workers: number[] = [];
    await withProcess(async (process) => {
      const run = async (change: Partial<RunOrder>): Promise<string> => {
        const [order, heights] = shortOrder(0, change);
        await process.execute(order, heights, { onRunEvent: () => undefined });
        workers.push(...childrenOf(process.pid));
        return digestOf(order.recordingFile ?? '');
      };
      const first = await run({});
      for (const pid of childrenOf(process.pid)) globalThis.process.kill(pid, 'SIGKILL');
      expect(await run({})).toBe(first);
      expect(await run({ threads: 2 })).toBe(first);
    });
    expect(new Set(workers).size).toBe(3);
  });
});
