// The real parts of the validation for tests: documents, worker, clock.
import { createNodeClock } from '#hosts/nodeClock.ts';
import { createNodeFiles } from '#hosts/nodeFiles.ts';
import { createNodeMachine } from '#hosts/nodeMachine.ts';
import { assetsFolder, workerBinary } from '#hosts/packageFolders.ts';
import { createDocuments } from '#services/documents.ts';
import type { ValidationPorts } from '#services/validation/validate.ts';
import { createWorkerPool } from '#workers/workerPool.ts';

const log = { info: () => {}, warn: () => {}, error: () => {} };

export function validationPorts(): ValidationPorts {
  const files = createNodeFiles({ assetsFolder });
  return {
    files,
    documents: createDocuments({ files }),
    machine: createNodeMachine(),
    clock: createNodeClock(),
    pool: createWorkerPool({ log, binary: workerBinary }),
    mutantPool: (mutation) =>
      createWorkerPool({
        log,
        binary: workerBinary,
        environment: { UNDERSTORY_TEST: `mutation=${mutation}` },
      }),
    version: 'test',
  };
}

/** Neither stopped nor followed. */
export const unattended = { signal: new AbortController().signal, progress: () => {} };
