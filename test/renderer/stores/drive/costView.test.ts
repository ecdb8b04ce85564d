// The cost map of a run at 10 s: from the view on screen where it is of that instant, else from the recording.
import { describe, expect, it } from 'vitest';
import { useClient } from '#renderer/client/injection.ts';
import { readCostView } from '#renderer/stores/drive/costView.ts';
import type { LatestView } from '#renderer/stores/drive/viewDisplays.ts';
import { fakePage, WithColumns, type FakePage } from '../pageOf.ts';

const tenS = 10e9;
const pose = { positionM: [1, 2, 0], rotation: [0, 0, 0, 1] };
const map = { originM: [0, 0], cellM: 0.5, cells: [2, 1] };
const instant = { cost: new Uint8Array([7, 255]), path_x_m: new Float64Array([1, 2]) };
const columns = { ...instant, path_y_m: new Float64Array([3, 4]) };

/** A recording with the map of a time and the last tick at another. */
function open(recorded: { mapTimeNs?: number | null; lastTickNs?: number } = {}): FakePage {
  const { lastTickNs = tenS + 1e8, mapTimeNs = tenS } = recorded;
  const page = fakePage();
  page.answer('runs.at', (request) => {
    const { timeS } = request as { timeS: number };
    const timeNs = Math.min(lastTickNs, timeS > 11 ? Infinity : tenS);
    const found = mapTimeNs === null ? null : { ...map, timeNs: mapTimeNs };
    return new WithColumns({ tick: { tick: 1, timeNs, truth: pose }, map: found }, columns);
  });
  page.answer('runs.ticks', () => {
    const timeS = Float64Array.of(9.9, 10, 10.1);
    return new WithColumns(
      { ticks: 3, classes: [] },
      { time_s: timeS, truth_x_m: Float64Array.of(0, 1, 2), truth_y_m: Float64Array.of(5, 6, 7) },
    );
  });
  return page;
}

const read = (page: FakePage, latest: LatestView | null = null, hasEnded = false) =>
  readCostView(
    page.within(() => useClient()),
    'run',
    { latest, hasEnded },
  );

describe('the cost map at 10 s', () => {
  it('is read from the recording with the paths until then', async () => {
    const page = open();
    const view = await read(page);
    expect(page.calls).toContain('runs.at');
    expect(view).toMatchObject({ timeS: 10, pose, cost: columns.cost });
    expect([...(view?.plannedM ?? [])]).toEqual([1, 3, 2, 4]);
    // The tick after 10 s is left out.
    expect([...(view?.drivenM ?? [])]).toEqual([0, 5, 1, 6]);
  });

  it('is that of the view on screen where this shows the very instant', async () => {
    const page = open();
    const view = { tick: { tick: 1, timeNs: tenS, truth: pose }, map };
    const latest = { view, columns: { ...columns, cost: new Uint8Array([1, 2]) } };
    const shown = await read(page, latest as unknown as LatestView);
    expect(page.calls).not.toContain('runs.at');
    expect(shown?.cost).toEqual(new Uint8Array([1, 2]));
  });

  it('is that of an earlier second where the map has not changed since', async () => {
    const recorded = { mapTimeNs: 6e9 };
    expect(await read(open(recorded))).toMatchObject({ timeS: 10, cost: columns.cost });
  });

  it('is there when the run ends with that very tick', async () => {
    const page = open({ lastTickNs: tenS });
    expect(await read(page, null, true)).toMatchObject({ timeS: 10, cost: columns.cost });
  });

  it.each([
    ['the run has not come so far', { lastTickNs: 9.9e9 }],
    ['the map may follow the last tick of a growing recording', { lastTickNs: tenS }],
    ['there is no map', { mapTimeNs: null }],
  ])('is none where %s', async (_, recorded) => {
    expect(await read(open(recorded))).toBeNull();
  });

  it('is null if the run ended earlier', async () => {
    expect(await read(open({ lastTickNs: 9.9e9 }), null, true)).toBeNull();
  });
});
