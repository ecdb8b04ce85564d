// The law of grass: a beam without width in Poisson stems of diameter d and density λ meets the first at a
// depth that is exponential with rate λd (Goodin 2018, equation 2 for a = 0). Every beam has its own
// stems: a wide stand, one beam every 6 cm, fired from a sensor that moves along it (rolling poses).
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ScanWorker } from '#services/ports/workers.ts';
import { openWorker, scanScene, sceneOf, singleBeam, testRandom } from './bench.ts';
import { straight } from '#validation/trajectories.ts';
import { ksDistance } from '#domain/metrics/distribution.ts';

const standoffM = 20;
const depthM = 5;
const densityPerM2 = 50;
const diameterM = 0.02;
const spacingM = 0.06;
const beams = 3000;

let worker: ScanWorker;
beforeAll(async () => {
  worker = await openWorker();
});
afterAll(() => worker.dispose());

function stand(seed: number): ReturnType<typeof sceneOf> {
  const random = testRandom(seed);
  const widthM = beams * spacingM + 2;
  const sides = 48;
  const stem = {
    kind: 'cylinder',
    // The silhouette of a regular polygon is narrower than its circle: (2/π)·tan(π/n)·n/2 … mean width 2r·n/π·sin(π/n).
    radiusM: ((diameterM / 2) * Math.PI) / (sides * Math.sin(Math.PI / sides)),
    heightM: 1,
    sides,
    caps: false,
    material: 0,
  } as const;
  const at = Array.from({ length: Math.round(densityPerM2 * widthM * depthM) }, () => {
    const xM = standoffM + random() * depthM;
    return { positionM: [xM, random() * widthM - 1, -0.5] as [number, number, number] };
  });
  return sceneOf([{ source: stem, at }]);
}

describe('range of a thin beam in grass', () => {
  it.each([1, 2, 3])('is exponential behind the edge of the stand (seed %i)', async (seed) => {
    const rateHz = 1000;
    const seconds = beams / rateHz;
    const sensor = singleBeam(rateHz, 0, { mode: 'closest', signalCutoffM: 0, window: false });
    const path = straight([0, 0, 0], [0, beams * spacingM, 0], seconds * 1e9);
    const { table } = await scanScene(worker, stand(seed), sensor, path, seconds, ['true_range_m']);
    const rate = densityPerM2 * diameterM;
    const reachM = depthM - diameterM;
    // To the axis of the stem, which lies on average π/4 of a radius behind the surface.
    const depths = (table['true_range_m'] ?? [])
      .map((rangeM) => rangeM - standoffM + (Math.PI / 4) * (diameterM / 2))
      .filter((xM) => xM < reachM);
    const total = 1 - Math.exp(-rate * reachM);
    const distance = ksDistance(depths, (xM) => (1 - Math.exp(-rate * Math.max(0, xM))) / total);
    expect(depths.length).toBeGreaterThan(0.95 * beams);
    expect(distance).toBeLessThan(1.95 / Math.sqrt(depths.length)); // 0.1 % level
  });
});
