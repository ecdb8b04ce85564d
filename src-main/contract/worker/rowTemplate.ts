// How the worker packs the rows of a scan into one record of bytes, without knowing the format that the
// record belongs to: a head, rows of a fixed layout, a tail; the whole compressed as one zstd frame.
import type { ReturnColumnName } from '../columns.ts';

/** One value of each row, little-endian. */
export interface PackedField {
  column: ReturnColumnName;
  /** In the row. */
  offset: number;
  /**
   * 'copy': the column's own bytes. 'difference': a u32, a 64-bit column minus `base`.
   * 'scaledDifference': an f32, that difference times `factor`, worked out in double precision.
   */
  how: 'copy' | 'difference' | 'scaledDifference';
  /** An integer below 2^53; left out: the column's value in the first row, 0 where there are no rows. */
  base?: number;
  factor?: number;
}

/** A little-endian unsigned number of the head: plus + perRow · rows. */
export interface HeadPatch {
  /** In the head. */
  at: number;
  bytes: 4 | 8;
  plus: number;
  perRow: number;
}

/** Head and tail go beside it, as the columns packed_before and packed_after (u8, each below 64 KiB). */
export interface RowTemplate {
  /** Bytes of a row that no field fills are zero. */
  rowBytes: number;
  fields: PackedField[];
  patches: HeadPatch[];
  /** -50 (fast) to 19 (small). */
  zstdLevel: number;
}

/** What the worker says of a packed record, whose frame is the reply's column `packed` (u8). */
export interface PackedRecord {
  /** Of the record: head, rows and tail. */
  uncompressedBytes: number;
  /** Of the uncompressed record. */
  crc32: number;
  /** What differences count from, by column, in decimal. */
  bases: { [N in ReturnColumnName]?: string };
}
