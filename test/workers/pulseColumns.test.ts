// Columns that recordings leave out because they follow from the number of a pulse are those of the worker, to the last
// bit: for every sensor that comes with Understory, in its first scan, an hour later, and with an encoder.
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { SensorRecipe } from '#contract/worker/sensorRecipe.ts';
import { assetsFolder } from '#hosts/packageFolders.ts';
import { withoutFollowing, withPulseColumns } from '#recordings/ros/pulseColumns.ts';
import { compileScenario, openWorker, scanRows, sensorRecipe, standingAt } from './realWorker.ts';

const ids = readdirSync(join(assetsFolder, 'sensors')).map((name) => name.replace('.yaml', ''));
const { worker } = await openWorker(await compileScenario('optics'), { threads: 2 });
const columns = ['time_ns', 'ring', 'azimuth_rad', 'elevation_rad'] as const;

/** About the start of a turn or sweep, the first or one an hour later. */
async function expectFollowing(sensor: SensorRecipe, aboutNs: number): Promise<void> {
  // A sweep may rest for most of its time.
  const widthNs = sensor.scan.kind === 'sweep' ? 1e9 / sensor.scan.rateHz : 2e6;
  const fromNs = Math.max(0, Math.round(aboutNs - widthNs));
  const toNs = Math.round(aboutNs + widthNs);
  const order = { sensor, trajectory: standingAt(0, 0, 1.5), seed: 3, misses: true };
  const expected = await scanRows(worker, { ...order, fromNs, toNs });
  const pulse = BigUint64Array.from(expected.pulse, BigInt);
  expect(pulse.length).toBeGreaterThan(0);
  const found = withPulseColumns({ pulse }, pulse.length, sensor);
  for (const name of columns) {
    const values = Array.from(found[name] ?? [], Number);
    expect(values.findIndex((value, row) => value !== expected[name][row])).toBe(-1);
  }
}

describe('columns that follow from pulses', () => {
  it.each(ids)('of %s are those of the worker', async (id) => {
    const sensor = await sensorRecipe(id);
    const isStored = withoutFollowing([...columns, 'pulse'], sensor).length > 1;
    expect(isStored).toBe(['mirror', 'panorama', 'image'].includes(sensor.scan.kind));
    if (isStored) return;
    for (const aboutNs of [0, 3600e9]) await expectFollowing(sensor, aboutNs);
    const quantisation = { rangeM: 0, azimuthRad: 0.0021 };
    await expectFollowing({ ...sensor, quantisation }, 1e9);
  });

  it('are all stored without the number of the pulse', () => {
    const recipe = { scan: { kind: 'spinning', rateHz: 10 } } as SensorRecipe;
    expect(withoutFollowing(['ring', 'x_m'], recipe)).toEqual(['ring', 'x_m']);
    expect(withoutFollowing(['ring', 'x_m', 'pulse'], recipe)).toEqual(['x_m', 'pulse']);
    expect(withoutFollowing(['ring', 'pulse'], undefined)).toEqual(['ring', 'pulse']);
  });
});
