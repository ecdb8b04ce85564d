// The native worker's methods that measure: `bench.native` and `bench.raw`, as worker.ts gives the others.
import type { ScanRequest } from './worker.ts';

/**
 * `bench.native`: ScanRequest with the trajectory as columns, as `scan` takes them -> BenchNativeReply. One
 * timed pass of the whole pipeline, rows filled and hashed as `scan` does, nothing sent.
 */
export interface BenchNativeReply {
  pulses: number;
  rays: number;
  hits: number;
  /** Wall time. */
  seconds: number;
  /** Processor time of the whole process during the pass. */
  cpuSeconds: number;
  /** As ScanReply.hash. */
  hash: string;
  /** As BenchRawReply.directionHash, of the rays as they were traced, in a second pass that is not timed. */
  directionHash: string;
}

/**
 * `bench.raw`: BenchRawRequest with the trajectory as columns -> BenchRawReply. Embree alone on the very
 * rays of the scan: each thread lays the rays of a block of slots out untimed, in the packing's layout in
 * a buffer of one block, then traces them timed, with the same scene and as many threads. Packings take
 * turns block by block, so that all of them see the same state of the machine.
 */
export interface BenchRawRequest extends ScanRequest {
  /**
   * `single`, `stream`, `packet4`, `packet8` or `packet16`, and then an order: `-azimuth` (laser by laser
   * along the azimuth), `-columns` (the same, and the rays of each pulse sorted by azimuth, as `scan`),
   * `-rays` (16 pulses of one laser, one ray of the beam after the other), `-slots` (all lasers of a
   * slot, then the next slot). None given: all that the instruction set has.
   */
  packings?: string[];
}

export interface BenchPacking {
  name: string;
  /** Timed seconds, summed over the threads, divided by their number. */
  seconds: number;
  /** Processor time of the same, not divided. */
  cpuSeconds: number;
  /** Rays of the interval that met something within the range limits. */
  hits: number;
}

export interface BenchRawReply {
  pulses: number;
  rays: number;
  /** Of the packing that `scan` uses, to the last ray; in another, a ray in a million may fall differently. */
  hits: number;
  /**
   * xxh3-128 over the digests of the blocks of 64 slots in their order, each xxh3-128 over the directions
   * (three f32) of the block's rays in the interval, in order of pulse and ray; hex.
   */
  directionHash: string;
  /** Name of the packing that `scan` uses. */
  scanPacking: string;
  /** `single` among them unless others were asked for. */
  packings: BenchPacking[];
}
