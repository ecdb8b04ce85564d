// A drive with a noisy sensor recorded no clean ranges, and its recording was read as if it had no noise: the
// noisy ranges were given as the clean ones.
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { createRecordings } from '#recordings/recordings.ts';
import { scanPacked } from '#services/runProcess/packedScan.ts';
import { recordedColumnsOf } from '#domain/sensor/recordedColumns.ts';
import { temporaryFolder } from '#test/support/folder.ts';
import { compileScenario, openWorker, scanRows, standingAt } from '#test/workers/realWorker.ts';

const toNs = 100_000_000;
const trajectory = standingAt(0, 0, 1.5);

const optics = await compileScenario('optics');
const { worker } = await openWorker(optics);

it('keeps both, for every sensor of a rig', async () => {
  const recordings = createRecordings();
  const file = join(temporaryFolder(), 'run.mcap');
  const { compiled, heights } = optics;
  const writer = await recordings.create(file, {
    compiled,
    heights,
    classes: compiled.recipe.classes,
    isa: worker.hello.isa,
    understoryVersion: 'test',
    engine: null,
  });
  for (const [sensor, { recipe }] of compiled.sensors.entries()) {
    const record = { tick: 0, sensor, fromNs: 0, toNs };
    const packings = writer.packings(record, recordedColumnsOf(compiled));
    const request = { sensor: recipe, fromNs: 0, toNs, seed: 1, columns: [], misses: false };
    const result = await scanPacked(worker, request, trajectory, packings, {});
    const { packed, pulses, returns, hash, rows } = result;
    await writer.packedScan({ ...record, pulses, returns, hash, packed, rows });
  }
  await writer.close();

  const reader = await recordings.open(file);
  let scans = 0;
  for await (const { sensor, table, rows } of reader.scans()) {
    const recipe = compiled.sensors[sensor]?.recipe;
    if (recipe === undefined) throw new Error('expected a sensor');
    const expected = await scanRows(worker, { sensor: recipe, trajectory, toNs });
    expect(rows).toBeGreaterThan(100);
    for (const name of ['range_m', 'range_clean_m', 'x_clean_m', 'sensor_time_ns'] as const) {
      expect(Array.from<number | bigint>(table[name] ?? []).map(Number)).toEqual(expected[name]);
    }
    scans += 1;
  }
  await reader.close();
  expect(scans).toBe(2);
  const [, front] = compiled.sensors;
  const noisy = front && (await scanRows(worker, { sensor: front.recipe, trajectory, toNs }));
  expect(noisy?.range_m).not.toEqual(noisy?.range_clean_m);
});
