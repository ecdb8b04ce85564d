// The Log port: JSON lines in DATA/understory.log, and warnings to whoever wants to show them.
import { join } from 'node:path';
import { pino } from 'pino';
import type { Log } from '#services/ports/system.ts';
import { makeFolders } from './makeFolders.ts';

export interface NodeLogOptions {
  dataFolder: string;
  /** Called beside writing, for warnings and errors. */
  onWarning?: ((message: string) => void) | undefined;
}

/** Opens the log file, and makes its folder. */
export function createNodeLog({ dataFolder, onWarning }: NodeLogOptions): Log {
  makeFolders(dataFolder);
  // Why sync: a line about a crash must be on disk before the crash.
  const file = pino.destination({ dest: join(dataFolder, 'understory.log'), sync: true });
  const logger = pino(
    { base: { pid: process.pid }, timestamp: pino.stdTimeFunctions.isoTime },
    file,
  );
  return {
    info: (message, details = {}) => logger.info(details, message),
    warn: (message, details = {}) => {
      logger.warn(details, message);
      onWarning?.(message);
    },
    error: (message, details = {}) => {
      logger.error(details, message);
      onWarning?.(message);
    },
  };
}
