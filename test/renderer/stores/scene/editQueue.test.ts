// Work on a document: one piece after the other, a failure reported and not in the way of the next.
import { expect, it } from 'vitest';
import { createEditQueue } from '#renderer/stores/scene/editQueue.ts';

it('does one piece after the other, in the order of asking', async () => {
  const { enqueue, isBusy } = createEditQueue();
  const done: number[] = [];
  let release = (): void => undefined;
  const slow = new Promise<void>((resolve) => (release = resolve));
  const first = enqueue(async () => {
    await slow;
    done.push(1);
  });
  const second = enqueue(() => Promise.resolve(void done.push(2)));
  await Promise.resolve();
  expect([done, isBusy.value]).toEqual([[], true]);
  release();
  await Promise.all([first, second]);
  expect([done, isBusy.value]).toEqual([[1, 2], false]);
});

it('reports a failure until the next piece begins, and does that', async () => {
  const { enqueue, enqueueCheck, error } = createEditQueue();
  await enqueue(() => Promise.reject(new Error('refused')));
  expect(error.value).toContain('refused');
  expect(await enqueueCheck(() => Promise.resolve(true))).toBe(true);
  expect(error.value).toBeNull();
  expect(await enqueueCheck(() => Promise.reject(new Error('again')))).toBe(false);
  expect(error.value).toContain('again');
});
