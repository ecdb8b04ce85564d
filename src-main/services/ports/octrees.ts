// Octrees of large clouds: files in the cache that are made from a cloud once and read by node.
import type {
  CloudNodeColumns,
  OctreeHead,
  OctreeNodeColumns,
} from '#contract/host/cloudMethods.ts';

export interface Octrees {
  /** Null: it has not been made, was removed, or is damaged. @param key SHA-256 of what it is made from */
  find(key: string): Promise<OctreeReader | null>;
  /**
   * Makes the octree of the returns of a log and removes those that were not used for longest.
   * @throws UnderstoryError 'disk-full' | 'io' | 'cancelled', 'unsupported' where no octree can hold the cloud, and as
   * Logs.open
   */
  build(log: LogToBuild, options: BuildOptions): Promise<OctreeReader>;
  /** Closes the files that are open. */
  dispose(): Promise<void>;
}

/** A log that was opened: its name, its hash and how many returns it states. */
export interface LogToBuild {
  file: string;
  key: string;
  returns: number;
}

export interface BuildOptions {
  signal: AbortSignal;
  progress: (done: number, total: number) => void;
}

export interface OctreeReader {
  readonly head: OctreeHead;
  /** A row for each node. */
  readonly nodes: OctreeNodeColumns;
  /** The points of a node, by its row. @throws UnderstoryError 'corrupt' | 'io' */
  points(node: number): Promise<CloudNodeColumns>;
}
