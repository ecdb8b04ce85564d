// Adapters of a host without workers and run processes, for what reads files of others. Why not a whole host: a worker
// starts in 0.1 s, an input takes a millisecond.
import { openCatalogue } from '#catalogue/catalogue.ts';
import { createRunLocks } from '#catalogue/runLocks.ts';
import { createNodeClock } from '#hosts/node/nodeClock.ts';
import { createNodeFiles } from '#hosts/node/nodeFiles.ts';
import { createNodeMachine } from '#hosts/node/nodeMachine.ts';
import { createNodeRunFolders } from '#hosts/node/nodeRunFolders.ts';
import { createNodeScratchFiles } from '#hosts/node/nodeScratchFiles.ts';
import { createNodeTimer } from '#hosts/node/nodeTimer.ts';
import { assetsFolder } from '#hosts/packageFolders.ts';
import { createBundles } from '#recordings/bundle/bundles.ts';
import { createRecordings } from '#recordings/recordings.ts';
import type { WorkerMethodName } from '#contract/worker/workerMethods.ts';
import type { BundleHandlerPorts } from '#services/bundles/bundleHandlers.ts';
import { createDocuments } from '#services/documents/documents.ts';
import { createEvents } from '#services/events.ts';
import type { SceneImports } from '#services/ports/sceneImports.ts';
import type { ScanWorker, WorkerLauncher } from '#services/ports/workers.ts';
import { convertFiles, createConversion } from '#services/scenarios/convertFiles.ts';
import { createMutex } from '#services/mutex.ts';
import { sampleSummary } from '#test/catalogue/sampleScene.ts';
import { join } from 'node:path';
import { silentLog } from '#test/support/log.ts';

const summary = { ...sampleSummary(), instances: 0, scatters: [] };
/** Takes every scene. Why the cast: nothing else is asked of it. */
const worker = {
  hello: { engine: 'e', isa: 'avx2' },
  call: (method: WorkerMethodName) => {
    const columns = method === 'scene.instances' ? { instance_id: new Uint32Array() } : {};
    return Promise.resolve({ body: { ...summary, total: 0 }, columns });
  },
  dispose: () => Promise.resolve(),
} as unknown as ScanWorker;
const launcher: WorkerLauncher = { open: () => Promise.resolve(worker) };

const files = createNodeFiles({ assetsFolder });
export const importPorts = {
  files,
  launcher,
  documents: createDocuments({ files }),
  machine: createNodeMachine(),
  builds: createMutex(),
  imports: {
    convert: (request) => convertFiles(createConversion(files), request),
  } satisfies SceneImports,
};

/** Ports over a data folder. */
export function openDataPorts(dataFolder: string) {
  const catalogue = openCatalogue(join(dataFolder, 'catalogue.sqlite'));
  const none = (): never => {
    throw new Error('nothing is executed or drawn here');
  };
  const ports = {
    ...importPorts,
    catalogue,
    log: silentLog,
    version: '0.1.0',
    texts: files.texts,
    folders: createNodeRunFolders({ dataFolder }),
    recordings: createRecordings({
      readHead: (json) => files.texts.recordingHead({ name: 'head of a recording' }, json),
    }),
    processes: { start: none },
    locks: createRunLocks(),
    clock: createNodeClock(),
    timer: createNodeTimer(),
    events: createEvents(() => undefined),
    bundles: createBundles({ dataFolder }),
    scratch: createNodeScratchFiles({ dataFolder }),
    openDataFolder: none,
    exportRun: none,
    uploads: { receive: none, use: none },
    drawings: none,
  } satisfies BundleHandlerPorts;
  return ports;
}
