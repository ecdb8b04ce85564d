// Verifying on a real catalogue and a real recording, against a simulation that gives what a test says.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { openCatalogue } from '#catalogue/catalogue.ts';
import { UnderstoryError } from '#contract/errors.ts';
import type { ScanRecord } from '#contract/host/run.ts';
import { createTextJobs } from '#hosts/node/textThread.ts';
import { createNodeFiles } from '#hosts/node/nodeFiles.ts';
import { createNodeRunFolders } from '#hosts/node/nodeRunFolders.ts';
import { createRecordings } from '#recordings/recordings.ts';
import { verifyRun } from '#services/runs/verifyRun.ts';
import {
  sampleInstances,
  sampleRun,
  sampleSavedScene,
  sampleSummary,
} from '#test/catalogue/sampleScene.ts';
import { sampleHeader, sampleScan } from '#test/recordings/samples.ts';
import { temporaryFolder } from '#test/support/folder.ts';
import { sampleMetrics, scriptedProcesses } from '#test/services/scriptedRun.ts';
import { callContext } from '#test/support/context.ts';

function scan(tick: number, hash = `hash-${tick}`): ScanRecord {
  const fromNs = tick * 1e8;
  return { tick, sensor: 0, fromNs, toNs: fromNs + 1e8, pulses: 10, returns: 5, hash };
}

const none = new Uint32Array();

/** A run that recorded ticks 0 to 4, simulated again as `simulated` says. */
async function verify(
  simulated: ScanRecord[],
  { isDamaged = false, others = 0, otherPoints = -1, engine = 'e' } = {},
) {
  const folder = temporaryFolder();
  const catalogue = openCatalogue(join(folder, 'catalogue.sqlite'));
  onTestFinished(() => catalogue.dispose());
  const { recordingFile } = createNodeRunFolders({ dataFolder: folder }).create(sampleRun(1).id);
  const recordings = createRecordings();
  const writer = await recordings.create(recordingFile, sampleHeader());
  for (let tick = 0; tick < 5; tick += 1) {
    await writer.scan({ ...sampleScan(tick, 0, 50), ...scan(tick) });
    await writer.flush();
  }
  await writer.close();
  const reader = await recordings.open(recordingFile);
  const checksums: number[][] = [];
  for await (const { crc32s } of reader.clouds()) checksums.push(crc32s);
  await reader.close();
  if (isDamaged) {
    const bytes = readFileSync(recordingFile);
    const middle = Math.floor(bytes.length / 2);
    bytes.writeUInt8(bytes.readUInt8(middle) ^ 1, middle);
    writeFileSync(recordingFile, bytes);
  }
  const run = sampleRun(1);
  catalogue.insertRun(run);
  const scene = sampleSavedScene();
  catalogue.saveScene(run.id, scene, sampleInstances());
  for (let tick = 0; tick < 5 + others; tick += 1) {
    catalogue.addScan(run.id, scan(tick), none, none);
  }
  const processes = scriptedProcesses(async ({ onRunEvent, signal }) => {
    const built = { summary: sampleSummary(), isa: 'avx2', threads: 1, engine } as const;
    await onRunEvent({ kind: 'scene', ...built }, {});
    for (const record of simulated) {
      const cloudCrc32s = record.tick === otherPoints ? [0] : checksums[record.tick];
      await onRunEvent({ kind: 'scan', scan: record, ...(cloudCrc32s && { cloudCrc32s }) }, {});
      if (signal?.aborted === true) throw new UnderstoryError('cancelled', 'stopped');
    }
    return { end: 'seconds', metrics: sampleMetrics() };
  });
  const row = catalogue.run(run.id);
  if (row === null) throw new Error('the run is not in the catalogue');
  return verifyRun(
    {
      catalogue,
      folders: createNodeRunFolders({ dataFolder: folder }),
      files: createNodeFiles({ assetsFolder: folder }),
      recordings,
      processes,
      texts: createTextJobs(),
      version: '0.1.0',
    },
    row,
    null,
    callContext,
  );
}

it('says that all scans agree', async () => {
  const reply = await verify([0, 1, 2, 3, 4].map((tick) => scan(tick)));
  expect(reply).toMatchObject({ equal: true, compared: 5, differs: null });
});

it('names the first scan that differs, and stops there', async () => {
  const reply = await verify([scan(0), scan(1), scan(2, 'other'), scan(3, 'another'), scan(4)]);
  expect(reply).toMatchObject({
    compared: 3,
    differs: { tick: 2, sensor: 0, of: 'hash', recorded: 'hash-2', simulated: 'other' },
  });
});

it('misses a scan that the simulation no longer gives', async () => {
  const reply = await verify([scan(0), scan(1), scan(2)]);
  expect(reply.differs).toEqual({
    tick: 3,
    sensor: 0,
    of: 'hash',
    recorded: 'hash-3',
    simulated: 'none',
  });
});

it('does not ask for scans after the last one recorded', async () => {
  const reply = await verify([0, 1, 2, 3, 4, 5, 6].map((tick) => scan(tick)));
  expect(reply).toMatchObject({ equal: true, compared: 5, differs: null });
});

it('compares the recorded points with the simulated ones', async () => {
  const reply = await verify(
    [0, 1, 2, 3, 4].map((tick) => scan(tick)),
    { otherPoints: 3 },
  );
  expect(reply).toMatchObject({
    compared: 4,
    differs: { tick: 3, of: 'points', simulated: '00000000' },
  });
});

it('refuses a damaged recording, and one that is not that of the catalogue', async () => {
  await expect(verify([], { isDamaged: true })).rejects.toMatchObject({ code: 'corrupt' });
  await expect(verify([], { others: 2 })).rejects.toMatchObject({
    code: 'corrupt',
    message: expect.stringContaining('holds 5 scans, the catalogue 7') as string,
  });
});

it('compares all scans of another engine by hash and returns, and says which engines they are', async () => {
  const scans = [
    scan(0),
    scan(1, 'other'),
    { ...scan(2, 'another'), returns: 7 },
    scan(3),
    scan(4),
  ];
  const reply = await verify(scans, { engine: 'new', otherPoints: 3 });
  expect(reply).toMatchObject({
    there: { engine: 'e' },
    here: { engine: 'new' },
    compared: 5,
    differs: { tick: 1, of: 'hash' },
    otherEngine: { agreeing: 3, returnsRecorded: 25, returnsSimulated: 27 },
  });
});
