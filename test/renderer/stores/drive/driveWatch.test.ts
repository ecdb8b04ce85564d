// A run that is watched to its end.
import { expect, it, vi } from 'vitest';
import { useClient } from '#renderer/client/injection.ts';
import { createDriveWatch } from '#renderer/stores/drive/driveWatch.ts';
import { sampleView } from '#test/services/scriptedRun.ts';
import { WithColumns } from '../pageOf.ts';
import { openPage } from '../openPage.ts';

it('has the cost map of a run that ends while an early reading of it is under way', async () => {
  const page = openPage({ at: '#/drive' });
  const [ending, early] = [Promise.withResolvers<object>(), Promise.withResolvers<unknown>()];
  const { view, columns } = sampleView(111, 10, 7);
  const [pose, none] = [view.tick.truth, new Float64Array()];
  const at = (): unknown => {
    const map = { ...view.map, timeNs: 10e9 };
    const instant = { cost: columns['cost'], path_x_m: none, path_y_m: none } as typeof columns;
    return new WithColumns({ tick: { tick: 100, timeNs: 10e9, truth: pose }, map }, instant);
  };
  let reads = 0;
  page.answer('runs.show', () => ({ id: 'a', sensors: ['one'] }));
  page.answer('runs.at', () => (reads++ === 0 ? early.promise : at()));
  page.answer('runs.ticks', () => {
    const ticks = { time_s: none, truth_x_m: none, truth_y_m: none };
    return new WithColumns({ ticks: 0, classes: [] }, ticks);
  });
  page.answer('drive.watch', async (_, { onChunk }) => {
    await onChunk?.(view, columns);
    return ending.promise;
  });
  const watch = createDriveWatch(
    page.within(() => useClient()),
    'a',
    { view: 10, screen: () => 10 },
  );
  await vi.waitFor(() => expect(reads).toBe(1));
  ending.resolve({});
  await vi.waitFor(() => expect(watch.run.state).toBe('ended'));
  early.resolve(at());
  await vi.waitFor(() => expect(watch.run.costMap).toMatchObject({ timeS: 10 }));
  // The newest instant, the map before it was recorded, and the map after the end.
  expect(reads).toBe(3);
  watch.dispose();
});

it('sends its newest view and what was before it to displays that have dropped their points', async () => {
  const page = openPage({ at: '#/drive' });
  const { view, columns } = sampleView(5, 10, 7);
  const times = Float64Array.of(0.4, 0.5);
  page.answer('runs.show', () => ({ id: 'a', sensors: ['one'] }));
  page.answer('runs.at', () => Promise.reject(new Error('nothing yet')));
  page.answer('runs.past', () => ({}));
  page.answer('runs.ticks', () => {
    const places = new Float64Array(2);
    const names = ['truth', 'gps'].flatMap((of) =>
      ['x', 'y', 'z'].map((axis) => `${of}_${axis}_m`),
    );
    const ticks = Object.fromEntries(names.map((name) => [name, places]));
    return new WithColumns({ ticks: 2, classes: [] }, { time_s: times, ...ticks });
  });
  page.answer('drive.watch', async (_, { onChunk }) => {
    await onChunk?.(view, columns);
    return new Promise(() => undefined);
  });
  const watch = createDriveWatch(
    page.within(() => useClient()),
    'a',
    { view: 10, screen: () => 10 },
  );
  const got: string[] = [];
  watch.subscribe({
    reset: () => undefined,
    show: ({ tick }) => void got.push(`show ${tick.tick}`),
    jump: () => undefined,
    setPath: () => void got.push('path'),
    addHistory: () => undefined,
    drawn: () => Promise.resolve(),
  });
  await vi.waitFor(() => expect(got).toEqual(['show 5', 'path']));
  watch.sendAgain();
  await vi.waitFor(() => expect(got).toEqual(['show 5', 'path', 'show 5', 'path']));
  watch.dispose();
});
