// A recorded run read again: its metrics as columns, an instant, and a replay that keeps its speed and
// waits for its taker.
import { setTimeout as pause } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import type { Columns } from '#contract/columns.ts';
import { runQueryRequests, type RunSnapshot, type RunPast } from '#contract/host/runQueries.ts';
import type { Handlers } from '#services/handlers.ts';
import { sampleCompiled, sampleTickRecord } from '#test/recordings/samples.ts';
import { sampleInstances, sampleSavedScene } from '#test/catalogue/sampleScene.ts';
import { recordedRun } from '#test/services/recordedRun.ts';
import { callContext } from '#test/support/context.ts';

/** A run whose recording and catalogue hold the same ticks. */
async function drivenRun(ticks: number): Promise<Handlers<'runs'>> {
  const { handlers, catalogue } = await recordedRun({ ticks, rows: 40 });
  catalogue.saveScene('run', sampleSavedScene(), sampleInstances());
  for (let tick = 0; tick < ticks; tick++) {
    catalogue.addTick('run', sampleTickRecord(tick));
    const record = { tick, fromNs: tick * 1e8, toNs: (tick + 1) * 1e8, pulses: 9, hash: 'h' };
    // Instances 2 and 5 of the sample scene are of classes 1 and 3.
    catalogue.addScan(
      'run',
      { ...record, sensor: 0, returns: 7 },
      Uint32Array.of(2),
      Uint32Array.of(7),
    );
    const returns = Uint32Array.of(1, tick);
    catalogue.addScan(
      'run',
      { ...record, sensor: 1, returns: tick + 1 },
      Uint32Array.of(2, 5),
      returns,
    );
  }
  return handlers;
}

test('metrics over time are columns, a row a tick, returns by class over all sensors', async () => {
  const handlers = await drivenRun(4);
  const { reply, columns = {} } = await handlers['runs.ticks']({ runId: 'run' }, callContext);
  expect(reply.ticks).toBe(4);
  expect(columns['time_s']).toEqual(Float64Array.of(0.1, 0.2, 0.3, 0.4));
  for (const [row, error] of (columns['position_error_m'] as Float64Array).entries()) {
    const { truth, estimate } = sampleTickRecord(row);
    const [dx, dy] = [0, 1].map((i) => (truth.positionM[i] ?? 0) - (estimate.positionM[i] ?? 0));
    expect(error).toBeCloseTo(Math.sqrt((dx ?? 0) ** 2 + (dy ?? 0) ** 2), 9);
  }
  expect(columns['gps_x_m']).toEqual(Float64Array.of(NaN, NaN, NaN, NaN));
  expect(columns['class_returns']).toHaveLength(4 * reply.classes.length);
  const total = Array.from(columns['class_returns'] ?? [], Number).reduce((sum, n) => sum + n, 0);
  expect(total).toBe(4 * 8 + (0 + 1 + 2 + 3));
});

test('costs are a row a recorded map, found without the clouds', async () => {
  const handlers = await drivenRun(5);
  const { reply, columns = {} } = await handlers['runs.costs']({ runId: 'run' }, callContext);
  expect(reply).toEqual({ maps: 5, plans: 5 });
  expect(columns['plan_time_s']).toEqual(columns['time_s']);
  expect(columns['plan_change_m']).toHaveLength(5);
  expect(columns['time_s']).toEqual(Float64Array.of(0.1, 0.2, 0.3, 0.4, 0.5));
  expect(columns['cost_here']).toHaveLength(5);
});

test('the scenario is given as it was run, and its text reads back to it', async () => {
  const handlers = await drivenRun(1);
  const { reply } = await handlers['runs.scenario']({ runId: 'run' }, callContext);
  expect(reply.document).toEqual(sampleCompiled().scenario);
  expect(parse(reply.text)).toEqual(reply.document);
});

test('an instant has the tick, a share of the points, map and path', async () => {
  const handlers = await drivenRun(5);
  const request = { runId: 'run', timeS: 0.34, maxPoints: 1000 };
  const { reply, columns = {} } = await handlers['runs.at'](request, callContext);
  expect(reply.tick).toEqual(sampleTickRecord(2));
  expect(reply.returns).toBe(columns['x_m']?.length);
  expect(reply.map).toMatchObject({ cells: 20, timeNs: 3e8 });
  expect(columns['cost']).toHaveLength(400);
  expect(columns['path_x_m']).toHaveLength(3);
  const early = Promise.resolve(handlers['runs.at']({ ...request, timeS: 0.05 }, callContext));
  await expect(early).rejects.toMatchObject({ code: 'not-found' });
});

