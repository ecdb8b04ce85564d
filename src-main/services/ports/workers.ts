// Native workers as the services see them: supervised. Calls are answered in turn, but for `scan.write`.
import type { PackedRecord, RowTemplate, WriteRequest } from '#contract/worker/rowTemplate.ts';
import type { Isa, Progress, WorkerHello } from '#contract/worker/worker.ts';
import type {
  WorkerChunk,
  WorkerMethodName,
  WorkerReply,
  WorkerRequest,
} from '#contract/worker/workerMethods.ts';
import type { CarriedBy } from '#domain/scene/vehicleBody.ts';

export interface WorkerLauncher {
  /**
   * Starts a supervised worker. With `ranks` it is an MPI program of so many processes, each with `threads` (null: one),
   * which is not brought back: a lost rank ends the call. @throws 'worker-lost' | 'unsupported'
   */
  open(options: {
    isa: Isa | null;
    threads: number | null;
    ranks?: number | null;
  }): Promise<ScanWorker>;
}

export interface WorkerCallOptions {
  signal?: AbortSignal;
  /** For methods that trace pulses: the vehicle's own body is in the scan. Left out: no vehicle carries the sensor. */
  carriedBy?: CarriedBy;
  /** Likewise: puffs of dust (puffColumns) that the wheels of that vehicle have raised. */
  raisedDust?: readonly number[];
  onProgress?: (progress: Progress) => void;
}

/** Chunks go to `onChunk`, each once, in order. */
export interface MethodOptions<M extends WorkerMethodName> extends WorkerCallOptions {
  onChunk?: (chunk: WorkerChunk<M>) => void | Promise<void>;
}

/** A request to pack rows: the worker's template, with the bytes before and after the rows. */
export interface RowPacking {
  template: Omit<RowTemplate, 'beforeBytes' | 'afterBytes'>;
  before: Uint8Array;
  after: Uint8Array;
  /** With a grid: what its cells hold without a return, for each of its rows. */
  blank?: Uint8Array;
  /** The recording cuts these rows into messages: they are no message as they are. Left out: no. */
  isRaw?: true;
}

/** A place in a file that this process has open, for a frame with a head and a tail. */
export interface FramePlace extends Omit<WriteRequest, 'stored'> {
  head: Uint8Array;
  tail: Uint8Array;
}

/** A frame in the memory of the worker. */
export interface StoredFrame {
  /**
   * The worker writes head, frame and tail, once. Gives the CRC-32 of all up to the end of the tail, or null where that
   * is not possible: the frame was lost with its process, or the file is not at its place.
   * @throws UnderstoryError 'disk-full' | 'io'
   */
  write(place: FramePlace): Promise<number | null>;
  /** The frame, from another scan. */
  rescan(): Promise<Uint8Array>;
}

/** All rows of a scan as one record; `frame` is the record compressed, one zstd frame; null: only its checksum is wanted. */
export interface PackedRows extends Omit<PackedRecord, 'stored'> {
  frame: Uint8Array | StoredFrame | null;
  /** As of its packing. */
  isRaw?: true;
}

/**
 * A supervised native worker. When its process dies it is restarted (with back-off, at most 5 times),
 * its scene is built again and the call under way is asked again; chunks already taken are not repeated.
 */
export interface ScanWorker {
  readonly hello: WorkerHello;
  /** Calls a method of contract/worker/workerMethods.ts; `columns` are those of its request. */
  call<M extends WorkerMethodName>(
    method: M,
    body: WorkerRequest<M>['body'],
    columns: WorkerRequest<M>['columns'],
    options?: MethodOptions<M>,
  ): Promise<WorkerReply<M>>;
  /** The highest that a reply stated. */
  readonly peakRssBytes: number;
  /** Process id of the live process: its memory and time are measured by it. */
  readonly pid: number;
  dispose(): Promise<void>;
}
