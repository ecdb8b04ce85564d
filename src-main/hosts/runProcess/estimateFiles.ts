// Files of a run's estimate: logs of beams, gone when the run has ended. Why not by the exporters: a run process starts in
// a fraction of the time without them.
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createNodeScratchFiles } from '#hosts/node/nodeScratchFiles.ts';
import { takeName } from '#recordings/export/partFile.ts';
import { partNameOf } from '#recordings/export/partName.ts';
import { createLogs } from '#recordings/log/logs.ts';
import type { RunEstimatePorts } from '#services/runProcess/runEstimate.ts';

/** @param meshFolder in the folder of caches; undefined: there is none */
export function estimateFiles(
  meshFolder: string | undefined,
): Pick<RunEstimatePorts, 'logs' | 'scratch'> {
  const folder = meshFolder === undefined ? join(tmpdir(), 'understory') : dirname(meshFolder);
  return {
    scratch: createNodeScratchFiles({ dataFolder: folder }),
    logs: createLogs({
      openTarget: (file) => {
        const aside = partNameOf(file);
        return Promise.resolve({
          aside,
          finish: () => takeName(aside, file),
          abort: () => rm(aside, { force: true }),
        });
      },
    }),
  };
}
