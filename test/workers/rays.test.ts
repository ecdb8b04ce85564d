// scan.rays through the real worker: the rays behind the returns, leaf by leaf.
import { describe, expect, it } from 'vitest';
import { rayColumnNames, type RayTable } from '#contract/columns.ts';
import type { SceneRecipe } from '#contract/worker/recipe.ts';
import type { SensorRecipe } from '#contract/worker/sensorRecipe.ts';
import { startWorker } from '#test/support/worker.ts';
import { sceneOf, singleBeam, slab, standingAt } from '../physics/bench.ts';

const sensor: SensorRecipe = {
  ...singleBeam(1000, 0.02, {
    mode: 'all',
    signalCutoffM: 1,
    window: false,
    rangeResolutionM: 0.5,
    maxReturns: 4,
  }),
  maxRangeM: 50,
};

const worker = await startWorker();

async function raysOf(
  scene: SceneRecipe,
  options: { pulses: number; chunkPulses?: number },
): Promise<RayTable[]> {
  const built = { recipe: scene, memoryLimitBytes: 1e9 };
  await worker.call('scene.build', built, { heights: new Float32Array() });
  const { pulses, chunkPulses = 1000 } = options;
  const chunks: RayTable[] = [];
  const { body: reply } = await worker.call(
    'scan.rays',
    { sensor, fromNs: 0, toNs: pulses * 1e6, seed: 1, chunkPulses },
    standingAt([0, 0, 0]),
    { onChunk: ({ columns }) => void chunks.push(columns) },
  );
  expect(reply.pulses).toBe(pulses);
  expect(reply.rays).toBe(9 * pulses);
  expect(reply.rows).toBe(chunks.reduce((sum, { pulse }) => sum + pulse.length, 0));
  return chunks;
}

describe('scan.rays', () => {
  it('has every ray of a pulse with its weight and the return that it went into', async () => {
    // An edge: three rays on the left meet the near slab, three on the right the far one; three lie on the edge.
    const [rays] = await raysOf(sceneOf([slab(10, 'left'), slab(13, 'right')]), { pulses: 1 });
    if (rays === undefined) throw new Error('nothing came');
    expect(Object.keys(rays)).toEqual(rayColumnNames);
    expect([...rays.ray]).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8]);
    expect(rays.weight.reduce((sum, weight) => sum + weight, 0)).toBeCloseTo(1, 6);
    expect([...rays.hit_no]).toEqual(Array(9).fill(1));
    expect([...rays.share]).toEqual(Array(9).fill(1));
    for (const [row, left] of rays.left_m.entries()) {
      const up = rays.up_m[row] ?? NaN;
      if (Math.abs(left) < 1e-9) continue;
      const wallM = left > 0 ? 10 : 13;
      // Along a ray: farther by 1/cos of its angle to the axis.
      expect(rays.range_m[row]).toBeCloseTo(wallM * Math.hypot(1, left, up), 5);
      expect(rays.intensity[row]).toBeCloseTo(0.5 / Math.hypot(1, left, up), 6);
      expect(rays.return_no[row]).toBe(left > 0 ? 1 : 2);
      expect(rays.hit_x_m[row]).toBeCloseTo(wallM, 5);
      expect(rays.hit_y_m[row]).toBeCloseTo(wallM * left, 5);
      expect(rays.hit_z_m[row]).toBeCloseTo(wallM * up, 5);
      expect(rays.incidence_rad[row]).toBeCloseTo(Math.atan(Math.hypot(left, up)), 3);
    }
  });

  it('follows a ray through gauze', async () => {
    const scene = sceneOf([slab(10, 'both'), slab(13, 'both')]);
    const [material] = scene.materials;
    if (material === undefined) throw new Error('no material');
    const gauze = { ...scene, materials: [{ ...material, gapFraction: 0.25 }] };
    const [rays] = await raysOf(gauze, { pulses: 1 });
    if (rays === undefined) throw new Error('nothing came');
    const axis = [...rays.ray].flatMap((ray, row) => (ray === 0 ? [row] : []));
    // A slab has a front and a back.
    expect(axis.map((row) => rays.hit_no[row])).toEqual([1, 2, 3, 4]);
    const shares = axis.map((row) => rays.share[row] ?? NaN);
    for (const [hit, share] of shares.entries()) expect(share).toBeCloseTo(0.75 * 0.25 ** hit, 6);
  });

  it('gives the same rows in any chunks', async () => {
    const scene = sceneOf([slab(10, 'left'), slab(13, 'right')]);
    const [whole] = await raysOf(scene, { pulses: 200 });
    const cut = await raysOf(scene, { pulses: 200, chunkPulses: 7 });
    expect(cut).toHaveLength(Math.ceil(200 / 7));
    for (const name of rayColumnNames) {
      expect(cut.flatMap((chunk) => Array.from<number | bigint>(chunk[name]))).toEqual(
        Array.from<number | bigint>(whole?.[name] ?? []),
      );
    }
  });

  it('has a row of each ray that met nothing', async () => {
    const [beside] = await raysOf(sceneOf([slab(10, 'left')]), { pulses: 1 });
    expect([...(beside?.ray ?? [])]).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8]);
    const right = [...(beside?.left_m ?? [])].flatMap((left, row) => (left < -1e-9 ? [row] : []));
    expect(right.map((row) => beside?.hit_no[row])).toEqual([0, 0, 0]);
    const [rays] = await raysOf(sceneOf([slab(-20, 'both')]), { pulses: 3 });
    expect(rays?.ray.length).toBe(27);
    expect(rays?.hit_no.every((number) => number === 0)).toBe(true);
    expect(rays?.range_m.every((rangeM) => Number.isNaN(rangeM))).toBe(true);
  });
});
