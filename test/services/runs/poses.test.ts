// Poses of a recorded run: as recorded, in an interval, at steps between ticks.
import { expect, it } from 'vitest';
import type { Columns } from '#contract/columns.ts';
import { UnderstoryError } from '#contract/errors.ts';
import type { RequestInputOf } from '#contract/host/methods.ts';
import type { PosesOf } from '#contract/host/runMethods.ts';
import { type Handlers } from '#services/handlers.ts';
import { sampleTick } from '#test/recordings/samples.ts';
import { recordedRun } from '#test/services/recordedRun.ts';
import { ask } from '#test/support/context.ts';

interface PosedObject {
  of: PosesOf;
  timesNs: number[];
  poses: number[][];
}

async function posesOf(
  handlers: Handlers<'runs'>,
  request: Omit<RequestInputOf<'runs.poses'>, 'runId'> = {},
): Promise<PosedObject[]> {
  const objects: PosedObject[] = [];
  const chunk = (body: unknown, columns: Columns) => {
    const names = ['x_m', 'y_m', 'z_m', 'qx', 'qy', 'qz', 'qw'];
    const timesNs = [...(columns['time_ns'] as BigInt64Array)].map(Number);
    const poses = timesNs.map((_, row) => names.map((name) => Number(columns[name]?.[row])));
    objects.push({ of: body as PosesOf, timesNs, poses });
    return Promise.resolve();
  };
  const reply = await ask(handlers, 'runs.poses', { runId: 'run', ...request }, { chunk });
  expect(reply.objects).toBe(objects.length);
  expect(reply.poses).toBe(objects.reduce((sum, { poses }) => sum + poses.length, 0));
  return objects;
}

it('gives truth, estimate and every sensor, tick by tick, bit for bit', async () => {
  const { handlers } = await recordedRun({ ticks: 4, rows: 1 });
  const objects = await posesOf(handlers);
  expect(objects.map(({ of }) => [of.kind, of.name])).toEqual([
    ['vehicle', 'vehicle'],
    ['estimate', 'estimate'],
    ['sensor', 'vlp-16'],
    ['sensor', 'front.scanner'],
  ]);
  for (let tick = 0; tick < 4; tick += 1) {
    const { timeNs, truth, estimate, sensorPoses } = sampleTick(tick);
    for (const [index, pose] of [truth, estimate, ...sensorPoses].entries()) {
      expect(objects[index]?.timesNs[tick]).toBe(timeNs);
      expect(objects[index]?.poses[tick]).toEqual([...pose.positionM, ...pose.rotation]);
    }
  }
});

it('gives chosen objects in an interval, ends included', async () => {
  const { handlers } = await recordedRun({ ticks: 5, rows: 1 });
  const objects = await posesOf(handlers, { objects: ['*scan*', 'vehicle'], fromS: 0.2, toS: 0.4 });
  expect(objects.map(({ of }) => of.name)).toEqual(['vehicle', 'front.scanner']);
  expect(objects[0]?.timesNs).toEqual([2e8, 3e8, 4e8]);
});

it('at steps: positions in proportion, unit rotations, nothing outside of what was recorded', async () => {
  const { handlers } = await recordedRun({ ticks: 3, rows: 1 });
  const [vehicle] = await posesOf(handlers, {
    objects: ['vehicle'],
    fromS: 0.05,
    toS: 9,
    stepS: 0.025,
  });
  expect(vehicle?.timesNs).toEqual([1, 1.25, 1.5, 1.75, 2, 2.25, 2.5, 2.75, 3].map((t) => t * 1e8));
  const [first, second] = [sampleTick(0).truth, sampleTick(1).truth];
  const quarter = vehicle?.poses[1] ?? [];
  for (const axis of [0, 1, 2] as const) {
    const expected = 0.75 * first.positionM[axis] + 0.25 * second.positionM[axis];
    expect(quarter[axis]).toBeCloseTo(expected, 12);
  }
  for (const pose of vehicle?.poses ?? []) expect(Math.hypot(...pose.slice(3))).toBeCloseTo(1, 14);
  // A turn about z alone stays one, and lies between its ends.
  expect(quarter.slice(3, 5)).toEqual([0, 0]);
});

it.each([
  ['a name that nothing has', { objects: ['vehicle', 'tree-9'] }, 'objects[1]'],
  ['a pattern that nothing matches', { objects: ['tree-*'] }, 'objects[0]'],
  ['more steps than can be meant', { fromS: 0, toS: 1, stepS: 1e-8 }, 'stepS'],
  ['an interval that ends before it begins', { fromS: 1, toS: 0.5 }, 'toS'],
])('refuses %s', async (_, request, path) => {
  const { handlers } = await recordedRun({ ticks: 1, rows: 1 });
  const failure = await posesOf(handlers, request).catch((error: unknown) => error);
  expect(failure).toBeInstanceOf(UnderstoryError);
  const { code, details } = failure as UnderstoryError;
  expect(code).toBe('bad-input');
  expect((details?.['problems'] as { path: string }[]).map((problem) => problem.path)).toEqual([
    path,
  ]);
});
