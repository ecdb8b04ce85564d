// A rig: several sensors on one vehicle, each with its mounting, its clock and its own randomness. The sample
// `optics` has two.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { CompiledSensor } from '#contract/host/run.ts';
import { minimalScenario } from '#test/support/documents.ts';
import { temporaryFolder } from '#test/support/folder.ts';
import { compileScenario, openWorker, scanRows, standingAt } from './realWorker.ts';

const trajectory = standingAt(0, 0, 1.5);

const optics = await compileScenario('optics');
const { sensors } = optics.compiled;
const { worker } = await openWorker(optics);

function sensorAt(index: number): CompiledSensor {
  const sensor = sensors[index];
  if (sensor === undefined) throw new Error('expected another sensor');
  return sensor;
}

describe('a rig', () => {
  it('has for each sensor its place, rate, mode, clock and number', () => {
    const [roof, front] = [sensorAt(0), sensorAt(1)];
    expect(roof.mount.positionM).toEqual([0, 0, 2]);
    expect(roof.recipe).toMatchObject({
      stream: 0,
      clock: { phaseNs: 0, offsetNs: 0, driftPpm: 0 },
      scan: { rateHz: 5 },
      returns: { mode: 'strongest-and-last' },
    });
    expect(front.mount.positionM).toEqual([1.2, 0, 0.6]);
    expect(front.mount.rotation).not.toEqual([0, 0, 0, 1]);
    expect(front.recipe).toMatchObject({
      stream: 1,
      clock: { phaseNs: 30_000_000, offsetNs: 12_000_000, driftPpm: 20 },
    });
  });

  it('fires each sensor by its own clock, and stamps by it', async () => {
    const sensor = sensorAt(1).recipe;
    const order = { sensor, trajectory, misses: true };
    const before = await scanRows(worker, { ...order, toNs: 30_000_000 });
    expect(before.time_ns).toEqual([]);
    const { time_ns, pulse, azimuth_rad, sensor_time_ns } = await scanRows(worker, {
      ...order,
      toNs: 40_000_000,
    });
    expect(time_ns[0]).toBe(30_000_000);
    expect(pulse[0]).toBe(0);
    // The mirror at its least angle; emitters off the middle look a little aside of it (PHYSICS.md, 1.7).
    expect(Math.abs((azimuth_rad[0] ?? NaN) + (50 * Math.PI) / 180)).toBeLessThan(0.02);
    for (const [row, timeNs] of time_ns.entries()) {
      expect(sensor_time_ns[row]).toBe(timeNs + Math.round(timeNs * 20e-6) + 12_000_000);
    }
  });

  it('lets two sensors of a kind err differently, and each always alike', async () => {
    const folder = temporaryFolder();
    const file = join(folder, 'twins.understory.yaml');
    writeFileSync(
      file,
      `${minimalScenario}sensors:
  - { name: left, sensor: hdl-64e-s2 }
  - { name: right, sensor: hdl-64e-s2 }
`,
    );
    const twins = (await compileScenario(file)).compiled.sensors;
    const scans = [];
    for (const at of [0, 1, 0]) {
      const sensor = twins[at]?.recipe;
      if (sensor === undefined) throw new Error('expected twins');
      scans.push(await scanRows(worker, { sensor, trajectory, toNs: 2_000_000 }));
    }
    const [left, right, again] = scans;
    expect(left?.range_clean_m.length).toBeGreaterThan(100);
    expect(right?.range_clean_m).toEqual(left?.range_clean_m);
    expect(right?.range_m).not.toEqual(left?.range_m);
    expect(again).toEqual(left);
  });
});
