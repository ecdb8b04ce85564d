// A data folder with one finished run in it, as a host leaves it: catalogue closed, recording closed.
import { join } from 'node:path';
import { openCatalogue } from '#catalogue/catalogue.ts';
import { createNodeRunFolders } from '#hosts/node/nodeRunFolders.ts';
import { createRecordings } from '#recordings/recordings.ts';
import {
  sampleInstances,
  sampleRecipe,
  sampleRun,
  sampleSavedScene,
} from '#test/catalogue/sampleScene.ts';
import {
  recordSample,
  sampleHeader,
  sampleScan,
  sampleTickRecord,
} from '#test/recordings/samples.ts';
import { sampleMetrics } from './scriptedRun.ts';

const none = new Uint32Array();

/** Ticks of two scans each, of 300 and 10 rows. Returns the id of the run and its recording. */
export async function finishedRun(
  dataFolder: string,
  { ticks, number = 1 }: { ticks: number; number?: number },
): Promise<{ runId: string; recordingFile: string }> {
  const catalogue = openCatalogue(join(dataFolder, 'catalogue.sqlite'));
  const run = sampleRun(number);
  const { recordingFile } = createNodeRunFolders({ dataFolder }).create(run.id);
  const writer = await createRecordings().create(recordingFile, {
    ...sampleHeader(),
    compiled: run.compiled,
    classes: sampleRecipe.classes,
    heights: new Float32Array(),
  });
  await recordSample(writer, ticks, { rows: 300, flush: true });
  await writer.close();
  catalogue.insertRun(run);
  const scene = sampleSavedScene();
  catalogue.saveScene(run.id, scene, sampleInstances());
  for (let tick = 0; tick < ticks; tick += 1) {
    catalogue.addTick(run.id, sampleTickRecord(tick));
    for (const [sensor, rows] of [300, 10].entries()) {
      const { tick: at, fromNs, toNs, pulses, returns, hash } = sampleScan(tick, sensor, rows);
      const record = { tick: at, sensor, fromNs, toNs, pulses, returns, hash };
      catalogue.addScan(run.id, record, none, none);
    }
  }
  const metrics = sampleMetrics({ ticks, simSeconds: ticks / 10, points: ticks * 310 });
  const end = { state: 'finished', end: 'seconds', error: null, endedMs: 1 } as const;
  catalogue.endRun(run.id, { ...end, metrics });
  catalogue.dispose();
  return { runId: run.id, recordingFile };
}
