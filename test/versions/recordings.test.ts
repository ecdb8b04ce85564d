// Recordings of older formats: every reader gives what was in them. `recording-v2.mcap` and `recording-v3.mcap` were
// written by formats 2 and 3 with `drive scenario-v1.understory.yaml --seconds 0.5 --isa avx2` (scenario and sensor
// upgraded), `recording-v5.mcap` by format 5; data-0.1.0 has format 1.
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { createRecordings } from '#recordings/recordings.ts';

const fixtures = join(import.meta.dirname, 'fixtures');
const recordings = createRecordings();

const files: [name: string, clouds: number][] = [
  ['data-0.1.0/recording.mcap', 1],
  ['recording-v2.mcap', 1],
  ['recording-v3.mcap', 1],
  ['recording-v5.mcap', 2],
];

it.each(files)('reads %s', async (name, cloudsOfScan) => {
  const file = join(fixtures, name);
  const reader = await recordings.open(file);
  expect(reader.isComplete).toBe(true);
  const scans = await Array.fromAsync(reader.scans());
  const ticks = await Array.fromAsync(reader.ticks());
  const commands = await Array.fromAsync(reader.commands());
  const clouds = await Array.fromAsync(reader.clouds());
  await reader.close();
  expect(scans.map(({ toNs }) => toNs)).toEqual([1, 2, 3, 4, 5].map((tick) => tick * 1e8));
  expect(scans.reduce((sum, { rows }) => sum + rows, 0)).toBe(415);
  expect(scans[0]?.table.x_m).toHaveLength(scans[0]?.rows ?? NaN);
  expect(ticks.map(({ tick }) => tick)).toEqual([0, 1, 2, 3, 4]);
  expect(ticks[4]?.truth.positionM[0]).toBeGreaterThan(0);
  expect(commands).toHaveLength(5);
  expect(clouds.map(({ crc32s }) => crc32s.length)).toEqual(Array(5).fill(cloudsOfScan));
  expect(scans[0]?.table.object_id).toHaveLength(scans[0]?.rows ?? NaN);
  expect(clouds.map(({ scan }) => scan.hash)).toEqual(scans.map(({ hash }) => hash));

  for (const name of ['time_ns', 'ring', 'azimuth_rad', 'elevation_rad'] as const) {
    expect(scans[0]?.table[name], name).toHaveLength(scans[0]?.rows ?? NaN);
  }
  expect(new Set(scans[0]?.table.ring)).toEqual(new Set([0, 1, 2, 3]));

  const snapshots = await recordings.openSnapshots(file);
  const shown = await snapshots.at(3e8, { maxPoints: 1000 });
  await snapshots.close();
  expect(shown?.columns['ring']).toEqual(scans[2]?.table.ring);
  expect(shown?.tick.tick).toBe(2);
  expect(shown?.returns).toBe(scans[2]?.rows);
  const metadata = await recordings.openMetadata(file);
  expect(metadata.scans).toHaveLength(5);
  await metadata.close();
});

// Written with `scan box --sensor lms-291 --pose 0,0,1.5,0 --seconds 0.3 --set recording.truth=false`: sweeps of 27 ms in
// clouds of ticks of 100 ms.
it('reads clouds of drivers by ticks (format 4)', async () => {
  const file = join(fixtures, 'recording-v4.mcap');
  const reader = await recordings.open(file);
  const scans = await Array.fromAsync(reader.scans());
  const clouds = await Array.fromAsync(reader.clouds());
  await reader.close();
  expect(scans.map(({ toNs }) => toNs)).toEqual([1e8, 2e8, 3e8]);
  expect(scans.reduce((sum, { rows }) => sum + rows, 0)).toBe(397);
  expect(scans[0]?.table.x_m).toHaveLength(scans[0]?.rows ?? NaN);
  expect(clouds.map(({ crc32s }) => crc32s.length)).toEqual([1, 1, 1]);
  const snapshots = await recordings.openSnapshots(file);
  expect((await snapshots.at(2e8, { maxPoints: 1000 }))?.returns).toBe(scans[1]?.rows);
  await snapshots.close();
});
