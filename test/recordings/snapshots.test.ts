// Looking at instants of a recording: what comes out is what a whole pass over the file gives for that tick,
// from closed files and from those that were cut off, and only the chunks of the instant are read.
import { truncateSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { Columns, ReturnColumnName, ReturnTable } from '#contract/columns.ts';
import { shownPoints } from '#contract/host/shownPoints.ts';
import { createRecordings } from '#recordings/recordings.ts';
import { createFinder } from '#recordings/recordingSnapshots.ts';
import { openMcapFile } from '#recordings/mcap/readRecords.ts';
import { readChunkTable } from '#recordings/mcap/chunkTable.ts';
import type { RecordingSnapshots } from '#services/ports/recordings.ts';
import { recordSample, sampleHeader, sampleScan, sampleTick } from './samples.ts';
import { temporaryFolder } from '#test/support/folder.ts';

const recordings = createRecordings();

async function recorded(ticks: number, options: { rows?: number; flush?: boolean } = {}) {
  const file = join(temporaryFolder(), 'run.mcap');
  const writer = await recordings.create(file, sampleHeader());
  await recordSample(writer, ticks, options);
  await writer.close();
  return file;
}

async function snapshots(file: string): Promise<RecordingSnapshots> {
  const opened = await recordings.openSnapshots(file);
  onTestFinished(() => opened.close());
  return opened;
}

/** The returns of a tick's two scans, as the sample was made: pulses without an echo left out. */
function returnsOf(tick: number, rows: number): Columns {
  const scans = [sampleScan(tick, 0, rows), sampleScan(tick, 1, 10)].map(({ sensor, table }) => {
    const isReturn = Array.from(table.return_no ?? [], (number) => number > 0);
    const returns = (values: ReturnTable[ReturnColumnName]): unknown =>
      values && (values as Float32Array).filter((_, row) => isReturn[row]);
    const shown = Object.entries(table).map(([name, values]) => [name, returns(values)]);
    return { sensor, table: Object.fromEntries(shown) as ReturnTable };
  });
  return shownPoints(scans);
}

test('every tick is found again, with its points, map and path', async () => {
  const opened = await snapshots(await recorded(12, { rows: 50, flush: true }));
  expect(opened.lastTimeNs).toBe(sampleTick(11).timeNs);
  for (const tick of [7, 0, 11, 3, 4]) {
    const { timeNs } = sampleTick(tick);
    const snapshot = await opened.at(timeNs + 1e7, { maxPoints: 1000 });
    expect(snapshot?.tick).toEqual(sampleTick(tick));
    expect(snapshot?.columns).toEqual(returnsOf(tick, 50));
    expect(snapshot?.returns).toBe(snapshot?.columns['x_m']?.length);
    expect(snapshot?.map).toMatchObject({ timeNs, geometry: { cells: 20, cellM: 0.1 } });
    expect(snapshot?.map?.cost[1]).toBe((1 + tick) % 101);
    expect(Array.from(snapshot?.path?.xM ?? [])).toEqual([
      tick,
      Math.fround(1.1),
      Math.fround(2.2),
    ]);
  }
});

test('there is nothing before the first tick, and after the last there is the last', async () => {
  const opened = await snapshots(await recorded(3, { rows: 20 }));
  expect(await opened.at(sampleTick(0).timeNs - 1, { maxPoints: 10 })).toBeNull();
  expect((await opened.at(1e15, { maxPoints: 10 }))?.tick.tick).toBe(2);
});

test('a budget is kept, the share is even, and it takes turns', async () => {
  const opened = await snapshots(await recorded(4, { rows: 3000 }));
  const taken: number[][] = [];
  for (const tick of [0, 2]) {
    const snapshot = await opened.at(sampleTick(tick).timeNs, { maxPoints: 200 });
    expect(snapshot?.returns).toBe(3010);
    const all = returnsOf(tick, 3000);
    const xM = snapshot?.columns['x_m'] as Float32Array;
    expect(xM.length).toBeGreaterThan(90);
    expect(xM.length).toBeLessThanOrEqual(200);
    const rows = Array.from(xM, (x) => Array.from(all['x_m'] ?? [], Number).indexOf(x));
    const steps = rows.slice(1, 80).map((row, index) => row - (rows[index] ?? 0));
    expect(new Set(steps)).toEqual(new Set([31])); // 3000 of 100, made odd
    taken.push(rows);
  }
  expect(taken[0]?.[0]).not.toBe(taken[1]?.[0]);
  const none = await opened.at(sampleTick(1).timeNs, { maxPoints: 0 });
  expect(none?.columns['x_m']).toHaveLength(0);
});

test('a map and a path that the caller has are not read again', async () => {
  const opened = await snapshots(await recorded(3, { rows: 20 }));
  const { timeNs } = sampleTick(1);
  const again = { maxPoints: 10, mapUnlessNs: timeNs, pathUnlessNs: timeNs };
  expect(await opened.at(timeNs, again)).toMatchObject({ map: null, path: null });
  const next = await opened.at(sampleTick(2).timeNs, again);
  expect(next?.map?.timeNs).toBe(sampleTick(2).timeNs);
});

test('a recording that was cut off gives every tick before the cut', async () => {
  const file = await recorded(10, { rows: 200, flush: true });
  truncateSync(file, Math.floor(statSync(file).size * 0.6));
  const opened = await snapshots(file);
  expect(opened.isComplete).toBe(false);
  const last = Math.round(opened.lastTimeNs / 1e8) - 1;
  expect(last).toBeGreaterThan(2);
  expect(last).toBeLessThan(9);
  expect((await opened.at(sampleTick(2).timeNs, { maxPoints: 1000 }))?.columns).toEqual(
    returnsOf(2, 200),
  );
  expect((await opened.at(1e15, { maxPoints: 10 }))?.tick.tick).toBe(last);
});

test('the index of a closed file and that of its records agree', async () => {
  const file = await recorded(9, { rows: 100, flush: true });
  const whole = await openMcapFile(file);
  onTestFinished(() => whole.close());
  const walked = await readChunkTable({ ...whole, isComplete: false });
  expect(walked).toEqual(await readChunkTable(whole));
  expect(walked.length).toBeGreaterThanOrEqual(9);
});

test('an instant costs its own chunks, however long the file is', async () => {
  const file = await recorded(60, { rows: 2000, flush: true });
  const mcap = await openMcapFile(file);
  onTestFinished(() => mcap.close());
  const chunks = await readChunkTable(mcap);
  const longest = Math.max(...chunks.map(({ length }) => length));
  let bytesRead = 0;
  const find = createFinder(
    {
      ...mcap,
      read: (offset, length) => {
        bytesRead += length;
        return mcap.read(offset, length);
      },
    },
    chunks,
    Number,
  );
  const tickChannel = 7;
  expect(await find.latest(tickChannel, sampleTick(41).timeNs)).not.toBeNull();
  expect(bytesRead).toBeGreaterThan(0);
  expect(bytesRead).toBeLessThanOrEqual(longest);
});
