// Goodin 2018, section 3.4.2: nine rods before a flat background, seen by a LMS-291 (mode `first`).
// Mixed pixels (ranges strictly between rod and background) occur at 0.60 m and not at all at 2.0 m,
// because the averaging window is 1.6 m long.
import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import type { SensorRecipe } from '#contract/worker/recipe.ts';
import { sensorSchema } from '#contract/documents/sensor.ts';
import { compileSensor } from '#domain/sensor/compileSensor.ts';
import type { ScanWorker } from '#services/ports/workers.ts';
import { openWorker, scanScene, sceneOf, standingAt } from './bench.ts';

const rodDistanceM = 0.8;
const rodSpacingM = 0.127;
const wallThicknessM = 0.2;

let worker: ScanWorker;
let lms: SensorRecipe;

beforeAll(async () => {
  worker = await openWorker();
  const file = new URL('../../assets/sensors/lms-291-goodin2018.yaml', import.meta.url);
  const compiled = compileSensor(sensorSchema.parse(parse(await readFile(file, 'utf8'))));
  if (compiled.value === null) throw new Error(JSON.stringify(compiled.problems));
  lms = compiled.value;
});
afterAll(() => worker.dispose());

/** One scan; a pixel is mixed when its range leads to a place between the rods and the background. */
async function mixedPixels(backgroundM: number): Promise<{ mixed: number; pulses: number }> {
  const thin = {
    kind: 'cylinder',
    radiusM: 0.0125,
    heightM: 2,
    sides: 64,
    caps: true,
    material: 0,
  } as const;
  const thick = { ...thin, radiusM: 0.0375 };
  const offsets = [-4, -3, -2, -1, 1, 2, 3, 4].map((n) => n * rodSpacingM);
  const wallFrontM = rodDistanceM + backgroundM;
  const recipe = sceneOf([
    { source: thin, at: offsets.map((yM) => ({ positionM: [rodDistanceM, yM, -1] })) },
    { source: thick, at: [{ positionM: [rodDistanceM, 0, -1] }] },
    {
      source: { kind: 'box', sizeM: [wallThicknessM, 40, 4], material: 0 },
      at: [{ positionM: [wallFrontM + wallThicknessM / 2, 0, 0] }],
    },
  ]);
  const scanSeconds = 1 / lms.scan.rateHz;
  const { table, result } = await scanScene(
    worker,
    recipe,
    lms,
    standingAt([0, 0, 0]),
    scanSeconds,
    ['range_m', 'azimuth_rad'],
  );
  const ranges = table['range_m'] ?? [];
  const azimuths = table['azimuth_rad'] ?? [];
  // Along x, a rod ends at most 3.75 cm behind its axis; 1 cm is left for the obliqueness of the spot.
  const mixed = ranges.filter((rangeM, index) => {
    const xM = rangeM * Math.cos(azimuths[index] ?? 0);
    return xM > rodDistanceM + 0.0375 + 0.01 && xM < wallFrontM - 0.01;
  });
  return { mixed: mixed.length, pulses: result.pulses };
}

describe('rods before a background (Goodin 2018, figure 7)', () => {
  it('gives mixed pixels at 0.60 m', async () => {
    const { mixed, pulses } = await mixedPixels(0.6);
    expect(pulses).toBe(201);
    // 18 to 23 of 201 by azimuth phase, with the default stencil.
    expect(mixed).toBeGreaterThanOrEqual(15);
    expect(mixed).toBeLessThanOrEqual(26);
  });

  it('gives none at 2.0 m, beyond the signal cutoff', async () => {
    expect((await mixedPixels(2)).mixed).toBe(0);
  });

  it('gives none from 1.60 m on and some just before', async () => {
    expect((await mixedPixels(1.65)).mixed).toBe(0);
    expect((await mixedPixels(1.3)).mixed).toBeGreaterThan(0);
  });
});
