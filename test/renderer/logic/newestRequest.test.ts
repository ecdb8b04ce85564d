// Requests of which only the newest counts.
import { expect, it } from 'vitest';
import { createNewestRequest } from '#renderer/logic/newestRequest.ts';

function answered() {
  const made: number[] = [];
  const ends: (() => void)[] = [];
  const requests = createNewestRequest<number>((request) => {
    made.push(request);
    return new Promise((resolve) => ends.push(resolve));
  });
  const end = async (): Promise<void> => {
    ends.shift()?.();
    await Promise.resolve();
    await Promise.resolve();
  };
  return { made, end, requests };
}

it('makes one at a time, and of those that waited only the newest', async () => {
  const { made, end, requests } = answered();
  for (const request of [1, 2, 3]) requests.make(request);
  expect(made).toEqual([1]);
  await end();
  expect(made).toEqual([1, 3]);
  await end();
  requests.make(4);
  expect(made).toEqual([1, 3, 4]);
});

it('makes none that was dropped', async () => {
  const { made, end, requests } = answered();
  requests.make(1);
  requests.make(2);
  requests.drop();
  await end();
  expect(made).toEqual([1]);
});
