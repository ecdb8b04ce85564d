// An intensity that saturated at 0.55 was rounded to 0.6 by steps of 0.1. A saturation of 0.3 is a step of its own,
// though 0.3 / 0.1 is a little less than 3.
import { expect, it } from 'vitest';
import type { SensorRecipe } from '#contract/worker/sensorRecipe.ts';
import {
  openWorker,
  scanScene,
  sceneOf,
  singleBeam,
  slab,
  standingAt,
} from '#test/physics/bench.ts';

it.each([
  [0.55, 5],
  [0.3, 3],
])('a saturation of %f lies at step %i', async (saturation, lastStep) => {
  const worker = await openWorker();
  const sensor: SensorRecipe = {
    ...singleBeam(1000, 0.001, { mode: 'strongest', signalCutoffM: 1, window: false }),
    intensity: { noiseSigma: 0.2, noiseShare: 0, saturation, step: 0.1 },
  };
  try {
    const scene = sceneOf([slab(10, 'both')], [0.5]);
    const at = standingAt([0, 0, 0]);
    const { table } = await scanScene(worker, scene, sensor, at, 1, ['intensity']);
    const steps = table['intensity']?.map((value) => Math.round(value * 10)) ?? [];
    expect(Math.max(...steps)).toBe(lastStep);
    expect(Math.min(...steps)).toBeLessThan(lastStep);
  } finally {
    await worker.dispose();
  }
});
