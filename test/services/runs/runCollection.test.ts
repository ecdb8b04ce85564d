// The way of a run into the trash, back, and out of the world: row and files go together.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { sampleCompiled, sampleTickRecord } from '#test/recordings/samples.ts';
import { recordedRun } from '#test/services/recordedRun.ts';
import { callContext } from '#test/support/context.ts';

async function endedRun() {
  const run = await recordedRun({ ticks: 2, rows: 20 });
  const end = { state: 'finished', end: 'goal', metrics: null, error: null, endedMs: 1 } as const;
  run.catalogue.endRun('run', end);
  const file = (folder: string): string => join(run.dataFolder, folder, 'run', 'recording.mcap');
  return {
    ...run,
    isRecorded: () => existsSync(file('runs')),
    isTrashed: () => existsSync(file('trash')),
  };
}

test('a run goes to the trash and comes back with its recording', async () => {
  const { handlers, catalogue, isRecorded, isTrashed } = await endedRun();
  await handlers['runs.delete']({ runIds: ['run'] }, callContext);
  expect([isRecorded(), isTrashed()]).toEqual([false, true]);
  expect(catalogue.run('run')?.deletedMs).toBeGreaterThan(0);
  await handlers['runs.restore']({ runIds: ['run'] }, callContext);
  expect([isRecorded(), isTrashed()]).toEqual([true, false]);
  expect(catalogue.run('run')?.deletedMs).toBeNull();
  const restored = Promise.resolve().then(() =>
    handlers['runs.restore']({ runIds: ['run'] }, callContext),
  );
  await expect(restored).rejects.toMatchObject({ code: 'bad-input' });
});

test('emptying removes what is in the trash, and nothing else', async () => {
  const { handlers, catalogue, isRecorded, isTrashed } = await endedRun();
  expect((await handlers['runs.empty']({}, callContext)).reply).toEqual({ removed: 0, bytes: 0 });
  expect(isRecorded()).toBe(true);
  await handlers['runs.delete']({ runIds: ['run'] }, callContext);
  const { reply } = await handlers['runs.empty']({ runIds: ['run'] }, callContext);
  expect(reply.removed).toBe(1);
  expect(reply.bytes).toBeGreaterThan(1000);
  expect(isTrashed()).toBe(false);
  expect(catalogue.run('run')).toBeNull();
});

test('several go to the trash together and come back, or none where one is under way', async () => {
  const { handlers, catalogue } = await endedRun();
  const compiled = sampleCompiled();
  for (const id of ['second', 'third']) {
    const run = { id, name: id, createdMs: 0, version: '0.0.0', hostName: 'here' };
    const order = { seconds: null, threads: null, isa: null };
    catalogue.insertRun({ ...run, compiled, order });
  }
  const end = { state: 'finished', end: 'goal', metrics: null, error: null, endedMs: 1 } as const;
  catalogue.endRun('second', end);
  const trashed = (): string[] =>
    ['run', 'second', 'third'].filter((id) => catalogue.run(id)?.deletedMs !== null);
  const runIds = ['run', 'second', 'third'];
  const refused = Promise.resolve().then(() => handlers['runs.delete']({ runIds }, callContext));
  await expect(refused).rejects.toMatchObject({ code: 'locked' });
  expect(trashed()).toEqual([]);
  catalogue.endRun('third', end);
  await handlers['runs.delete']({ runIds }, callContext);
  expect(trashed()).toEqual(runIds);
  await handlers['runs.restore']({ runIds: ['run', 'third'] }, callContext);
  expect(trashed()).toEqual(['second']);
});

test('a run under way does not go to the trash', async () => {
  const { handlers, isRecorded } = await recordedRun({ ticks: 1, rows: 5 }).then((run) => ({
    ...run,
    isRecorded: () => existsSync(join(run.dataFolder, 'runs', 'run', 'recording.mcap')),
  }));
  const deleting = Promise.resolve().then(() =>
    handlers['runs.delete']({ runIds: ['run'] }, callContext),
  );
  await expect(deleting).rejects.toMatchObject({ code: 'locked' });
  expect(isRecorded()).toBe(true);
});

test('several runs are tagged at once', async () => {
  const { handlers } = await endedRun();
  const request = { runIds: ['run', 'ru'], add: ['wet'], remove: [] };
  const { reply } = await handlers['runs.tag'](request, callContext);
  expect(reply).toEqual([
    { runId: 'run', tags: ['wet'] },
    { runId: 'run', tags: ['wet'] },
  ]);
});

test('many runs are tagged with pauses in which the host answers others, and a cancel stops it', async () => {
  const { handlers, catalogue } = await endedRun();
  const ids = Array.from({ length: 45 }, (_, index) => `many-${index}`);
  for (const id of ids) {
    const run = { id, name: id, createdMs: 0, version: '0.0.0', hostName: 'here' };
    const order = { seconds: null, threads: null, isa: null };
    catalogue.insertRun({ ...run, compiled: sampleCompiled(), order });
  }
  const request = { runIds: ids, add: ['dense'], remove: [] };
  let turns = 0;
  const others = setInterval(() => (turns += 1), 0);
  const { reply } = await handlers['runs.tag'](request, callContext);
  clearInterval(others);
  expect(reply).toEqual(ids.map((runId) => ({ runId, tags: ['dense'] })));
  expect(turns).toBeGreaterThan(0);

  const controller = new AbortController();
  const progress = (): void => controller.abort();
  const removal = { runIds: ids, add: [], remove: ['dense'] };
  const context = { ...callContext, signal: controller.signal, progress };
  await expect(handlers['runs.tag'](removal, context)).rejects.toMatchObject({ code: 'cancelled' });
  expect(catalogue.run('many-0')?.tags).toEqual([]);
  expect(catalogue.run('many-44')?.tags).toEqual(['dense']);
});

test('a long run is removed in slices between which the host answers others; a cancelled one is emptied later', async () => {
  const { handlers, catalogue } = await endedRun();
  for (let tick = 0; tick < 2600; tick += 1) catalogue.addTick('run', sampleTickRecord(tick));
  await handlers['runs.delete']({ runIds: ['run'] }, callContext);
  const controller = new AbortController();
  const cancelled = Promise.resolve(
    handlers['runs.empty']({ runIds: ['run'] }, { ...callContext, signal: controller.signal }),
  );
  controller.abort();
  await expect(cancelled).rejects.toMatchObject({ code: 'cancelled' });
  expect(catalogue.ticks('run')).toHaveLength(1600);
  expect(catalogue.run('run')?.deletedMs).toBeGreaterThan(0);

  let turns = 0;
  const others = setInterval(() => (turns += 1), 0);
  const { reply } = await handlers['runs.empty']({ runIds: ['run'] }, callContext);
  clearInterval(others);
  expect(reply.removed).toBe(1);
  expect(turns).toBeGreaterThan(0);
  expect(catalogue.run('run')).toBeNull();
});
