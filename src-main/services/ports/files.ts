// Documents that users write, scratch files, and where runs lie on disk.

import type { TextJobs } from '#domain/scenario/textJobs.ts';
import type { Steps } from '#domain/shared/steps.ts';

/** Folders of `assets` with documents that have an id. */
export type SampleFolder =
  'sensors' | 'scenarios' | 'plants' | 'species' | 'campaigns' | 'validation' | 'manual';

/**
 * Documents that users write, and the files that they name: regular files only, within limits of size and time.
 * Every method throws UnderstoryError 'not-found' | 'io' with the path, what reads also 'bad-input' for a file of
 * another kind or beyond its limit, and 'cancelled'.
 */
export interface Files {
  /** Jobs on texts: on another thread where they are long. */
  readonly texts: TextJobs;
  /** UTF-8, 16 MB at most. */
  readText(path: string, signal?: AbortSignal): Promise<string>;
  /** A whole file of at most `maxBytes`. */
  readBytes(path: string, maxBytes: number, signal?: AbortSignal): Promise<Uint8Array>;
  /** Bytes of a file. */
  size(path: string, signal?: AbortSignal): Promise<number>;
  /**
   * SHA-256, hex, of a file of at most `maxBytes` (default: of any size); known ones are not read again while nothing says
   * that they changed.
   */
  hash(path: string, signal?: AbortSignal, maxBytes?: number): Promise<string>;
  /** The same, read in any case; `onBytes` is called with the size of each piece. */
  freshHash(path: string, onBytes: (bytes: number) => void, signal?: AbortSignal): Promise<string>;
  /** SHA-256, hex, of a text in pieces, as UTF-8; other work gets its turn between them. */
  hashOf(pieces: Iterable<string>): Promise<string>;
  /** Contents that no file has: the result of the steps; other work gets its turn between them. */
  generated<T>(steps: Steps<T>, signal?: AbortSignal): Promise<T>;
  /** The file in pieces; `take` is awaited, and ends the reading where it gives false. */
  pieces(
    path: string,
    take: (bytes: Uint8Array) => unknown,
    signal?: AbortSignal,
    maxBytes?: number,
  ): Promise<void>;
  /** A file of any size, open for `use`. */
  ranges<T>(path: string, use: (file: RangedFile) => Promise<T>, signal?: AbortSignal): Promise<T>;
  /** As `pieces`, as UTF-8. @throws UnderstoryError 'corrupt' too, for what has no lines */
  textPieces(path: string, take: (text: string) => unknown, signal?: AbortSignal): Promise<void>;
  /** Size of a PNG of 16-bit grey. @throws UnderstoryError 'bad-input' too for what is none */
  greyPicture(path: string, signal?: AbortSignal): Promise<{ columns: number; rows: number }>;
  /** Its rows from the top, in an array that is used again; `begin` is called with the size first. */
  readGreyPicture(
    path: string,
    begin: (size: { columns: number; rows: number }) => (row: number, values: Uint16Array) => void,
    signal?: AbortSignal,
  ): Promise<{ columns: number; rows: number }>;
  exists(path: string): Promise<boolean>;
  /** Absolute path of `path` seen from the folder of the file `from`. */
  resolveFrom(from: string, path: string): string;
  isAbsolute(path: string): boolean;
  /** `target` as seen from the folder of the file `from`: the reverse of resolveFrom. */
  pathFrom(from: string, target: string): string;
  /**
   * Writes a whole file: aside, synced, renamed, so that there is the old one or the new one at any time.
   * Its folder is made where only that is missing. @throws UnderstoryError 'disk-full' too
   */
  writeText(path: string, text: string): Promise<void>;
  /** As writeText, for bytes. */
  writeBytes(path: string, bytes: Uint8Array): Promise<void>;
  /**
   * Writes files, as writeText and writeBytes do, and ends with the result of `check`. Where a file cannot be written,
   * or `check` throws, new files are removed and replaced ones are as they were.
   */
  writeChecked<T>(
    written: readonly { path: string; content: string | Uint8Array }[],
    check: () => Promise<T>,
  ): Promise<T>;
  /** Well-known text of a coordinate system, in any unit, by its EPSG code; null: there is none. */
  coordinateSystem(epsgCode: number): Promise<string | null>;
  /** Absolute paths of the files in a folder of assets, sorted. */
  listAssets(folder: SampleFolder): Promise<string[]>;
  /** Names in a folder, sorted; hidden ones, and what is neither folder nor regular file, are left out. */
  listFolder(path: string): Promise<{ folders: string[]; files: string[] }>;
}

/** A file that is read by ranges. */
export interface RangedFile {
  readonly bytes: number;
  /** So many bytes from `offset` on; fewer where the file ends before. */
  read(offset: number, length: number): Promise<Uint8Array<ArrayBuffer>>;
}

/** Files that live only as long as the work they are for. */
export interface ScratchFiles {
  /** Gives a free absolute path to `work` and removes the file, or folder, afterwards. */
  use<T>(extension: string, work: (file: string) => Promise<T>): Promise<T>;
}

/**
 * Where runs lie on disk: one folder for each, moved to the trash, and removed from there only. Every path follows
 * from the data folder and the run's id, so that the folder can be moved and copied.
 */
export interface RunFolders {
  readonly dataFolder: string;
  /** Makes the folder of a new run. */
  create(runId: string): RunFiles;
  files(runId: string): RunFiles;
  /** Where the recording is now: in the run's folder, or in the trash. It need not exist. */
  recordingFile(runId: string): string;
  /** Size of the recording, or null where there is none. */
  recordingBytes(runId: string): number | null;
  /** A file in the folder of a run, which may be in the trash. It need not exist. */
  sideFile(runId: string, name: string): string;
  /** A file of the data folder, from its name there, such as `meshes/…`. */
  dataFile(name: string): string;
  /** Removes the folder of a run that could not be taken from elsewhere, and `others`, files that came with it. */
  discard(runId: string, others: readonly string[]): void;
  /** Removes a recording that could not be taken from elsewhere. */
  removeRecording(runId: string): void;
  /** Held by the process that executes the campaign of this name; its folder is made. */
  campaignLockFile(name: string): string;
  /** Ids of the runs that have a folder, but for those in the trash. */
  list(): string[];
  /**
   * Removes what a process that was killed left of a run: journals of locks, the beginning of a recording's head; and
   * the folder where it holds nothing else and `hasRow` is false. Returns whether the folder is gone. None may hold
   * the run's locks.
   */
  removeLeftovers(runId: string, hasRow: boolean): boolean;
  moveToTrash(runId: string): void;
  restoreFromTrash(runId: string): void;
  /** Removes a run in the trash permanently; returns the size of its recording. */
  removeFromTrash(runId: string): number;
}

export interface RunFiles {
  recordingFile: string;
  /** Held by the run process while it lives. */
  lockFile: string;
  /** Held by the host that started the run, while it lives. */
  hostLockFile: string;
}
