// A recorded and catalogued run without a worker: ticks of made-up returns and poses, and the handlers that
// answer about it.
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { openCatalogue } from '#catalogue/catalogue.ts';
import { createRunLocks } from '#catalogue/runLocks.ts';
import { createTextJobs } from '#hosts/node/textThread.ts';
import { createNodeMachine } from '#hosts/node/nodeMachine.ts';
import { createNodeClock } from '#hosts/node/nodeClock.ts';
import { createNodeLogFile } from '#hosts/node/nodeLogFile.ts';
import { createNodeTimer } from '#hosts/node/nodeTimer.ts';
import { createNodeFiles } from '#hosts/node/nodeFiles.ts';
import { createNodeScratchFiles } from '#hosts/node/nodeScratchFiles.ts';
import { createNodeRunFolders } from '#hosts/node/nodeRunFolders.ts';
import { createBundles } from '#recordings/bundle/bundles.ts';
import { createExporters } from '#recordings/export/exporters.ts';
import { createRecordings } from '#recordings/recordings.ts';
import { createEvents } from '#services/events.ts';
import type { Catalogue } from '#services/ports/catalogue.ts';
import type { Handlers } from '#services/handlers.ts';
import { bundleHandlers } from '#services/bundles/bundleHandlers.ts';
import { createUploads } from '#services/bundles/uploads.ts';
import { runsHandlers } from '#services/runs/runsHandlers.ts';
import { recordSample, sampleCompiled, sampleHeader } from '#test/recordings/samples.ts';
import { temporaryFolder } from '#test/support/folder.ts';
import { silentLog } from '#test/support/log.ts';
import { scriptedProcesses } from './scriptedRun.ts';
import { createMutex } from '#services/mutex.ts';

/** The run 'run' of samples.ts: `rows` rows of 'vlp-16' and 10 of 'front.scanner' a tick. */
export async function recordedRun({
  ticks,
  rows,
}: {
  ticks: number;
  rows: number;
}): Promise<{ handlers: Handlers<'runs'>; dataFolder: string; catalogue: Catalogue }> {
  const dataFolder = temporaryFolder();
  const catalogue = openCatalogue(join(dataFolder, 'catalogue.sqlite'));
  onTestFinished(() => catalogue.dispose());
  const folders = createNodeRunFolders({ dataFolder });
  const recordings = createRecordings();
  const { recordingFile } = folders.create('run');
  const writer = await recordings.create(recordingFile, sampleHeader());
  await recordSample(writer, ticks, { rows, flush: true });
  await writer.close();
  catalogue.insertRun({
    id: 'run',
    name: 'run',
    createdMs: 0,
    compiled: sampleCompiled(),
    version: '0.0.0',
    hostName: 'here',
    order: { seconds: null, threads: null, isa: null },
  });
  const ports = {
    catalogue,
    recordings,
    folders,
    log: silentLog,
    version: '0.0.0',
    processes: scriptedProcesses(() => Promise.reject(new Error('nothing is simulated here'))),
    locks: createRunLocks(),
    launcher: { open: () => Promise.reject(new Error('nothing is built here')) },
    machine: createNodeMachine(),
    builds: createMutex(),
    clock: createNodeClock(),
    timer: createNodeTimer(),
    texts: createTextJobs(),
    files: createNodeFiles({ assetsFolder: dataFolder }),
    events: createEvents(() => undefined),
  };
  const runs = runsHandlers({
    ...ports,
    exporters: createExporters({ dataFolder: null }),
    logFile: createNodeLogFile({ dataFolder }),
  });
  const stored = {
    ...ports,
    bundles: createBundles({ dataFolder }),
    scratch: createNodeScratchFiles({ dataFolder }),
  };
  const ofBundles = bundleHandlers({
    ...stored,
    uploads: createUploads({ ...stored, dataFolder }),
    openDataFolder: () => ({ catalogue, folders }),
    exportRun: runs['runs.export'],
    drawings: async () => (await import('#hosts/pages/runDrawings.ts')).runDrawings,
  });
  const handlers = { ...runs, ...ofBundles };
  return { handlers, dataFolder, catalogue };
}
