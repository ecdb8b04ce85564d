// An intensity that saturated at 0.55 was rounded to 0.6 by steps of 0.1.
import { expect, it } from 'vitest';
import type { SensorRecipe } from '#contract/worker/recipe.ts';
import {
  openWorker,
  scanScene,
  sceneOf,
  singleBeam,
  slab,
  standingAt,
} from '#test/physics/bench.ts';

it('reports no intensity above the saturation', async () => {
  const worker = await openWorker();
  const sensor: SensorRecipe = {
    ...singleBeam(1000, 0.001, { mode: 'strongest', signalCutoffM: 1, window: false }),
    intensity: { noiseSigma: 0.2, noiseShare: 0, saturation: 0.55, step: 0.1 },
  };
  try {
    const scene = sceneOf([slab(10, 'both')], [0.5]);
    const at = standingAt([0, 0, 0]);
    const { table } = await scanScene(worker, scene, sensor, at, 1, ['intensity']);
    const intensities = new Set(table['intensity']?.map((value) => Math.round(value * 10)));
    // Half of the returns are at the last step within the saturation.
    expect(Math.max(...intensities)).toBe(5);
    expect(intensities.size).toBeGreaterThan(4);
  } finally {
    await worker.dispose();
  }
});
