// The pace at which displays of a run are sent instants.
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { RunDisplay } from '#renderer/logic/cloud/runDisplay.ts';
import { allDrawn } from '#renderer/stores/runs/allDrawn.ts';

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }));
afterEach(() => void vi.useRealTimers());

function display(drawn: Promise<void>): RunDisplay {
  return { drawn: () => drawn } as RunDisplay;
}

async function isDone(paced: Promise<void>): Promise<boolean> {
  const open = Symbol('open');
  return (await Promise.race([paced, Promise.resolve().then(() => open)])) !== open;
}

it('is that of the slowest display', async () => {
  const slow = Promise.withResolvers<void>();
  const paced = allDrawn(new Set([display(Promise.resolve()), display(slow.promise)]));
  expect(await isDone(paced)).toBe(false);
  slow.resolve();
  await paced;
});

it('is not that of one whose frames take long: instants would pile up before it', async () => {
  const never = new Promise<void>(() => undefined);
  const paced = allDrawn(new Set([display(never)]));
  expect(await isDone(paced)).toBe(false);
  await vi.advanceTimersByTimeAsync(300);
  await paced;
});
