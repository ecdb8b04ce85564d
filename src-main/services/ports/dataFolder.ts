// The data folder as files, for a check of it: what lies there, and the few changes that a repair makes.

export interface DataEntry {
  name: string;
  /** Relative to the data folder, with slashes. */
  path: string;
  /** 'other': links, pipes, sockets, devices. They are not followed. */
  kind: 'file' | 'folder' | 'other';
  bytes: number;
  modifiedMs: number;
  /** Permissions, as the operating system states them. */
  mode: number;
}

/** Paths are relative to the data folder. Every method throws UnderstoryError 'io'. */
export interface DataFolder {
  /** In alphabetical order; none where there is no folder. */
  entries(folder: string): Promise<DataEntry[]>;
  /** Whether a process of this machine has that number. */
  isAlive(pid: number): boolean;
  /** A file, or a folder with all that is in it. */
  remove(path: string): Promise<void>;
  /** Moves a file into the folder `set-aside`, under a name that is free; returns its new path. */
  setAside(path: string): Promise<string>;
  /** Only its owner may read the file then. */
  restrict(path: string): Promise<void>;
}
