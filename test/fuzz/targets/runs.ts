// Bundles and bare recordings of anybody's making, by runs.unpack; recordings also cut off and closed again.
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { requests } from '#contract/host/methods.ts';
import { toWire } from '#contract/errors.ts';
import { createNodeLogFile } from '#hosts/node/nodeLogFile.ts';
import { createExporters } from '#recordings/export/exporters.ts';
import { createRecordings } from '#recordings/recordings.ts';
import { bundleHandlers } from '#services/bundles/bundleHandlers.ts';
import { runsHandlers } from '#services/runs/runsHandlers.ts';
import { recordSample, sampleHeader } from '#test/recordings/samples.ts';
import { callContext } from '#test/support/context.ts';
import type { Target } from '../target.ts';
import { importPorts, openDataPorts } from './ports.ts';

const scenario = `understory: 2
name: Mesh yard
scene:
  materials: { grey: { reflectance: 0.5 } }
  ground: { kind: plane, sizeM: [40, 40], material: grey }
  models: { wedge: { kind: mesh, file: wedge.obj, unit: m, upAxis: z, material: grey, solid: false } }
  instances: [{ name: wedge, model: wedge, positionM: [4, 1, 0] }]
sensors: [{ name: vlp-16, sensor: vlp-16 }, { name: front, sensor: lms-291 }]
mission: { startM: [0, 0], goalM: [9, 0] }
navigation: { costMap: { cells: 60, cellM: 0.5 } }
`;
/** Why: a bare recording does not hold meshes, so that its run cannot be packed. */
const boxed = scenario.replace(
  /kind: mesh, .*? solid/,
  'kind: box, sizeM: [1, 1, 1], material: grey, solid',
);
const mesh = 'mtllib wedge.mtl\nv 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 2\nf 1 3 2\nf 1 2 4\n';

const runId = '0199a0c1-0000-7000-8000-000000000001';

/** The handlers about runs over a data folder, and what closes it. */
function openRuns(dataFolder: string) {
  const ports = openDataPorts(dataFolder);
  const exporters = createExporters({ dataFolder });
  const logFile = createNodeLogFile({ dataFolder });
  const handlers = {
    ...runsHandlers({ ...ports, exporters, logFile }),
    ...bundleHandlers(ports),
  };
  const { catalogue, folders } = ports;
  return { handlers, catalogue, folders, close: () => catalogue.dispose() };
}

/** A recording of two ticks, and a bundle of the run with it. */
async function recordedRun(
  folder: string,
  text = scenario,
): Promise<{ recording: Uint8Array; bundle: Uint8Array }> {
  writeFileSync(join(folder, 'wedge.obj'), mesh);
  writeFileSync(join(folder, 'wedge.mtl'), 'newmtl grey\nKd 1 1 1\n');
  writeFileSync(join(folder, 'yard.yaml'), text);
  const dataFolder = join(folder, 'data');
  mkdirSync(dataFolder);
  const loaded = await importPorts.documents.loadScenario(join(folder, 'yard.yaml'));
  if (loaded.value === null) throw new Error(JSON.stringify(loaded.problems));
  const { compiled, heights } = loaded.value;
  const { handlers, catalogue, folders, close } = openRuns(dataFolder);
  const { recordingFile } = folders.create(runId);
  const { classes } = compiled.recipe;
  const writer = await createRecordings().create(recordingFile, {
    ...sampleHeader(),
    compiled,
    heights,
    classes,
  });
  const sensors = compiled.sensors.map(({ recipe }) => recipe);
  await recordSample(writer, 2, { rows: 40, flush: true, sensors });
  await writer.close();
  const order = { seconds: 0.2, threads: null, isa: null };
  const row = { id: runId, name: 'yard', createdMs: 0, compiled, order, hostName: '' };
  catalogue.insertRun({ ...row, version: '0.0.0', engine: 'e' });
  await handlers['runs.adopt']({ runIds: [runId] }, callContext);
  catalogue.endRun(runId, {
    state: 'finished',
    end: 'seconds',
    error: null,
    endedMs: 1,
    metrics: null,
  });
  const out = join(folder, 'x.understory');
  await handlers['runs.pack'](
    requests['runs.pack'].parse({ runIds: [runId], out, pictures: false, page: false }),
    callContext,
  );
  close();
  return {
    recording: new Uint8Array(readFileSync(recordingFile)),
    bundle: new Uint8Array(readFileSync(out)),
  };
}

/** Unpacks, and uses what was unpacked as its owner would. */
async function unpack(path: string, out: string): Promise<void> {
  const dataFolder = join(out, 'data');
  mkdirSync(dataFolder);
  const { handlers, close } = openRuns(dataFolder);
  try {
    const { reply } = await handlers['runs.unpack']({ path }, callContext);
    for (const { runId: id, hasRecording } of reply.runs) {
      await handlers['runs.show']({ runId: id }, callContext);
      await handlers['runs.scans'](requests['runs.scans'].parse({ runId: id }), callContext);
      const again = join(out, `${id}.understory`);
      const options = { runIds: [id], out: again, pictures: false, page: false };
      await handlers['runs.pack'](requests['runs.pack'].parse(options), callContext);
      if (!hasRecording) continue;
      const csv = { runId: id, format: 'csv', out: join(out, `${id}.csv`) };
      await handlers['runs.export'](requests['runs.export'].parse(csv), callContext);
    }
  } finally {
    close();
  }
}

/** Reads all of a recording, closes a copy that was cut off, and unpacks it. */
async function readRecording(file: string, out: string): Promise<void> {
  const recordings = createRecordings();
  const copy = join(out, 'copy.mcap');
  copyFileSync(file, copy);
  const failures: unknown[] = [];
  for (const work of [
    () => readAll(file),
    () => recordings.recover(copy),
    () => readAll(copy),
    () => unpack(copy, out),
  ]) {
    await work().catch((error: unknown) => failures.push(error));
  }
  const bug = failures.find((error) => toWire(error).code === 'internal');
  const last = failures.at(-1);
  if (bug !== undefined) throw bug as Error;
  if (last !== undefined) throw last as Error;
}

async function readAll(file: string): Promise<void> {
  const recordings = createRecordings();
  const reader = await recordings.open(file);
  try {
    for await (const { rows } of reader.scans()) if (!(rows >= 0)) throw new Error('no rows');
  } finally {
    await reader.close();
  }
  await (await recordings.openSnapshots(file)).close();
  await (await recordings.openMetadata(file)).close();
}

export const runTargets: Target[] = [
  {
    name: 'bundle',
    seeds: async (folder) => [{ 'x.understory': (await recordedRun(folder)).bundle }],
    open: () => Promise.resolve(unpack),
  },
  {
    name: 'recording',
    seeds: async (folder) => [{ 'x.mcap': (await recordedRun(folder, boxed)).recording }],
    open: () => Promise.resolve(readRecording),
  },
];
