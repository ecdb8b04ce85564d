// A worker's process that dies or hangs: the answer must be the same.
import { spawn, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, it } from 'vitest';
import type { LoadedScenario } from '#services/documents/documents.ts';
import type { ScanWorker } from '#services/ports/workers.ts';
import { workerBinary } from '#hosts/packageFolders.ts';
import { superviseWorker } from '#workers/superviseWorker.ts';
import { startWorkerProcess } from '#workers/workerProcess.ts';
import { type WorkerLauncherOptions } from '#workers/workerLauncher.ts';
import { keptLog, silentLog } from '#test/support/log.ts';
import { realLauncher } from '#test/support/worker.ts';
import {
  compileScenario,
  openWorker,
  scanBytes,
  type ScanBytes,
  onlySensor,
} from './realWorker.ts';
import { straight } from '#validation/trajectories.ts';

const field = await compileScenario();
const trajectory = straight([-1, 0, 1.5], [1, 0, 1.5], 200e6);
const order = { sensor: onlySensor(field), toNs: 200e6, chunkPulses: 9973, trajectory };
const undisturbed = await withWorker({}, (worker) => scanBytes(worker, order));

async function withWorker<T>(
  options: Partial<WorkerLauncherOptions>,
  work: (worker: ScanWorker) => Promise<T>,
): Promise<T> {
  return work((await openWorker(field, options)).worker);
}

function expectSame(scan: ScanBytes): void {
  expect(scan.digests).toEqual(undisturbed.digests);
  expect(scan.result.hash).toBe(undisturbed.result.hash);
  expect(scan.chunks).toBe(undisturbed.chunks);
  expect(scan.objects).toEqual(undisturbed.objects);
}

it('is in the session of its host, where its niceness counts, and is not ended by Ctrl+C', async () => {
  await withWorker({}, async (worker) => {
    // proc(5): after the name come state, parent, process group, session.
    const sessionOf = (process: string): string | undefined =>
      readFileSync(`/proc/${process}/stat`, 'utf8').split(') ').at(-1)?.split(' ')[3];
    expect(sessionOf(String(worker.pid))).toBe(sessionOf('self'));
    const { pid } = worker;
    process.kill(pid, 'SIGINT');
    process.kill(pid, 'SIGHUP');
    expectSame(await scanBytes(worker, order));
    expect(worker.pid).toBe(pid);
  });
});

describe('a worker that dies', () => {
  it('by kill -9 in mid-scan is brought back, and the scan has the same bytes', async () => {
    await withWorker({ limits: { backOffMs: 1 } }, async (worker) => {
      const { pid } = worker;
      const onChunk = (chunk: number): void => {
        if (chunk === 4) process.kill(worker.pid, 'SIGKILL');
      };
      expectSame(await scanBytes(worker, { ...order, onChunk }));
      expect(worker.pid).not.toBe(pid);
    });
  });

  it('between two scans is brought back with its scene', async () => {
    await withWorker({ limits: { backOffMs: 1 } }, async (worker) => {
      const gone = once(process, 'noSuchEvent', { signal: AbortSignal.timeout(50) });
      process.kill(worker.pid, 'SIGKILL');
      await gone.catch(() => undefined);
      expectSame(await scanBytes(worker, order));
    });
  });

  it('again and again is reported lost after five restarts, with its last words', async () => {
    const { log, lines } = keptLog();
    const environment = { UNDERSTORY_TEST: 'die-after-chunks=2' };
    await withWorker({ log, environment, limits: { backOffMs: 1 } }, async (worker) => {
      await expect(scanBytes(worker, order)).rejects.toMatchObject({
        code: 'worker-lost',
        message: expect.stringContaining('6 times') as string,
        details: { stderr: expect.any(Array) as string[] },
      });
      // And it stays so, at once.
      await expect(scanBytes(worker, order)).rejects.toMatchObject({ code: 'worker-lost' });
    });
    const restarts = lines.filter(({ message }) => message === 'the worker is started again');
    expect(restarts).toHaveLength(5);
  });
});

it.each([
  ['die-after-chunks=2x', "expected a whole number, found '2x'"],
  ['die-after-chunks=', "expected a whole number, found ''"],
  ['hang-after-chunks=-1', "expected a whole number, found '-1'"],
  ['die-after=2', "no switch 'die-after=2'"],
])('a worker refuses to start with the switch %s', (switches, message) => {
  const environment = { ...process.env, UNDERSTORY_TEST: switches };
  const worker = spawnSync(workerBinary, { env: environment, input: '', encoding: 'utf8' });
  expect(worker.status).not.toBe(0);
  expect(worker.stderr).toContain(`UNDERSTORY_TEST: ${message}`);
});

