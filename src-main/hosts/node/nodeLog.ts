// The Log port: JSON lines in DATA/understory.log, and warnings to whoever wants to show them. Guarantees: logging
// never throws. A log that cannot be opened or written is reported once, and lines are dropped until it can be again.
import { openSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { pino } from 'pino';
import type { Log, LogLevel } from '#services/ports/system.ts';

export interface NodeLogOptions {
  /** Exists. */
  dataFolder: string;
  /** Lines below it are not written. Default: 'info'. */
  level?: LogLevel | undefined;
  /** Called beside writing, for warnings and errors. */
  onWarning?: ((message: string) => void) | undefined;
}

/** Opens the log file, or makes it. */
export function createNodeLog({ dataFolder, level = 'info', onWarning }: NodeLogOptions): Log {
  const logger = pino(
    { level, base: { pid: process.pid }, timestamp: pino.stdTimeFunctions.isoTime },
    appendedLines(join(dataFolder, 'understory.log'), onWarning),
  );
  return {
    debug: (message, details = {}) => logger.debug(details, message),
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

/**
 * Why not pino's own destination: it throws where the disk is full or the file cannot be opened, in the middle of
 * whatever was to be logged. Why synchronous: a line about a crash must be on disk before the crash.
 */
function appendedLines(
  file: string,
  onWarning: NodeLogOptions['onWarning'],
): { write: (line: string) => void } {
  let descriptor: number | null = null;
  let isFailing = false;
  return {
    write(line) {
      try {
        descriptor ??= openSync(file, 'a');
        writeSync(descriptor, line);
        isFailing = false;
      } catch (error) {
        if (!isFailing) onWarning?.(`the log cannot be written: ${(error as Error).message}`);
        isFailing = true;
      }
    },
  };
}
