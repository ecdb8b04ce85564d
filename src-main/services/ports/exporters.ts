// Files of points for other programs, written row table by row table.
import type { RayTable, ReturnColumnName, ReturnTable } from '#contract/columns.ts';
import type { ExportFormat } from '#contract/host/runMethods.ts';
import type { WaveformBins } from '#contract/worker/worker.ts';
import type { Waveforms } from './workers.ts';

export interface ReturnsExporter {
  /** `sensor`: index of the one that took them, where the exporter was given sensors. */
  write(table: ReturnTable, rows: number, sensor?: number): Promise<void>;
  /**
   * Ends the file under its final name; what the format cannot hold is named in `leftOut`. Where it fails, `abort`
   * is still to be called.
   */
  close(): Promise<{ files: string[]; points: number; leftOut: string[] }>;
  /** Removes what was written so far; a file that was there before is as it was. */
  abort(): Promise<void>;
}

/** The rays of a scan, in pieces. */
export interface RaysExporter {
  write(rays: RayTable): Promise<void>;
  close(): Promise<void>;
  /** Removes what was written so far. */
  abort(): Promise<void>;
}

/** The waveforms of a scan, in pieces; all have the same number of bins. */
export interface WaveformsExporter {
  write(waveforms: Waveforms): Promise<void>;
  close(bins: WaveformBins): Promise<void>;
  /** Removes what was written so far. */
  abort(): Promise<void>;
}

export interface Exporters {
  /** .csv or .npz */
  createRays(file: string, classes: string[]): Promise<RaysExporter>;
  /** .npz */
  createWaveforms(file: string): Promise<WaveformsExporter>;
  /** @throws UnderstoryError 'bad-input' | 'not-found' with details.reason (ExportRefusal), before anything is written */
  create(
    file: string,
    options: {
      format: ExportFormat;
      columns: ReturnColumnName[];
      classes: string[];
      /** Names of sensors: each row says which it is from. Left out: it does not. */
      sensors?: string[];
      /** False: a file that is there already is refused. */
      isReplacing: boolean;
    },
  ): Promise<ReturnsExporter>;
}
