// The ScratchFiles port: files in the data folder that do not outlive the work they are for.
import { randomUUID } from 'node:crypto';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import type { ScratchFiles } from '#services/ports/files.ts';
import { makeFolders } from './makeFolders.ts';

/** Why in the data folder: what is measured on it should be the disk that runs are recorded on. */
export function createNodeScratchFiles({ dataFolder }: { dataFolder: string }): ScratchFiles {
  return {
    async use(extension, work) {
      const folder = join(dataFolder, 'scratch');
      makeFolders(folder);
      const file = join(folder, `${randomUUID()}.${extension}`);
      try {
        return await work(file);
      } finally {
        rmSync(file, { force: true });
      }
    },
  };
}
