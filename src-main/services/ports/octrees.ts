// Octrees of large clouds: files in the cache that are made from a cloud once and read by node; and the returns of scans,
// which are nowhere else until their octree is made.
import type { StatedSystem } from '#domain/shared/systemUnits.ts';
import type { Columns } from '#contract/columns.ts';
import type {
  CloudNodeColumns,
  OctreeHead,
  OctreeNodeColumns,
} from '#contract/host/cloudMethods.ts';

export interface Octrees {
  /** Null: it has not been made, was removed, or is damaged. @param key SHA-256 of what it is made from */
  find(key: string): Promise<OctreeReader | null>;
  /**
   * Makes the octree of the returns of a cloud and removes those that were not used for longest.
   * @throws UnderstoryError 'disk-full' | 'io' | 'cancelled', 'unsupported' where no octree can hold the cloud, and as the
   * reader of its source
   */
  build(cloud: CloudToBuild, options: BuildOptions): Promise<OctreeReader>;
  /**
   * Makes the octree whose points have their distances to another cloud.
   * @throws UnderstoryError 'disk-full' | 'io' | 'cancelled', 'unsupported' for a cloud that does not fit in memory, 'not-found'
   * where one of the two has left the cache: it can be opened again
   */
  measure(clouds: CloudsToMeasure, options: BuildOptions): Promise<OctreeReader>;
  /** Takes the returns of a scan. */
  saveScan(scan: ScanToSave): ScanSaver;
  /** A scan that was saved; null: it left the cache. @param key of ScanSaver.save */
  savedScan(key: string): Promise<CloudToBuild | null>;
  /** The head of a file of points. @throws UnderstoryError 'not-found' | 'io' | 'corrupt' | 'unsupported' | 'bad-input' */
  pointFile(file: string, signal: AbortSignal): Promise<{ points: number; system: StatedSystem }>;
  /** Closes the files that are open. */
  dispose(): Promise<void>;
}

interface NamedCloud {
  file: string;
  /** Key of the octree. */
  key: string;
  /** At least as many as there are. */
  returns: number;
}

/** A source of an octree. `sensor`: its place in the scenario; null: all. */
export type CloudToBuild =
  | (NamedCloud & { kind: 'log' | 'scan' })
  /** `metres`: of a unit of x and y, and of z. */
  | (NamedCloud & { kind: 'points'; metres: { level: number; height: number } })
  | (NamedCloud & { kind: 'recording'; sensor: number | null });

/** Keys of two octrees that are in the cache, and that of the one to make. */
export interface CloudsToMeasure {
  from: string;
  to: string;
  key: string;
}

export interface ScanToSave extends Pick<OctreeHead, 'originM' | 'classes'> {
  /** Nothing is saved of a scan without more than so many returns. */
  heldReturns: number;
}

/** The returns of a scan under way. */
export interface ScanSaver {
  /** With the columns x_m, y_m, z_m, intensity and class_id. @throws UnderstoryError 'disk-full' | 'io' */
  add(table: Columns): Promise<void>;
  /** Saves them by this name; false: there are too few. @throws as `add` */
  save(key: string): Promise<boolean>;
  /** Leaves nothing that was not saved. */
  end(): Promise<void>;
}

export interface BuildOptions {
  signal: AbortSignal;
  /** Keys of octrees that stay where room is needed. */
  keep?: readonly string[];
  progress: (done: number, total: number) => void;
}

export interface OctreeReader {
  readonly head: OctreeHead;
  /** A row for each node. */
  readonly nodes: OctreeNodeColumns;
  /** The points of a node, by its row. @throws UnderstoryError 'corrupt' | 'io' */
  points(node: number): Promise<CloudNodeColumns>;
}
