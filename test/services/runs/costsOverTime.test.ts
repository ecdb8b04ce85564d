// The cost about the vehicle, against maps whose every cell is known.
import { expect, test } from 'vitest';
import type { RecordedMap, RecordingSnapshots } from '#services/ports/recordings.ts';
import { costsOverTime } from '#services/runs/costsOverTime.ts';
import { sampleTickRecord } from '#test/recordings/samples.ts';

const geometry = { cells: 10, cellM: 0.5, originM: [0, 0] as [number, number] };

/** All cells cost 10, some something else. */
function mapAt(timeNs: number, cells: Record<number, number>): RecordedMap {
  const cost = new Uint8Array(100).fill(10);
  for (const [cell, value] of Object.entries(cells)) cost[Number(cell)] = value;
  return { geometry, timeNs, cost };
}

function snapshotsOf(maps: RecordedMap[]): Pick<RecordingSnapshots, 'maps'> {
  return {
    maps: async function* () {
      for (const map of maps) yield await Promise.resolve(map);
    },
  };
}

function tickAt(timeNs: number, xM: number, yM: number) {
  const record = sampleTickRecord(0);
  return { ...record, timeNs, estimate: { ...record.estimate, positionM: [xM, yM, 0] as never } };
}

test('is the highest within the radius of where the vehicle took itself to be then', async () => {
  const ticks = [tickAt(1e8, 1.25, 1.25), tickAt(2e8, 3.25, 3.25), tickAt(3e8, 30, 30)];
  // Cell 22 holds (1.25, 1.25), 23 lies half a metre east of it, 24 a metre; 66 holds (3.25, 3.25).
  const maps = [
    mapAt(1e8, { 22: 5, 24: 90 }),
    mapAt(1.5e8, { 22: 5, 23: 70 }),
    mapAt(2e8, { 66: 80, 22: 100 }),
    mapAt(2.5e8, { 66: 255 }),
    mapAt(3e8, {}),
  ];
  const { signal } = new AbortController();
  const { timeS, costHere } = await costsOverTime(snapshotsOf(maps), ticks, 0.6, signal);
  expect([...timeS]).toEqual([0.1, 0.15, 0.2, 0.25, 0.3]);
  expect([...costHere]).toEqual([10, 70, 80, 10, NaN]);
});

test('has no cost where the map has none', async () => {
  const map = { ...mapAt(1e8, {}), cost: new Uint8Array(100).fill(255) };
  const ticks = [tickAt(1e8, 1.25, 1.25)];
  const { signal } = new AbortController();
  const { costHere } = await costsOverTime(snapshotsOf([map]), ticks, 0.6, signal);
  expect([...costHere]).toEqual([NaN]);
});

test('ends when it is cancelled', async () => {
  const controller = new AbortController();
  controller.abort();
  const ticks = [tickAt(1e8, 1, 1)];
  const result = costsOverTime(snapshotsOf([mapAt(1e8, {})]), ticks, 0.6, controller.signal);
  await expect(result).rejects.toMatchObject({ code: 'cancelled' });
});
