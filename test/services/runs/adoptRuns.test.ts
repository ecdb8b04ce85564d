// A catalogue that was lost is made again from the recordings: of a real run, with the same answers as before.
import { rmSync, statSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { RunDetails } from '#contract/host/runMethods.ts';
import { printedJson, ran, runHere } from '#test/support/commandLine.ts';
import { temporaryFolder } from '#test/support/folder.ts';
import { finishedRun } from '#test/services/finishedRun.ts';

const catalogueFiles = ['', '-wal', '-shm'].map((ending) => `catalogue.sqlite${ending}`);

function loseCatalogue(folder: string): void {
  for (const name of catalogueFiles) rmSync(join(folder, 'data', name), { force: true });
}

it('gives the same scans, objects and metrics of the scene as before', async () => {
  const folder = temporaryFolder();
  const drive = ['drive', 'clearing', '--sensor', 'vlp-16', '--seconds', '0.5', '--seed', '3'];
  await runHere(folder, ...drive, '--out', 'pictures');
  const list = await printedJson<RunDetails[]>(folder, 'runs', 'list');
  const runId = list[0]?.id ?? '';
  const ask = async () => {
    const scans = await runHere(folder, 'runs', 'scans', runId, '--json', '--min-returns', '0');
    const shown = await runHere(folder, 'runs', 'show', runId, '--json');
    const { scene, ticks, points, createdMs, seed, sensors } = JSON.parse(
      shown.stdout,
    ) as RunDetails;
    return {
      scans: JSON.parse(scans.stdout) as unknown,
      scene,
      ticks,
      points,
      createdMs,
      seed,
      sensors,
    };
  };
  const before = await ask();
  loseCatalogue(folder);
  const lost = await runHere(folder, 'runs', 'list');
  expect(lost.stderr).toContain("'understory runs adopt' reads them");
  await ran(folder, 'runs', 'adopt');
  const after = await ask();
  // The id holds when the run was started, to the millisecond in which it was made.
  expect(Math.abs(after.createdMs - before.createdMs)).toBeLessThan(1000);
  expect({ ...after, createdMs: 0 }).toEqual({ ...before, createdMs: 0 });
  await ran(folder, 'runs', 'verify', runId);
  expect((await runHere(folder, 'runs', 'adopt')).stderr).toContain('every run folder has a row');
});

it('keeps and reports the whole part of a recording that was cut off', async () => {
  const folder = temporaryFolder();
  const { runId, recordingFile } = await finishedRun(join(folder, 'data'), { ticks: 6 });
  truncateSync(recordingFile, Math.floor(statSync(recordingFile).size / 2));
  await ran(folder, 'runs', 'adopt', runId);
  const shown = JSON.parse(
    (await runHere(folder, 'runs', 'show', runId, '--json')).stdout,
  ) as RunDetails;
  expect(shown.state).toBe('interrupted');
  expect(shown.error).toMatch(/[1-9]\d* scans \([\d.]+ s\) were saved/);
  expect(shown.points).toBeLessThan(6 * 310);
  const exported = ['runs', 'export', runId, '--format', 'csv', '--out', 'a.csv'];
  await ran(folder, ...exported);
});

it('names a recording that holds nothing, and leaves it as it is', async () => {
  const folder = temporaryFolder();
  const { recordingFile } = await finishedRun(join(folder, 'data'), { ticks: 1 });
  loseCatalogue(folder);
  truncateSync(recordingFile, 40);
  const { exitCode, stderr } = await runHere(folder, 'runs', 'adopt');
  expect(exitCode).toBe(3);
  expect(stderr).toContain('is left out');
  expect(statSync(recordingFile).size).toBe(40);
});
