// The interface of a format for other programs. A new one is a file beside csv.ts and pcd.ts, a line in
// exporters.ts.
import type { ReturnColumnName, ReturnTable } from '#contract/columns.ts';
import type { PartFile } from './partFile.ts';

export interface FormatOptions {
  /** Columns to write, in this order where the format leaves it open. */
  columns: ReturnColumnName[];
  /** Names of class_id, in its order. */
  classes: string[];
  /** Names of sensors: a last field `sensor` says which a row is from. Left out: there is none. */
  sensors?: string[];
}

/** Writes one file, table by table; memory does not grow with what was written. */
export interface FormatWriter {
  /** `sensor` is an index. */
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
