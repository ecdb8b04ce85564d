// A kind of recordings of other programs: it declares itself in one file, and a line in logSources.ts lists it.
import type { LogSourceReader, OpenOptions } from '#services/ports/logSources.ts';

/** A file or folder, as kinds are told from it. */
export interface ForeignPath {
  path: string;
  isFolder: boolean;
  /** Names in the folder, 10.pcd after 9.pcd; of a file its own path alone. */
  names: readonly string[];
}

export interface ForeignSource {
  detects(found: ForeignPath): boolean;
  /** Poses are read. @throws as LogSources.open */
  open(found: ForeignPath, options: OpenOptions): Promise<LogSourceReader>;
}
