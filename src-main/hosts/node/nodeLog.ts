// The Log port: JSON lines in DATA/understory.log, and warnings to a listener that shows them. Guarantees: logging
// never throws. A log that cannot be opened or written is reported once, and lines are dropped until it can be again.
// It takes twice its limit at most: beyond that the file becomes understory.log.1, in place of the one before.
import {
  closeSync,
  constants,
  fstatSync,
  openSync,
  renameSync,
  statSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { pino } from 'pino';
import type { Log, LogLevel } from '#services/ports/system.ts';

export interface NodeLogOptions {
  /** Exists. */
  dataFolder: string;
  /** Lines below it are not written. Default: 'info'. */
  level?: LogLevel | undefined;
  /** Largest size of one file. Default: 16 MB. */
  maxBytes?: number;
  /** Called beside writing, for warnings and errors. */
  onWarning?: ((message: string) => void) | undefined;
}

/** Opens the log file, or makes it. */
export function createNodeLog({
  dataFolder,
  level = 'info',
  maxBytes = 16_000_000,
  onWarning,
}: NodeLogOptions): Log {
  const logger = pino(
    { level, base: { pid: process.pid }, timestamp: pino.stdTimeFunctions.isoTime },
    appendedLines(join(dataFolder, 'understory.log'), maxBytes, onWarning),
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

/** As 'a'; a pipe of that name does not hold up the process. */
const appending =
  constants.O_WRONLY | constants.O_APPEND | constants.O_CREAT | constants.O_NONBLOCK;

/**
 * Why not pino's own destination: it throws where the disk is full or the file cannot be opened, in the middle of
 * whatever was to be logged. Why synchronous: a line about a crash must be on disk before the crash.
 */
function appendedLines(
  file: string,
  maxBytes: number,
  onWarning: NodeLogOptions['onWarning'],
): { write: (line: string) => void } {
  let descriptor: number | null = null;
  let isFailing = false;
  /** Written since the file was looked at; at first it is looked at once. */
  let unchecked = Infinity;
  return {
    write(line) {
      try {
        descriptor ??= openSync(file, appending);
        if (unchecked > maxBytes / 256) {
          descriptor = rotated(file, descriptor, maxBytes);
          unchecked = 0;
        }
        unchecked += writeSync(descriptor, line);
        isFailing = false;
      } catch (error) {
        if (!isFailing) onWarning?.(`the log cannot be written: ${(error as Error).message}`);
        isFailing = true;
      }
    },
  };
}

/** The descriptor to go on with: another one where this process, or another, has put the file aside. */
function rotated(file: string, descriptor: number, maxBytes: number): number {
  const { ino, size } = fstatSync(descriptor);
  const isCurrent = statSync(file, { throwIfNoEntry: false })?.ino === ino;
  if (isCurrent && size < maxBytes) return descriptor;
  if (isCurrent) renameSync(file, `${file}.1`);
  const next = openSync(file, appending);
  closeSync(descriptor);
  return next;
}