async function replay(
  handlers: Handlers<'runs'>,
  request: object,
  take: (snapshot: RunSnapshot, columns: Columns) => Promise<void> | void = () => undefined,
): Promise<number[]> {
  const ticks: number[] = [];
  const parsed = runQueryRequests['runs.replay'].parse({ runId: 'run', ...request });
  await handlers['runs.replay'](parsed, {
    ...callContext,
    chunk: async (body, columns) => {
      const snapshot = body as RunSnapshot;
      ticks.push(snapshot.tick.tick);
      await take(snapshot, columns);
    },
  });
  return ticks;
}

test('the history of an instant is scans before it, evenly, oldest first, within their points', async () => {
  const handlers = await drivenRun(12);
  const past = async (change: object): Promise<{ timesS: number[]; points: number }> => {
    const timesS: number[] = [];
    let points = 0;
    const request = runQueryRequests['runs.past'].parse({ runId: 'run', ...change });
    const { reply } = await handlers['runs.past'](request, {
      ...callContext,
      chunk: (body, columns) => {
        timesS.push((body as RunPast).timeNs / 1e9);
        points += columns['x_m']?.length ?? 0;
        expect(columns['cost']).toBeUndefined();
        return Promise.resolve();
      },
    });
    expect(reply.scans).toBe(timesS.length);
    return { timesS, points };
  };
  const all = await past({ toS: 0.6, maxScans: 50, maxPoints: 100_000 });
  expect(all.timesS).toEqual([0.1, 0.2, 0.3, 0.4, 0.5]);
  const few = await past({ fromS: 0.2, toS: 1.2, maxScans: 4, maxPoints: 8 });
  expect(few.timesS).toEqual([0.2, 0.5, 0.8, 1.1]);
  expect(few.points).toBeGreaterThan(0);
  expect(few.points).toBeLessThanOrEqual(8);
  expect(await past({ toS: 0.1, maxScans: 4, maxPoints: 8 })).toEqual({ timesS: [], points: 0 });
});

test('the history is cancelled with its caller', async () => {
  const handlers = await drivenRun(12);
  const controller = new AbortController();
  let sent = 0;
  const request = { runId: 'run', fromS: 0, toS: 1.2, maxScans: 50, maxPoints: 100 };
  const reading = handlers['runs.past'](request, {
    ...callContext,
    signal: controller.signal,
    chunk: () => {
      sent += 1;
      if (sent === 2) controller.abort();
      return Promise.resolve();
    },
  });
  await expect(reading).rejects.toMatchObject({ code: 'cancelled' });
  expect(sent).toBe(2);
});

test('a replay keeps its speed: a slow taker misses ticks, and never the last', async () => {
  const handlers = await drivenRun(20);
  const start = performance.now();
  const all = await replay(handlers, { fromS: 0.5, speed: 4 });
  // From 0.5 s to 2 s at four times the speed.
  expect(performance.now() - start).toBeGreaterThan(375 - 30);
  expect(all[0]).toBe(4);
  expect(all.at(-1)).toBe(19);
  const slow = await replay(handlers, { speed: 10 }, () => pause(60));
  expect(slow.length).toBeLessThan(8);
  expect(slow).toEqual([...slow].sort((a, b) => a - b));
  expect(slow.at(-1)).toBe(19);
});

test('a replay sends map and path only when they change, and ends at the given time', async () => {
  const handlers = await drivenRun(6);
  const sent: boolean[] = [];
  const ticks = await replay(handlers, { toS: 0.3, speed: 1000 }, (snapshot, columns) => {
    expect(snapshot.map).not.toBeNull();
    sent.push(columns['cost'] !== undefined);
  });
  expect(ticks.at(-1)).toBe(2);
  expect(sent[0]).toBe(true);
});

test('a cancelled replay ends at once', async () => {
  const handlers = await drivenRun(20);
  const controller = new AbortController();
  const parsed = runQueryRequests['runs.replay'].parse({ runId: 'run', speed: 0.01, fromS: 0.1 });
  const playing = handlers['runs.replay'](parsed, {
    ...callContext,
    signal: controller.signal,
    chunk: () => {
      controller.abort();
      return Promise.resolve();
    },
  });
  await expect(playing).rejects.toMatchObject({ code: 'cancelled' });
});
