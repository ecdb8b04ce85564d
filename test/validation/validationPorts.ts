// The real parts of the validation for tests: documents, worker, recordings, clock.
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createNodeClock } from '#hosts/node/nodeClock.ts';
import { createNodeFiles } from '#hosts/node/nodeFiles.ts';
import { createNodeMachine } from '#hosts/node/nodeMachine.ts';
import { createNodeProcessMeter } from '#hosts/node/nodeProcessMeter.ts';
import { createNodeScratchFiles } from '#hosts/node/nodeScratchFiles.ts';
import { assetsFolder, mutantsBinary, workerBinary } from '#hosts/packageFolders.ts';
import { createExporters } from '#recordings/export/exporters.ts';
import { createLogs } from '#recordings/log/logs.ts';
import { createRecordings } from '#recordings/recordings.ts';
import { createDocuments } from '#services/documents/documents.ts';
import type { BenchPorts } from '#validation/bench.ts';
import { createMutantLauncher, createWorkerLauncher } from '#workers/workerLauncher.ts';
import { withMotions } from '#services/movingWorkers.ts';
import { createMutex } from '#services/mutex.ts';

const log = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };

export function validationPorts(): BenchPorts {
  const mutants = mutantsBinary;
  const files = createNodeFiles({ assetsFolder });
  const options = { log, binary: workerBinary };
  return {
    files,
    documents: createDocuments({ files }),
    machine: createNodeMachine(),
    builds: createMutex(),
    recordings: createRecordings(),
    logs: createLogs(createExporters({ dataFolder: null })),
    scratch: createNodeScratchFiles({ dataFolder: join(tmpdir(), 'understory-validation') }),
    clock: createNodeClock(),
    meter: createNodeProcessMeter(),
    launcher: withMotions(createWorkerLauncher(options)),
    mutantLauncher:
      mutants === null
        ? null
        : (mutation) =>
            withMotions(createMutantLauncher({ ...options, binary: mutants }, mutation)),
    product: { version: 'test', simulatingSources: 's' },
  };
}

/** Neither stopped nor followed. */
export const unattended = { signal: new AbortController().signal, progress: () => {} };
