// The interface of a format for other programs. A new one is a file beside csv.ts and pcd.ts, a line in
// exporters.ts and a row with its texts in contract/host/runMethods.ts.
import type { ReturnTable } from '#contract/columns.ts';
import type { CloudOptions } from '#services/ports/exporters.ts';
import type { OriginM } from '#contract/worldOrigin.ts';
import type { PartFile } from './partFile.ts';

/** `wkt`: of the coordinate reference system of the world; null: none is known. */
export type FormatOptions = CloudOptions & { originM: OriginM; wkt: string | null };

/** The field that says what a row is from. */
export interface RowSource {
  name: 'sensor' | 'leg';
  names: readonly string[];
  /** Number of a source in tables of numbers, by index. */
  numberOf(index: number): number;
  /** Its text in tables of texts. */
  textOf(index: number): string;
}

/** Null: rows do not say what they are from. */
export function rowSourceOf({
  sensors,
  legs,
}: Pick<FormatOptions, 'sensors' | 'legs'>): RowSource | null {
  if (legs !== undefined) {
    const numberOf = (index: number): number => index + 1;
    return { name: 'leg', names: legs, numberOf, textOf: (index) => String(index + 1) };
  }
  if (sensors === undefined) return null;
  const textOf = (index: number): string => sensors[index] ?? String(index);
  return { name: 'sensor', names: sensors, numberOf: (index) => index, textOf };
}

/** Writes one file, table by table; memory does not grow with what was written. */
export interface FormatWriter {
  /**
   * `sensor` is the index of a sensor or leg. Positions are relative to the origin; files hold those of the world
   * (worldColumns.ts).
   */
  write(table: ReturnTable, rows: number, sensor: number): Promise<void>;
  /** Writes what can only be known at the end. @returns how many of the rows are in the file */
  finish(rows: number): Promise<number>;
  /** Removes what it keeps beside the file. */
  abort?(): Promise<void>;
  /** Columns that the format cannot hold; complete when it has finished. */
  leftOut: string[];
}

/** A format of files. */
export interface Format {
  /** Starts a file. */
  write(file: PartFile, options: FormatOptions): Promise<FormatWriter>;
  /**
   * Writes the rows of `parts`, files of one part of a scan each, in their order into `file`, which the caller opens and
   * ends: the bytes are those of the file of all rows. @throws 'bad-input' for parts that cannot be joined
   */
  join(file: PartFile, parts: readonly string[], check: () => void): Promise<void>;
}
