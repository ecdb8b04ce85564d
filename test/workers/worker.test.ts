// The real worker over the real pipe: hello, scenes, scans against closed forms, cancelling, failures.
import { describe, expect, it } from 'vitest';
import { instancesOf } from '#services/scans/instancesOf.ts';
import { returnColumnNames } from '#contract/columns.ts';
import { instanceColumnNames, isas } from '#contract/worker/worker.ts';
import { startWorker } from '#test/support/worker.ts';
import {
  compileScenario,
  openWorker,
  scanBytes,
  scanRows,
  sensorRecipe,
  standingAt,
} from './realWorker.ts';

const box = await compileScenario('box');
const { worker } = await openWorker(box);

describe('worker', () => {
  it('says hello', () => {
    expect(worker.hello.worker).toBe('scanWorker');
    expect(isas).toContain(worker.hello.isa);
    expect(worker.hello.threads).toBeGreaterThan(0);
  });

  it('plans a scene without building it, with the same sizes', async () => {
    const request = { recipe: box.compiled.recipe, memoryLimitBytes: 1e9 };
    const { heights } = box;
    const { body: planned } = await worker.call('scene.plan', request, { heights });
    const { body: built } = await worker.call('scene.build', request, { heights });
    expect(planned.buildSeconds).toBe(0);
    expect(planned.instancedTriangles).toBe(built.instancedTriangles);
    expect(planned.instances).toBe(4); // ground, wall, box, sphere
    // Two triangles for the plane, twelve for each of wall and box; the rest is the sphere's.
    expect(built.instancedTriangles).toBeGreaterThan(2 + 12 + 12);
  });

  it('hands over the instances, one row each', async () => {
    const columns = await instancesOf(worker);
    expect(Object.keys(columns)).toEqual([...instanceColumnNames]);
    const names = new Map(box.compiled.recipe.instances.map(({ id, name }) => [id, name]));
    const row = [...(columns.instance_id ?? [])].findIndex((id) => names.get(Number(id)) === 'box');
    expect(columns.min_x_m?.[row]).toBe(5);
    expect(columns.max_z_m?.[row]).toBe(1.5);
  });

  it('refuses a scene that would not fit, with its sizes', async () => {
    const request = { recipe: box.compiled.recipe, memoryLimitBytes: 1000 };
    const { heights } = box;
    await expect(worker.call('scene.build', request, { heights })).rejects.toMatchObject({
      code: 'scene-too-large',
    });
    await worker.call('scene.build', { ...request, memoryLimitBytes: 1e9 }, { heights });
  });

  it('measures the ground, the box and the wall where they are', async () => {
    const sensor = await sensorRecipe('vlp-16-goodin2018');
    // Without divergence all nine rays are the axis, and the closed forms hold to single precision.
    sensor.beam = { ...sensor.beam, divergenceHorizontalRad: 0, divergenceVerticalRad: 0 };
    const rows = await scanRows(worker, { sensor, toNs: 100e6, trajectory: standingAt(0, 0, 1) });
    const idOf = (name: string): number =>
      box.compiled.recipe.instances.find((instance) => instance.name === name)?.id ?? -1;
    const groundId = box.compiled.recipe.instances[box.compiled.recipe.ground]?.id ?? -1;
    const seen = { ground: 0, box: 0, wall: 0 };
    rows.object_id.forEach((id, row) => {
      const azimuth = rows.azimuth_rad[row] ?? NaN;
      const elevation = rows.elevation_rad[row] ?? NaN;
      const range = rows.range_m[row] ?? NaN;
      const expectRange = (expected: number): void =>
        expect(Math.abs(range / expected - 1)).toBeLessThan(2e-6); // a few units of single precision
      if (id === groundId) {
        expectRange(1 / Math.sin(-elevation));
        seen.ground += 1;
      } else if (id === idOf('box') && Math.abs(rows.normal_x[row] ?? 0) > 0.5) {
        expectRange(5 / (Math.cos(elevation) * Math.cos(azimuth)));
        seen.box += 1;
      } else if (id === idOf('wall') && Math.abs(rows.normal_y[row] ?? 0) > 0.5) {
        expectRange(10 / (Math.cos(elevation) * Math.sin(azimuth)));
        seen.wall += 1;
      }
    });
    expect(Math.min(...Object.values(seen))).toBeGreaterThan(100);
  });

  it('counts the returns of each instance', async () => {
    const sensor = await sensorRecipe('vlp-16-goodin2018');
    const order = { sensor, toNs: 100e6, trajectory: standingAt(0, 0, 1) };
    const { object_id } = await scanRows(worker, order);
    const { result, objects, rows } = await scanBytes(worker, order);
    const counted = new Map<number, number>();
    for (const id of object_id) counted.set(id, (counted.get(id) ?? 0) + 1);
    expect(new Map([...objects.object_id].map((id, k) => [id, objects.object_returns[k]]))).toEqual(
      counted,
    );
    expect(rows).toBe(result.returns);
    expect(result.rays).toBe(9 * result.pulses);
  });

  it('hands over only the columns asked for, and a row for each miss when asked', async () => {
    const sensor = await sensorRecipe('vlp-16-goodin2018');
    const order = { sensor, toNs: 100e6, trajectory: standingAt(0, 0, 1) };
    const { digests } = await scanBytes(worker, { ...order, columns: ['range_m', 'pulse'] });
    expect(Object.keys(digests)).toEqual(['range_m', 'pulse']);
    const all = await scanRows(worker, { ...order, misses: true });
    const { result } = await scanBytes(worker, order);
    expect(new Set(all.pulse).size).toBe(result.pulses);
    const misses = all.return_no.filter((number) => number === 0).length;
    expect(all.pulse.length - misses).toBe(result.returns);
    expect(Object.keys(all)).toEqual(returnColumnNames);
  });

  it('stops a scan when it is cancelled, twice, and runs the next', async () => {
    const sensor = await sensorRecipe('vlp-16-goodin2018');
    const order = { sensor, toNs: 20e9, chunkPulses: 500, trajectory: standingAt(0, 0, 1) };
    const { pid } = worker;
    for (let time = 0; time < 2; time++) {
      const controller = new AbortController();
      const scan = scanBytes(worker, {
        ...order,
        signal: controller.signal,
        onChunk: (chunk) => {
          if (chunk >= 3) controller.abort();
        },
      });
      await expect(scan).rejects.toMatchObject({ code: 'cancelled' });
      controller.abort();
    }
    const { rows } = await scanBytes(worker, { ...order, toNs: 100e6 });
    expect(rows).toBeGreaterThan(0);
    expect(worker.pid).toBe(pid);
  });

  it('ends a scan with the failure of its taker', async () => {
    const sensor = await sensorRecipe('vlp-16-goodin2018');
    const onChunk = (): never => {
      throw new Error('the consumer failed');
    };
    const order = { sensor, toNs: 1e9, chunkPulses: 500, trajectory: standingAt(0, 0, 1) };
    await expect(scanBytes(worker, { ...order, onChunk })).rejects.toThrow('the consumer failed');
    await scanBytes(worker, { ...order, toNs: 100e6 });
  });

  it('is refused where it is not built, with the path', async () => {
    await expect(startWorker({ binary: '/nowhere/scanWorker' })).rejects.toMatchObject({
      code: 'unsupported',
      message: expect.stringContaining('/nowhere/scanWorker') as string,
    });
  });
});
