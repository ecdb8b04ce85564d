// A camera that folds at 10 m reported a wall at 10.1 m at 0.1 m, nearer than its minimum range of 0.3 m.
import { expect, it } from 'vitest';
import type { SensorRecipe } from '#contract/worker/sensorRecipe.ts';
import {
  noiseOf,
  openWorker,
  scanScene,
  sceneOf,
  singleBeam,
  slab,
  standingAt,
} from '#test/physics/bench.ts';

const camera: SensorRecipe = {
  ...singleBeam(1000, 0.001, { mode: 'strongest', signalCutoffM: 1, window: false }),
  minRangeM: 0.3,
  maxRangeM: 20,
  backfoldM: 10,
};

it('folds ranges into the limits, or loses the return', async () => {
  const worker = await openWorker();
  const noise = noiseOf({ rangeSigmaM: 0.1 });
  const scanned = async (wallM: number, sensor: SensorRecipe): Promise<number[]> => {
    const scene = sceneOf([slab(wallM, 'both')]);
    const at = standingAt([0, 0, 0]);
    const { table } = await scanScene(worker, scene, sensor, at, 1, ['range_m']);
    return table['range_m'] ?? [];
  };
  try {
    expect(await scanned(10.1, camera)).toEqual([]);
    const [rangeM] = await scanned(10.5, camera);
    expect(rangeM).toBeCloseTo(0.5, 5);
    // Around the limit the errors decide: half of the returns.
    const noisy = await scanned(10.3, { ...camera, noise });
    expect(Math.min(...noisy)).toBeGreaterThanOrEqual(Math.fround(0.3));
    expect(Math.abs(noisy.length - 500)).toBeLessThan(4 * Math.sqrt(250));
  } finally {
    await worker.dispose();
  }
});
