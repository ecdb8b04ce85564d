// The interface of a format for other programs. A new one is a file beside csv.ts and pcd.ts, a line in
// exporters.ts.
import type { ReturnTable } from '#contract/columns.ts';
import type { CloudOptions } from '#services/ports/exporters.ts';
import type { OriginM } from '#contract/worldOrigin.ts';
import type { PartFile } from './partFile.ts';

/** `wkt`: of the coordinate reference system of the world; null: none is known. */
export type FormatOptions = CloudOptions & { originM: OriginM; wkt: string | null };

/** Writes one file, table by table; memory does not grow with what was written. */
export interface FormatWriter {
  /** `sensor` is an index. Positions are relative to the origin; files hold those of the world (worldColumns.ts). */
  write(table: ReturnTable, rows: number, sensor: number): Promise<void>;
  /** Writes what can only be known at the end. @returns how many of the rows are in the file */
  finish(rows: number): Promise<number>;
  /** Removes what it keeps beside the file. */
  abort?(): Promise<void>;
  /** Columns that the format cannot hold; complete when it has finished. */
  leftOut: string[];
}

/** Starts a file of the format. */
export type Format = (file: PartFile, options: FormatOptions) => Promise<FormatWriter>;
