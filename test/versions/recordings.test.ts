// Recordings of older formats: every reader gives what was in them. `recording-v2.mcap` and `recording-v3.mcap` were
// written by formats 2 and 3 with `drive scenario-v1.understory.yaml --seconds 0.5 --isa avx2` (scenario and sensor
// upgraded); data-0.1.0 has format 1.
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { createRecordings } from '#recordings/recordings.ts';

const fixtures = join(import.meta.dirname, 'fixtures');
const recordings = createRecordings();

const files = ['data-0.1.0/recording.mcap', 'recording-v2.mcap', 'recording-v3.mcap'];

it.each(files)('reads %s', async (name) => {
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
  expect(clouds.map(({ crc32s }) => crc32s.length)).toEqual([1, 1, 1, 1, 1]);
  expect(scans[0]?.table.object_id).toHaveLength(scans[0]?.rows ?? NaN);
  expect(clouds.map(({ scan }) => scan.hash)).toEqual(scans.map(({ hash }) => hash));

  const snapshots = await recordings.openSnapshots(file);
  const shown = await snapshots.at(3e8, { maxPoints: 1000 });
  await snapshots.close();
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
