// Results of the benchmarks: replies of bench.scan, bench.nav, bench.scaling and bench.memory, and the contents
// of their --json files. Rates are medians over the repeats; ratios are taken within one repeat.
import type { LearnedKind } from '../worker/learnedModel.ts';
import type { Isa } from '../worker/worker.ts';

/** How fast one variant of carrying out a scan is. */
export interface ScanSpeed {
  mraysPerSecond: number;
  mpulsesPerSecond: number;
  /** Simulated seconds in a second. */
  realTimeFactor: number;
  /** Rays per second against those of `raw`'s best packing. */
  ratioToRaw: number;
  /** User and system time of the worker and of this process. */
  coreSecondsPerSimSecond: number;
  /** Rays that met something. */
  hits: number;
  /** Hash of the directions of all rays, hex. */
  directionHash: string;
}

export interface RecordedSpeed extends ScanSpeed {
  /** Compressed bytes of the clouds over their returns. */
  bytesPerReturn: number;
}

export interface SurveySpeed extends ScanSpeed {
  /** Poses of the trajectory that was sent: one for each time at which pulses leave. */
  poses: number;
  /** Rays per second against those of `native`. */
  ratioToNative: number;
}

/** The panorama of a tripod scanner in the same scene: the native pipeline against Embree alone. */
export interface PanoramaSpeed {
  sensor: string;
  rawMraysPerSecond: number;
  mraysPerSecond: number;
  ratioToRaw: number;
  hits: number;
  rawHits: number;
  directionHash: string;
  rawDirectionHash: string;
}

/** The part of a scene that raw tracing meets: instances that move or sway are not in it. */
export type RawPart = 'whole scene' | 'stationary part';

/** Embree alone on the very rays of the scan, which lie ready in memory. */
export interface RawSpeed {
  part: RawPart;
  mraysPerSecond: number;
  realTimeFactor: number;
  /** Tracing alone. */
  coreSecondsPerSimSecond: number;
  hits: number;
  directionHash: string;
  /** Every variant of handing the rays over that was tried; 'single' is one by one. */
  packings: { name: string; mraysPerSecond: number }[];
}

/** Another scene with the same sensor, in every repeat. */
export interface ReferenceSpeed {
  scene: string;
  mpulsesPerSecond: number;
  /** Pulses per second of `native` over those here, the median of the repeats. */
  ratio: number;
  /** The same of pulses per core-second, which other work on the machine changes less. */
  coreRatio: number;
}

export interface ScanBench {
  scene: string;
  sensor: string;
  threads: number;
  isa: Isa;
  instancedTriangles: number;
  /** Time to build the scene, in the worker. */
  buildSeconds: number;
  /** From starting the worker to the end of the first scan of 0.1 s. */
  firstScanSeconds: number;
  /** Resident memory of the worker after the first scan, plus that of this process. */
  peakRssMB: number;
  raw: RawSpeed;
  /** The whole pipeline in the worker: pulses, rays, returns, columns. */
  native: ScanSpeed;
  /** The same, sent to TypeScript as typed arrays. */
  worker: ScanSpeed;
  /** As a drive records it: packed, compressed, written to a file; the cloud with ground truth alone. */
  recorded: RecordedSpeed;
  /** The same with the cloud of the sensor's driver beside it, as drives record by default. */
  bothClouds: RecordedSpeed;
  /** As `scan` runs a survey: one call with all poses, rows as typed arrays. */
  survey: SurveySpeed;
  panorama: PanoramaSpeed;
  /** Volume elements and points of learned models, voxels with leaves, as models have them. */
  elements: number;
  /** The native pipeline in the scene that was asked for to compare with; null: none was. */
  reference: ReferenceSpeed | null;
  repeats: number;
  /** Simulated time of one repeat. */
  simSeconds: number;
  /** (largest - smallest) / median of the rays per second over the repeats. */
  spread: {
    raw: number;
    native: number;
    worker: number;
    recorded: number;
    bothClouds: number;
    survey: number;
  };
}

