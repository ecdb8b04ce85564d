// After a kill catalogue and recording disagreed permanently: rows were missing of what was recorded, or there were
// rows of what was not; and nothing said how much an interrupted run holds.
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { openCatalogue } from '#catalogue/catalogue.ts';
import { openSqlite } from '#catalogue/sqlite.ts';
import { openMetadata } from '#recordings/recordingMetadata.ts';
import { temporaryFolder } from '#test/support/folder.ts';
import { finishedRun } from '#test/services/finishedRun.ts';
import { printedJson } from '#test/support/commandLine.ts';

const ticks = 5;

/** A run whose host was killed: its row says 'running', and `change` says what the catalogue lacks or has. */
async function killedRun(change: string): Promise<{ folder: string; runId: string }> {
  const folder = temporaryFolder();
  const { runId } = await finishedRun(join(folder, 'data'), { ticks });
  const database = openSqlite(join(folder, 'data', 'catalogue.sqlite'), { timeoutMs: 0 });
  database.exec(
    `UPDATE runs SET state = 'running', end_reason = NULL, figures = NULL, ended_ms = NULL; ${change}`,
  );
  database.close();
  return { folder, runId };
}

it.each([
  [
    'the last ticks are missing',
    'DELETE FROM scans WHERE tick >= 3; DELETE FROM ticks WHERE tick >= 3',
  ],
  [
    'everything is missing, the scene too',
    'DELETE FROM scans; DELETE FROM ticks; UPDATE runs SET scene_key = NULL',
  ],
  [
    'the catalogue is ahead of the recording',
    `INSERT INTO scans (run_key, tick, sensor, from_ns, to_ns, pulses, returns, hash)
       SELECT run_key, tick + 1, sensor, from_ns, to_ns, pulses, returns, hash FROM scans WHERE tick = 4;
     UPDATE ticks SET tick = 9 WHERE tick = 4`,
  ],
  ['a scan has another hash', "UPDATE scans SET hash = 'other' WHERE tick = 2"],
])('recovery brings the catalogue into agreement: %s', async (_, change) => {
  const { folder, runId } = await killedRun(change);
  expect(await printedJson(folder, 'runs', 'list')).toMatchObject([
    { state: 'interrupted', simSeconds: 0.5, points: ticks * 310, metrics: null },
  ]);
  const recorded = await openMetadata(join(folder, 'data', 'runs', runId, 'recording.mcap'));
  await recorded.close();
  const catalogue = openCatalogue(join(folder, 'data', 'catalogue.sqlite'));
  expect(catalogue.scanRecords(runId)).toEqual(recorded.scans);
  expect(catalogue.ticks(runId).map(({ tick }) => tick)).toEqual([0, 1, 2, 3, 4]);
  // Points are counted again: the objects of the sample are not in its scene, so all are of the first class.
  const [scan] = catalogue.scans(runId).filter(({ tick, sensor }) => tick === 3 && sensor === 0);
  if (change.includes('>= 3')) expect(scan?.classReturns['ground']).toBeGreaterThan(200);
  catalogue.dispose();
});
