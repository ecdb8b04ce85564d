// Logs on disk: beams with poses in chunks (recordings/log/LOG.md).
import type { LogCounts, LogHead, LogTable } from '#contract/log/log.ts';
import type { ExportTarget } from './exporters.ts';

export interface Logs {
  /**
   * Starts a file aside. Equal heads and beams give equal bytes.
   * @throws UnderstoryError 'bad-input' | 'not-found' | 'disk-full' | 'io', here and in every method
   */
  create(file: string, head: LogHead, target: ExportTarget): Promise<LogWriter>;
  /**
   * Reads head and summary. @throws UnderstoryError 'not-found' | 'io', 'corrupt' for a file that is cut off or damaged
   * or no log, 'unsupported' for one of a newer version
   */
  open(file: string): Promise<LogReader>;
}

export interface LogWriter {
  /** Appends the first `beams` rows. @throws RangeError for values that no log has: a bug of the caller */
  write(table: LogTable, beams: number): Promise<void>;
  /** Syncs and gives the file its name. */
  close(): Promise<{ counts: LogCounts; hash: string }>;
  /** Removes what was written. */
  abort(): Promise<void>;
}

/** A chunk as the summary states it. */
export interface LogChunkStatistics {
  /** Offset of its section from the start of the file. */
  offset: number;
  beams: number;
  fromNs: bigint;
  toNs: bigint;
  /** Box of origins and ends of returns, relative to the head's originM. */
  minM: [number, number, number];
  maxM: [number, number, number];
}

export interface LogReader {
  readonly head: LogHead;
  readonly counts: LogCounts;
  readonly chunks: readonly LogChunkStatistics[];
  /** SHA-256 of the contents, hex, as the file states it. */
  readonly hash: string;
  /**
   * All beams in order, some thousand at a time, so that others on this thread get their turn in between. @throws
   * UnderstoryError 'corrupt' for a damaged chunk, with its offset, and at the end where the hash differs
   */
  tables(): AsyncGenerator<{ table: LogTable; beams: number }>;
  close(): Promise<void>;
}
