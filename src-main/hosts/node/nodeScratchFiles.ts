// The ScratchFiles port: files in the data folder that do not outlive the work they are for.
import { randomUUID } from 'node:crypto';
import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { isAlive } from '#recordings/export/partName.ts';
import type { ScratchFiles } from '#services/ports/files.ts';
import { makeFolders } from './makeFolders.ts';

/** Why in the data folder: what is measured on it should be the disk that runs are recorded on. */
export function createNodeScratchFiles({ dataFolder }: { dataFolder: string }): ScratchFiles {
  return {
    async use(extension, work) {
      const folder = join(dataFolder, 'scratch');
      makeFolders(folder);
      removeLeft(folder);
      const file = join(folder, `${process.pid}-${randomUUID()}.${extension}`);
      try {
        return await work(file);
      } finally {
        rmSync(file, { recursive: true, force: true });
      }
    },
  };
}

/** Files of processes that are gone. */
function removeLeft(folder: string): void {
  for (const name of readdirSync(folder)) {
    const pid = /^(\d+)-/.exec(name)?.[1];
    if (pid === undefined || !isAlive(Number(pid))) {
      rmSync(join(folder, name), { recursive: true, force: true });
    }
  }
}
