// How far each plan leads from the one before it.
import { expect, test } from 'vitest';
import type { RecordedPath } from '#services/ports/recordings.ts';
import { plansOverTime } from '#services/runs/plansOverTime.ts';

const pathOf = (timeS: number, places: readonly (readonly [number, number])[]): RecordedPath => ({
  timeNs: timeS * 1e9,
  xM: Float32Array.from(places, ([x]) => x),
  yM: Float32Array.from(places, ([, y]) => y),
});

const snapshotsOf = (paths: readonly RecordedPath[]) => ({
  paths: async function* () {
    for (const path of paths) yield await Promise.resolve(path);
  },
});

test('is the largest distance from the line before it: none where a path continues', async () => {
  const paths = [
    pathOf(0.5, [
      [0, 0],
      [10, 0],
    ]),
    pathOf(1, [
      [2, 0],
      [5, 0],
      [10, 0],
    ]),
    pathOf(1.5, [
      [3, 0],
      [6, 4],
      [13, 0],
    ]),
    pathOf(2, []),
    pathOf(2.5, [[1, 1]]),
  ];
  const { signal } = new AbortController();
  const { timeS, changeM } = await plansOverTime(snapshotsOf(paths), signal);
  expect([...timeS]).toEqual([0.5, 1, 1.5, 2, 2.5]);
  expect([...changeM]).toEqual([NaN, 0, 4, NaN, NaN]);
});

test('ends between paths where it is no longer asked for', async () => {
  const controller = new AbortController();
  controller.abort();
  await expect(
    plansOverTime(snapshotsOf([pathOf(1, [])]), controller.signal),
  ).rejects.toMatchObject({ code: 'cancelled' });
});
