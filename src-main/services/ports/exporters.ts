// Files of points for other programs, written row table by row table.
import type { ReturnColumnName, ReturnTable } from '#contract/columns.ts';
import type { ExportFormat } from '#contract/methods.ts';

export interface ReturnsExporter {
  /** `sensor`: index of the one that took them, where the exporter was given sensors. */
  write(table: ReturnTable, rows: number, sensor?: number): Promise<void>;
  /** Ends the file under its final name; what the format cannot hold is named in `leftOut`. */
  close(): Promise<{ files: string[]; points: number; leftOut: string[] }>;
  /** Removes what was written so far. */
  abort(): Promise<void>;
}

export interface Exporters {
  create(
    file: string,
    options: {
      format: ExportFormat;
      columns: ReturnColumnName[];
      classes: string[];
      /** Names of sensors: each row says which it is from. Left out: it does not. */
      sensors?: string[];
    },
  ): Promise<ReturnsExporter>;
}
