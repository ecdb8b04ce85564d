// The port SceneImports on a thread: each import has its own, so that files of other programs hold up neither the host
// nor another import. Guarantees: a cancelled import ends the thread at once; one that takes more time or memory than
// what it has read justifies ends as bad input that names the file.
import type { SceneImports } from '#services/ports/sceneImports.ts';
import { documentName } from '#services/documents/documentFiles.ts';
import type { Log } from '#services/ports/system.ts';
import { convertFiles, type Conversion } from '#services/scenarios/convertFiles.ts';
import { entryFileBeside } from '../entryFile.ts';
import { createJobThread, type Job } from './jobThread.ts';
import type { WorkLimits } from './watchedThread.ts';

const entryFile = entryFileBeside(import.meta.url, 'importEntry');

/** @param log is told of imports whose threads were ended */
export function createThreadedImports(log?: Pick<Log, 'warn'>): SceneImports {
  return {
    async convert(request, { signal, progress: onProgress }) {
      const thread = createJobThread(entryFile, { log, isKept: true });
      let bytesRead = 0;
      const limits = (): WorkLimits => limitsOf(bytesRead);
      const ask = (name: keyof Conversion, file: string, ...args: unknown[]): Promise<unknown> => {
        const progress: Job['progress'] = (done, total, bytes = bytesRead) => {
          bytesRead = bytes;
          if (total > 0) onProgress({ phase: `reading ${documentName(file)}`, done, total });
        };
        return thread.run({ name, args, file, limits, signal, progress });
      };
      const conversion = {
        read: (file, given) => ask('read', file, file, given),
        join: (given) => ask('join', given.out, given),
      } as Conversion;
      try {
        return await convertFiles(conversion, request);
      } finally {
        thread.end();
      }
    },
  };
}

/**
 * Computing time since the last file was read, and memory, at most. Three to ten times what sound files take: 1.2 s and
 * 60 MB a megabyte of MAVS or HELIOS, which have 16 MB at most; 0.2 s and 6 MB a megabyte of glTF; 10 s and 1 GB for the
 * largest terrain, whatever its tiles take in the file: each that is read starts the time again.
 */
function limitsOf(bytes: number): WorkLimits {
  return {
    cpuS: 30 + Math.min(6e-6 * bytes, 100 + 1e-6 * bytes),
    memoryBytes: 2e9 + Math.min(1000 * bytes, 16e9 + 24 * bytes),
  };
}
