// Logs, learned models and files of points in the data folder.

/** Folders of the data folder with files that a person made: they may be written, moved and deleted. */
export type DataFileFolder = 'logs' | 'models' | 'clouds';

export interface DataFile {
  /** Absolute. */
  file: string;
  bytes: number;
  modifiedMs: number;
}

export interface DataFiles {
  /** Absolute; it need not exist. */
  folder(name: DataFileFolder): string;
  /** The newest first, of this ending, at most 200; none where there is no folder. */
  list(name: DataFileFolder, ending: string): Promise<DataFile[]>;
  /** @throws UnderstoryError 'not-found' | 'io' */
  find(file: string): Promise<DataFile>;
  /** Its first bytes, at most so many. @throws UnderstoryError 'not-found' | 'io' */
  readStart(file: string, maxBytes: number): Promise<Uint8Array>;
  /**
   * Makes the folder of a file that is to be written, where it is one of the data folder.
   * @throws UnderstoryError 'bad-input' for another place in the data folder, 'io'
   */
  prepareTarget(file: string): Promise<void>;
  /** Moves a file of the data folder there, under a name like this that is free. Its path. @throws UnderstoryError 'io' */
  take(file: string, folder: DataFileFolder, name: string): Promise<string>;
}
