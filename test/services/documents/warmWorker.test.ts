// The worker that stays between short calls: real processes.
import { afterEach, expect, it } from 'vitest';
import { UnderstoryError } from '#contract/errors.ts';
import { createNodeTimer } from '#hosts/node/nodeTimer.ts';
import { createWarmWorker, type WarmWorker } from '#services/documents/warmWorker.ts';
import type { Timer } from '#services/ports/system.ts';
import type { ScanWorker } from '#services/ports/workers.ts';
import {} from '#test/workers/realWorker.ts';
import { realLauncher } from '#test/support/worker.ts';

const opened: ScanWorker[] = [];
let warm: WarmWorker | null = null;
afterEach(async () => {
  await warm?.dispose();
  opened.length = 0;
});

function create(timer: Timer = createNodeTimer()): WarmWorker {
  const launcher = realLauncher();
  const open: typeof launcher.open = async (options) => {
    const worker = await launcher.open(options);
    opened.push(worker);
    return worker;
  };
  warm = createWarmWorker({ launcher: { ...launcher, open }, timer });
  return warm;
}

const pidOf = (worker: ScanWorker): Promise<number> => Promise.resolve(worker.pid);

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

it('is one process for calls after one another and at the same time', async () => {
  const worker = create();
  const first = await worker.use(pidOf);
  expect(await Promise.all([worker.use(pidOf), worker.use(pidOf)])).toEqual([first, first]);
  expect(opened).toHaveLength(1);
});

it('stays after a request that it refuses, and ends after a failure of its own', async () => {
  const worker = create();
  const failing = (code: 'bad-input' | 'worker-lost') => () =>
    Promise.reject(new UnderstoryError(code, 'no'));
  const first = await worker.use(pidOf);
  await expect(worker.use(failing('bad-input'))).rejects.toMatchObject({ code: 'bad-input' });
  expect(await worker.use(pidOf)).toBe(first);
  await expect(worker.use(failing('worker-lost'))).rejects.toMatchObject({ code: 'worker-lost' });
  expect(isAlive(first)).toBe(false);
  expect(await worker.use(pidOf)).not.toBe(first);
});

it('ends when it is idle, and is started again by the next call', async () => {
  let passed: () => void = () => undefined;
  const timer = { pause: () => new Promise<void>((resolve) => (passed = resolve)) };
  const worker = create(timer);
  const first = await worker.use(pidOf);
  passed();
  await expect.poll(() => isAlive(first)).toBe(false);
  expect(await worker.use(pidOf)).not.toBe(first);
});
