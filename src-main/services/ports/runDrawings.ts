// Drawings of a run for people without the product: pictures, and pages that open from disk. Guarantees: equal
// runs give equal bytes; nothing in them depends on when and where a run was simulated.
import type { BundledRun } from '#contract/documents/bundle.ts';
import type { CompiledScenario } from '#contract/host/run.ts';
import type { RecordingReader } from './recordings.ts';

/** A run as a bundle holds it. */
export interface DrawnRun {
  identity: string;
  run: BundledRun;
  compiled: CompiledScenario;
  /** Scans of all sensors. */
  scans: number;
  /** Corners of the scene relative to its origin, metres; null: not known. */
  extentM: { minM: [number, number, number]; maxM: [number, number, number] } | null;
}

/** A line of a page about several runs. */
export interface ListedRun {
  identity: string;
  run: BundledRun;
  sensors: string[];
  seed: number;
}

/** The names of the pictures, in the order in which a bundle has them. */
export const pictureNames = ['cloud.png', 'cost-map-10s.png', 'cost-map.png'] as const;
export type PictureName = (typeof pictureNames)[number];

export interface RunDrawings {
  /** PNG files; null where the recording has nothing for it. @throws as the recording does; 'cancelled' */
  pictures(
    run: DrawnRun,
    recording: RecordingReader,
    signal: AbortSignal,
  ): Promise<Record<PictureName, Uint8Array | null>>;
  /**
   * An HTML page that needs no other file, server or network. @param recording null: without path and cloud
   * @throws as `pictures`
   */
  page(run: DrawnRun, recording: RecordingReader | null, signal: AbortSignal): Promise<string>;
  /** An HTML page with a link to `runs/IDENTITY/index.html` for each run. */
  list(runs: readonly ListedRun[]): string;
}