describe('a worker that hangs', () => {
  it('is killed, brought back, and the scan has the same bytes', async () => {
    const limits = { heartbeatMs: 500, missedBeats: 3, backOffMs: 1 };
    await withWorker({ limits }, async (worker) => {
      const { pid } = worker;
      const onChunk = (chunk: number): void => {
        if (chunk === 2 && worker.pid === pid) process.kill(pid, 'SIGSTOP');
      };
      expectSame(await scanBytes(worker, { ...order, onChunk }));
      expect(worker.pid).not.toBe(pid);
    });
  });

  it('after a cancel is killed, and the call ends as cancelled', async () => {
    // Beats so rare that only the limit after the cancel can end the call.
    const limits = { heartbeatMs: 600_000, cancelLimitMs: 300, backOffMs: 1 };
    await withWorker({ limits }, async (worker) => {
      const { pid } = worker;
      const controller = new AbortController();
      const onChunk = (chunk: number): void => {
        if (chunk !== 2) return;
        process.kill(pid, 'SIGSTOP');
        controller.abort();
      };
      const scan = scanBytes(worker, { ...order, signal: controller.signal, onChunk });
      await expect(scan).rejects.toMatchObject({ code: 'cancelled' });
      expect(isAlive(pid)).toBe(false);
      expectSame(await scanBytes(worker, order));
      expect(worker.pid).not.toBe(pid);
    });
  });

  it('is left alone while a debugger may hold it', async () => {
    const limits = { heartbeatMs: 20, missedBeats: 2, backOffMs: 1 };
    const environment = { UNDERSTORY_DEBUG_WORKER: '1' };
    await withWorker({ limits, environment }, async (worker) => {
      const { pid } = worker;
      process.kill(pid, 'SIGSTOP');
      // Many times what ends a worker with these limits.
      await delay(500);
      process.kill(pid, 'SIGCONT');
      expectSame(await scanBytes(worker, order));
      expect(worker.pid).toBe(pid);
    });
  });

  it('is not one that only computes: a long scan outlives many beats', async () => {
    const limits = { heartbeatMs: 100, missedBeats: 10, backOffMs: 1 };
    await withWorker({ limits }, async (worker) => {
      const { pid } = worker;
      const { result } = await scanBytes(worker, {
        ...order,
        columns: ['range_m'],
        toNs: 2e9,
        chunkPulses: 1e6,
      });
      expect(result.pulses).toBeGreaterThan(1.9e6);
      expect(worker.pid).toBe(pid);
    });
  });
});

describe('a worker that builds', () => {
  let forest: LoadedScenario;
  beforeAll(async () => {
    forest = await compileScenario('courtyard');
  });

  it('is started once more after a kill, and not again: the system has no memory for it', async () => {
    const killed = new Set<number>();
    const worker = await realLauncher({ limits: { backOffMs: 1 } }).open({
      isa: null,
      threads: null,
    });
    try {
      const request = { recipe: forest.compiled.recipe, memoryLimitBytes: 20e9 };
      const build = worker.call(
        'scene.build',
        request,
        { heights: forest.heights },
        {
          onProgress: () => {
            if (killed.has(worker.pid)) return;
            killed.add(worker.pid);
            process.kill(worker.pid, 'SIGKILL');
          },
        },
      );
      await expect(build).rejects.toMatchObject({
        code: 'worker-lost',
        message: expect.stringContaining('out of memory') as string,
      });
      expect(killed.size).toBe(2);
    } finally {
      await worker.dispose();
    }
  });

  it('ends with its owner while it is built again', async () => {
    const pids: number[] = [];
    const worker = await superviseWorker({
      log: silentLog,
      maxRestarts: 5,
      backOffMs: 1,
      start: async () => {
        const started = await startWorkerProcess(processOptions);
        pids.push(started.pid);
        // The second one hangs from its hello on.
        if (pids.length === 2) process.kill(started.pid, 'SIGSTOP');
        return started;
      },
    });
    const request = { recipe: field.compiled.recipe, memoryLimitBytes: 2e9 };
    await worker.call('scene.build', request, { heights: field.heights });
    process.kill(worker.pid, 'SIGKILL');
    const scan = scanBytes(worker, order).catch((error: unknown) => error);
    await expect.poll(() => pids.length).toBe(2);
    await worker.dispose();
    expect(await scan).toMatchObject({ code: 'worker-lost' });
    expect(pids.map(isAlive)).toEqual([false, false]);
  });
});

describe('a worker whose parent dies', () => {
  it('ends, in mid-scan too', async () => {
    const parentFile = fileURLToPath(new URL('orphanParent.ts', import.meta.url));
    const parent = spawn(process.execPath, [parentFile], { stdio: ['ignore', 'pipe', 'inherit'] });
    const [first] = (await once(parent.stdout, 'data')) as [Buffer];
    const pid = Number(first.toString());
    expect(isAlive(pid)).toBe(true);
    parent.kill('SIGKILL');
    await expect.poll(() => isAlive(pid)).toBe(false);
  });
});

/** Beats so rare that they end nothing. */
const processOptions = {
  binary: workerBinary,
  isa: null,
  threads: null,
  cacheFolder: null,
  log: silentLog,
  helloLimitMs: 20_000,
  heartbeatMs: 600_000,
  missedBeats: 4,
  cancelLimitMs: 600_000,
};

/** False for a zombie too: it has ended, though its exit code has not been read yet. */
function isAlive(pid: number): boolean {
  try {
    const [, state] = /\) (\S)/.exec(readFileSync(`/proc/${pid}/stat`, 'utf8')) ?? [];
    return state !== 'Z';
  } catch {
    return false;
  }
}
