// Panoramas of a tripod: one and two threads, whole and split intervals give the same bytes. Their law is in the
// validation (src-main/validation/receiver/aim.ts).
import { describe, expect, it } from 'vitest';
import { returnColumnNames } from '#contract/columns.ts';
import type { SensorRecipe } from '#contract/worker/sensorRecipe.ts';
import { compileScenario, openWorker, scanBytes, sensorRecipe } from '#test/workers/realWorker.ts';
import { singleBeam, standingAt } from './bench.ts';

const { worker } = await openWorker(await compileScenario('box'));

const [pulseRateHz, linesPerSecond, activeShare, seconds] = [120_000, 48, 0.4, 0.75];
const [fromDeg, toDeg, minDeg, maxDeg] = [170, -100, -40, 60];
const radians = (angleDeg: number): number => (angleDeg * Math.PI) / 180;

function panorama(parts: Partial<SensorRecipe> = {}): SensorRecipe {
  return {
    ...singleBeam(1, 0.0003, { mode: 'strongest', signalCutoffM: 0, window: false }),
    scan: {
      kind: 'panorama',
      rateHz: 1 / seconds,
      pulseRateHz,
      linesPerSecond,
      activeShare,
      minElevationRad: radians(minDeg),
      maxElevationRad: radians(maxDeg),
      fromRad: radians(fromDeg),
      toRad: radians(toDeg),
    },
    slotsPerSecond: pulseRateHz * activeShare,
    ...parts,
  };
}

describe('a panorama', () => {
  it('gives the same bytes by any path, thread and interval', async () => {
    const { worker: single } = await openWorker(await compileScenario('box'), { threads: 1 });
    const { worker: double } = await openWorker(await compileScenario('box'), { threads: 2 });
    try {
      const sensor = panorama({
        ...(await sensorRecipe('vz-400i')),
        scan: panorama().scan,
        slotsPerSecond: pulseRateHz * activeShare,
        clock: { phaseNs: 1_234_567, offsetNs: 0, driftPpm: 0 },
      });
      const order = { sensor, misses: true, trajectory: standingAt([0.5, -2, 1.5]) };
      const toNs = 900e6; // into the next panorama
      const whole = await scanBytes(single, { ...order, toNs });
      expect(whole.result.returns).toBeGreaterThan(10_000);
      expect((await scanBytes(double, { ...order, toNs })).digests).toEqual(whole.digests);

      const rows = async (fromNs: number, untilNs: number): Promise<Record<string, number[]>> => {
        const found: Record<string, number[]> = {};
        await double.call(
          'scan',
          { sensor, misses: true, fromNs, toNs: untilNs, seed: 1, columns: returnColumnNames },
          order.trajectory,
          {
            onChunk: ({ columns: table }) => {
              for (const name of returnColumnNames) {
                for (const value of table[name] ?? []) (found[name] ??= []).push(Number(value));
              }
            },
          },
        );
        return found;
      };
      const all = await rows(0, toNs);
      const parts = [
        await rows(0, 123_456_789),
        await rows(123_456_789, 760e6),
        await rows(760e6, toNs),
      ];
      for (const name of returnColumnNames) {
        expect(
          parts.flatMap((part) => part[name] ?? []),
          name,
        ).toEqual(all[name]);
      }
    } finally {
      await Promise.all([single.dispose(), double.dispose()]);
    }
  });

  it('is refused with other lasers than one', async () => {
    const two = panorama({ banks: [{ elevationsRad: [0, 0.1], rings: [0, 1] }] });
    await expect(worker.call('sensor.describe', { sensor: two }, {})).rejects.toMatchObject({
      code: 'bad-input',
      message: expect.stringContaining('one laser without offsets') as unknown,
    });
  });
});
