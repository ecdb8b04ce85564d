// Panoramas of a tripod, traced inside a box, against their law in double precision: number, time and direction of every
// pulse; one and two threads, whole and split intervals, fast path and whole paths give the same bytes.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { returnColumnNames } from '#contract/columns.ts';
import type { SensorRecipe } from '#contract/worker/recipe.ts';
import type { ScanWorker } from '#services/ports/workers.ts';
import { compileScenario, openWorker, scanBytes, sensorRecipe } from '#test/workers/realWorker.ts';
import { scanScene, sceneOf, singleBeam, standingAt } from './bench.ts';

let worker: ScanWorker;
beforeAll(async () => {
  ({ worker } = await openWorker(await compileScenario('box')));
});
afterAll(() => worker.dispose());

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

/** Times of the pulses in seconds: ticks of the laser at which the mirror sweeps its field of view. */
function lawTimes(): number[] {
  const ticks = Array.from({ length: pulseRateHz * seconds }, (_, tick) => tick);
  return ticks
    .filter((tick) => (tick * linesPerSecond) % pulseRateHz < activeShare * pulseRateHz)
    .map((tick) => tick / pulseRateHz);
}

function lawDirection(timeS: number, phase: number): [number, number, number] {
  const elevation = radians(minDeg + ((maxDeg - minDeg) * phase) / activeShare);
  const head = radians(fromDeg + ((toDeg - fromDeg) * timeS) / seconds);
  const level = Math.cos(elevation);
  return [level * Math.cos(head), level * Math.sin(head), Math.sin(elevation)];
}

describe('a panorama', () => {
  it('has the pulses of its law', async () => {
    const room = sceneOf([
      {
        source: { kind: 'box', sizeM: [20, 20, 20], material: 0 },
        at: [{ positionM: [0, 0, 0] }],
      },
    ]);
    const columns = [
      ...(['time_ns', 'pulse', 'ring', 'azimuth_rad', 'elevation_rad', 'range_m'] as const),
      ...(['x_m', 'y_m', 'z_m'] as const),
      ...(['beam_direction_x', 'beam_direction_y', 'beam_direction_z'] as const),
    ];
    const { table, result } = await scanScene(
      worker,
      room,
      panorama(),
      standingAt([0, 0, 0]),
      seconds,
      columns,
    );
    const times = lawTimes();
    expect(times).toHaveLength(36_000);
    expect(result.pulses).toBe(times.length);
    expect(table['pulse']).toEqual(times.map((_, pulse) => pulse));
    let worstRad = 0;
    let worstM = 0;
    for (const [row, timeS] of times.entries()) {
      expect(Math.abs((table['time_ns']?.[row] ?? 0) - timeS * 1e9)).toBeLessThan(0.5001);
      // Whole numbers, so that no rounding moves a pulse to another line.
      const phase =
        ((Math.round(timeS * pulseRateHz) * linesPerSecond) % pulseRateHz) / pulseRateHz;
      const law = lawDirection(timeS, phase);
      const at = (name: string): number => table[name]?.[row] ?? NaN;
      const found = [at('beam_direction_x'), at('beam_direction_y'), at('beam_direction_z')];
      worstRad = Math.max(
        worstRad,
        Math.hypot(...law.map((part, axis) => part - (found[axis] ?? 0))),
      );
      const [azimuth, elevation] = [at('azimuth_rad'), at('elevation_rad')];
      const reported = [
        Math.cos(elevation) * Math.cos(azimuth),
        Math.cos(elevation) * Math.sin(azimuth),
        Math.sin(elevation),
      ];
      worstRad = Math.max(
        worstRad,
        Math.hypot(...law.map((part, axis) => part - (reported[axis] ?? 0))),
      );
      const rangeM = 10 / Math.max(...law.map(Math.abs));
      worstM = Math.max(
        worstM,
        Math.hypot(...law.map((part, axis) => part * rangeM - at(`${'xyz'[axis]}_m`))),
      );
    }
    // Angles up to π are rounded to 2.4e-7 in the file.
    expect(worstRad).toBeLessThan(1e-6);
    // The spot of 3 mm at 10 m on the walls of the room, met at up to 55°.
    expect(worstM).toBeLessThan(0.01);
    expect(new Set(table['ring'])).toEqual(new Set([0]));
  });

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
