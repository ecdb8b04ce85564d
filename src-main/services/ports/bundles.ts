// Bundles: files that carry runs from one data folder to another (recordings/bundle/BUNDLE.md).

/** An entry as a bundle's manifest states it. */
export interface BundleEntry {
  name: string;
  /** Before compression. */
  bytes: number;
  /** Hex. */
  sha256: string;
}

export interface BundleOptions {
  signal?: AbortSignal;
  /** Bytes before compression that were read or written so far. */
  onBytes?: (bytes: number) => void;
}

/** A bundle that is written aside until it is whole. Every method throws UnderstoryError 'disk-full' | 'io' | 'cancelled'. */
export interface BundleWriter {
  /** Files for what is packed and must lie beside it: removed at the end, whatever it is. */
  scratchName(ending: string): string;
  /** Adds bytes, compressed. Entries come in ascending order of their names. */
  add(name: string, bytes: Uint8Array): Promise<void>;
  /** Adds a file of any size, piece by piece. @param isCompressed false where its bytes are compressed already */
  addFile(name: string, file: string, isCompressed: boolean): Promise<void>;
  /** Adds the manifest and gives the file its name. Returns its size. */
  finish(runs: readonly string[]): Promise<number>;
  /** Removes what was written. */
  abort(): Promise<void>;
}

/** A bundle whose table of contents agrees with its manifest. */
export interface BundleReader {
  readonly entries: ReadonlyMap<string, BundleEntry>;
  /** Identities. */
  readonly runs: readonly string[];
  /** The bytes of an entry of at most 256 MB. @throws 'corrupt' where there is none, or it has been changed */
  read(name: string): Promise<Uint8Array>;
  /**
   * Writes an entry into a file, aside until it is whole and has its hash. The folder is made.
   * @throws 'corrupt' | 'disk-full' | 'io' | 'cancelled'
   */
  extract(name: string, file: string): Promise<void>;
  /**
   * Reads all that was not read before. @param shared the entries outside of the folders of runs that they use
   * @throws 'corrupt' for an entry that no run uses, or that has been changed
   */
  checkAll(shared: ReadonlySet<string>): Promise<void>;
  close(): Promise<void>;
}

/** Kind of a file or folder, by its first bytes. */
export type Unpackable = 'bundle' | 'recording' | 'data-folder';

export interface Bundles {
  /** @throws UnderstoryError 'bad-input' | 'not-found' for a target that may not be written */
  create(file: string, isReplacing: boolean, options: BundleOptions): Promise<BundleWriter>;
  /**
   * Opens and checks names, links, sizes and compression ratios. Bytes are checked where they are read, and by checkAll.
   * @throws UnderstoryError 'corrupt', 'unsupported' for a newer format, 'not-found', 'io', 'cancelled'
   */
  open(file: string, options: BundleOptions): Promise<BundleReader>;
  /** @throws UnderstoryError 'not-found', 'bad-input' for anything else */
  kindOf(path: string): Promise<Unpackable>;
  /** Bytes in a file. @throws UnderstoryError 'not-found' | 'io' */
  sizeOf(path: string): Promise<number>;
  /** Adds bytes at the end of a file, which is made. @throws 'disk-full' | 'io' */
  append(file: string, bytes: Uint8Array): Promise<void>;
  /** Copies a file, aside until it is whole. The folder is made. @throws 'disk-full' | 'io' | 'cancelled' */
  copy(from: string, to: string, options: BundleOptions): Promise<void>;
}
