// Documents that users write, scratch files, and where runs lie on disk.

/** Folders of `assets` with documents that have an id. */
export type SampleFolder = 'sensors' | 'scenarios' | 'plants';

/** Documents that users write. Every method throws UnderstoryError 'not-found' | 'io' with the path. */
export interface Files {
  readText(path: string): Promise<string>;
  readBytes(path: string): Promise<Uint8Array>;
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
  /** Absolute paths of the files in a folder of assets, sorted. */
  listAssets(folder: SampleFolder): Promise<string[]>;
}

/** Files that live only as long as the work they are for. */
export interface ScratchFiles {
  /** Hands a free absolute name to `work` and removes the file afterwards. */
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
  /** Ids of the runs that have a folder, but for those in the trash. */
  list(): string[];
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
