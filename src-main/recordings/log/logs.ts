// The adapter for the port `Logs`: files that appear under their name only when they are whole.
import type { Exporters } from '#services/ports/exporters.ts';
import type { Logs } from '#services/ports/logs.ts';
import { openAppendFile } from '#files/appendFile.ts';
import { openLog } from './logReader.ts';
import { openLogWriter } from './logWriter.ts';

/** Logs on disk. @param exporters for the rules of targets */
export function createLogs(exporters: Pick<Exporters, 'openTarget'>): Logs {
  return {
    async create(file, head, target) {
      const opened = await exporters.openTarget(file, target);
      const append = await openAppendFile(opened.aside, 'create', file);
      const abort = async (): Promise<void> => {
        // Why swallowed: what is removed need not be whole.
        await append.close().catch(() => undefined);
        await opened.abort();
      };
      try {
        return await openLogWriter(
          { append: (bytes) => append.append(bytes), abort },
          head,
          async () => {
            await append.sync();
            await append.close();
            await opened.finish();
          },
        );
      } catch (error) {
        await abort();
        throw error;
      }
    },
    open: openLog,
  };
}