/** Seconds for each simulated second. */
export interface SerialSeconds {
  /** Main threads, by the time in which their event loops were busy: on full machines also what they wait for a core. */
  runBusy: number;
  hostBusy: number;
  /** The same by processor time. */
  runCpu: number;
  hostCpu: number;
  /** Processor time of the worker's thread that takes rows in order. */
  writerCpu: number;
}

/** A closed loop, everything on, against raw tracing of the same sensor in the same scene. */
export interface NavBench {
  scene: string;
  sensor: string;
  threads: number;
  isa: Isa;
  simSeconds: number;
  /** From the first tick to the last byte on disk. */
  wallSeconds: number;
  realTimeFactor: number;
  /** Embree alone, on the rays of the same sensor at the start of the drive. */
  rawRealTimeFactor: number;
  rawPart: RawPart;
  ratioToRaw: number;
  /** User and system time of the run process and its worker, building apart. */
  coreSecondsPerSimSecond: number;
  /** The threads of which there is one, however many trace. */
  serialSecondsPerSimSecond: SerialSeconds;
  /** Bytes that run process and worker read and wrote, pipes included, over the returns. */
  bytesCopiedPerReturn: number;
  peakRssMB: number;
  /** Planning again on the map of the drive: costs taken over, A*, corners cut. */
  planMs: { plans: number; median: number; p95: number; most: number };
  /** A* on a map of the same size with the goal walled in, so that all of it is searched: median. */
  walledInMs: number;
  runId: string;
}

/** Figure 3 of Goodin 2018: how speed grows with threads. */
export interface ScalingBench {
  scene: string;
  sensor: string;
  isa: Isa;
  /** Efficiency: rays per second against `threads` times those of one thread. */
  native: { threads: number; mraysPerSecond: number; efficiency: number }[];
  /** MPI ranks of one thread each, where they were asked for; `native` is empty then. */
  ranks?: RankSpeed[];
  repeats: number;
}

export interface RankSpeed {
  n: number;
  mraysPerSecond: number;
  /** Rays per second against one process with `n` threads, in turns. */
  ratioToThreads: number;
}

/** Table 1 of Gschwandtner 2011 beside this machine. */
export interface BlensorBench {
  outputs: {
    output: string;
    /** In table 1. */
    publishedSeconds: number;
    /** From the request to the last row as typed arrays. */
    scanSeconds: number;
    /** The same with the start of the worker and the building of the scene. */
    wholeSeconds: number;
    /** User and system time of the worker and of this process, of the scan. */
    coreSeconds: number;
    /** Published seconds over those of the scan. */
    ratio: number;
    rows: number;
  }[];
  /** In all instances. */
  vertices: number;
  triangles: number;
  threads: number;
  isa: Isa;
  repeats: number;
  /** Simulated time of an output. */
  simSeconds: number;
}

/** Speed and memory of the worker as a landscape grows. */
export interface GrowthBench {
  scenario: string;
  sensor: string;
  isa: Isa;
  scenes: {
    /** In all instances. */
    triangles: number;
    instances: number;
    /** With the time to assemble the scene. */
    buildSeconds: number;
    peakRssMB: number;
    mraysPerSecond: number;
  }[];
  /** Exponents of the number of triangles, by least squares of logarithms. */
  law: { raysExponent: number; memoryExponent: number };
}

/** Seconds and memory of learning as a log grows. */
export interface LearnBench {
  isa: Isa;
  models: {
    model: LearnedKind;
    logs: {
      beams: number;
      /** Elements, triangles and points. */
      parts: number;
      seconds: number;
      peakRssMB: number;
    }[];
    /** Exponents of the number of beams, by least squares of logarithms; null: there is one log. */
    law: { secondsExponent: number | null; memoryExponent: number | null };
  }[];
}

/** Memory of the worker as scenes grow. */
export interface MemoryBench {
  /** Peak resident memory less that of an empty worker, over what was added. */
  bytesPerUniqueTriangle: number;
  bytesPerInstance: number;
  emptyMB: number;
  scenes: {
    uniqueTriangles: number;
    instances: number;
    peakRssMB: number;
    /** The estimate of the scene's plan. */
    plannedMB: number;
  }[];
}
