// Orders are shared out by scene, each once, and no process waits while one is there.
import { expect, it } from 'vitest';
import { createOrderQueue } from '#services/campaigns/orderQueue.ts';
import type { CampaignOrder } from '#services/ports/campaignRunner.ts';

function order(planIndex: number, scene: string): CampaignOrder {
  const recipe = { instances: [], scatters: [] };
  return { planIndex, scene, order: { compiled: { recipe } } } as unknown as CampaignOrder;
}

async function* ordersOf(scenes: readonly string[]): AsyncGenerator<CampaignOrder, void> {
  for (const [index, scene] of scenes.entries()) {
    await Promise.resolve();
    yield order(index, scene);
  }
}

const unending = new AbortController().signal;

it('hands out every order once, and changes the scene of a process as seldom as it can', async () => {
  const scenes = Array.from({ length: 40 }, (_, index) => `${Math.floor(index / 2) % 4}`);
  const queue = createOrderQueue(ordersOf(scenes), unending);
  expect(await queue.ready()).toBe(true);
  // As after the start of a process: all that may wait does.
  await new Promise((resolve) => setTimeout(resolve, 5));
  const taken: number[] = [];
  const builds = [0, 0];
  const now: (string | null)[] = [null, null];
  for (let turn = 0; taken.length < scenes.length; turn += 1) {
    const lane = turn % 2;
    const next = await queue.take(lane);
    if (next === null) break;
    taken.push(next.planIndex);
    if (next.scene !== now[lane]) builds[lane] = (builds[lane] ?? 0) + 1;
    now[lane] = next.scene;
  }
  expect(taken.toSorted((a, b) => a - b)).toEqual(scenes.map((_, index) => index));
  // Four scenes for two processes: each of them is built by one, but for the end of the plan.
  expect((builds[0] ?? 0) + (builds[1] ?? 0)).toBeLessThanOrEqual(6);
  expect(await queue.take(0)).toBeNull();
  expect(await queue.ready()).toBe(false);
});

it('hands out an order although the next one waits for its end', async () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  const queue = createOrderQueue(
    (async function* () {
      yield order(0, 'a');
      await promise;
      yield order(1, 'a');
    })(),
    unending,
  );
  expect((await queue.take(0))?.planIndex).toBe(0);
  const second = queue.take(1);
  resolve();
  expect((await second)?.planIndex).toBe(1);
});

it('hands out what was prepared before a failure, then throws it; nothing after an abort', async () => {
  const failing = createOrderQueue(
    (async function* () {
      yield order(0, 'a');
      await Promise.resolve();
      throw new Error('no room');
    })(),
    unending,
  );
  expect((await failing.take(0))?.planIndex).toBe(0);
  await expect(failing.take(0)).rejects.toThrow('no room');
  const stop = new AbortController();
  const stopped = createOrderQueue(ordersOf(['a', 'b']), stop.signal);
  await stopped.ready();
  stop.abort();
  expect(await stopped.take(0)).toBeNull();
});
