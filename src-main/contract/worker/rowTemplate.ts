// How the worker packs the rows of a scan into one record of bytes, without knowing the format that the
// record belongs to: a head, rows of a fixed layout or a grid of them, a tail; the whole compressed as one zstd frame.
import { z } from 'zod';
import {
  type ColumnType,
  columnTypes,
  type ReturnColumnName,
  returnColumnNames,
} from '../columns.ts';

const bytes = z.int().nonnegative();
const columnName = z.enum(returnColumnNames as [ReturnColumnName, ...ReturnColumnName[]]);

/** Largest row. */
export const maxRowBytes = 1024;
/** Most rows of a grid, columns of a round and pulses of a round. */
const maxGridCells = 1 << 20;

/** Frames of fewer bytes always come with the reply: a call more for each would be most of their cost. */
export const minStoredBytes = 1 << 15;
/** Most frames that the worker stores; a drive with more sensors than 150 has some scanned twice. */
export const maxStoredFrames = 1024;

export const frameUses = ['sent', 'stored', 'dropped'] as const;

export const packings = ['copy', 'difference', 'scaledDifference', 'scaled'] as const;

/** One value of each row, little-endian. */
const packedFieldSchema = z.strictObject({
  column: columnName,
  offset: bytes.describe('in the row'),
  how: z
    .enum(packings)
    .describe(
      "copy: the column's own bytes; difference: a u32, a 64-bit column minus `base`; scaledDifference: `plus` + `factor` times that difference, worked out in double precision, as a `type`; scaled: `plus` + `factor` times the value of a column of at most 32 bits, as a `type`: whole numbers are rounded to the nearest (halves up) and limited to their range, NaN is 0",
    ),
  base: z
    .int()
    .nonnegative()
    .exactOptional()
    .describe("left out: the number of the interval's first pulse"),
  factor: z.number().exactOptional(),
  plus: z.number().exactOptional(),
  type: z
    .enum(Object.keys(columnTypes) as [ColumnType, ...ColumnType[]])
    .exactOptional()
    .describe('u8, u16, u32 or f32, the default; of a scaledDifference f32 or f64'),
  step: z
    .number()
    .positive()
    .exactOptional()
    .describe(
      'of a scaled f32: rounded to its nearest multiple, halves to the even one; left out: any value',
    ),
});
export type PackedField = z.output<typeof packedFieldSchema>;

/** A little-endian unsigned number of the head: plus + perRow · rows; of a grid, its columns in place of rows. */
const headPatchSchema = z.strictObject({
  at: bytes.describe('in the head'),
  bytes: z.union([z.literal(4), z.literal(8)]),
  plus: bytes,
  perRow: bytes,
});
export type HeadPatch = z.output<typeof headPatchSchema>;

/**
 * Cells for the pulses of an interval, row by row. Pulses come in rounds of as many as the sensor's pattern of slots
 * has, counted from pulse 0; rounds lie side by side. A cell holds the first row of its pulse; one without a row holds
 * the blank of its row of the grid.
 */
const rowGridSchema = z.strictObject({
  rows: z.int().min(1).max(maxGridCells),
  columns: z.int().min(1).max(maxGridCells).describe('of a round'),
  cells: z
    .array(z.int().min(0).max(0xffff_ffff))
    .min(1)
    .max(maxGridCells)
    .describe('by pulse of a round: row · columns + column'),
});
export type RowGrid = z.output<typeof rowGridSchema>;

/**
 * Head, tail and the blank rows of a grid go beside it, as the columns packed_before, packed_after (each below 64 KiB)
 * and packed_blank (rowBytes for each row of the grid), all u8. Those of several templates follow each other.
 */
export const rowTemplateSchema = z.strictObject({
  rowBytes: z.int().min(1).max(maxRowBytes).describe('bytes of a row that no field fills are zero'),
  fields: z.array(packedFieldSchema),
  patches: z.array(headPatchSchema),
  beforeBytes: bytes.describe('length of its head'),
  afterBytes: bytes.describe('length of its tail'),
  groupBy: columnName
    .exactOptional()
    .describe(
      'a u16: rows with equal values of it resemble each other, which shortens rows that are no grid',
    ),
  grid: rowGridSchema.exactOptional().describe('left out: rows follow each other'),
  misses: z
    .boolean()
    .exactOptional()
    .describe('also a row for each pulse without an echo, whatever the scan itself returns'),
  frame: z
    .enum(frameUses)
    .exactOptional()
    .describe(
      'sent, the default: with the reply; stored: in the worker, for `scan.write`; dropped: only its checksum is wanted',
    ),
});
export type RowTemplate = z.output<typeof rowTemplateSchema>;

/** A packed record; its frame is in the reply's column `packed` (u8), where those of several follow each other, if it is sent. */
export const packedRecordSchema = z.strictObject({
  frameBytes: bytes.describe('length of its frame; 0: it was dropped'),
  stored: bytes.exactOptional().describe('the number of its frame, which the worker has stored'),
  uncompressedBytes: bytes.describe('of the record: head, rows and tail'),
  crc32: bytes.describe('of the uncompressed record'),
  bases: z
    .partialRecord(columnName, z.string())
    .describe('what differences count from, by column, in decimal'),
});
export type PackedRecord = z.output<typeof packedRecordSchema>;

/**
 * `scan.write`: a stored frame goes into a file that the caller has open, between the columns frame_head and frame_tail
 * (u8), while the worker scans. The frame and all older ones are then no longer stored. Fails with 'disk-full' or 'io'.
 */
export const writeRequestSchema = z.strictObject({
  stored: bytes,
  file: z.string().describe('absolute'),
  device: z.string().describe('of the file, in decimal'),
  inode: z
    .string()
    .describe('of the file, in decimal: nothing is written to another one of its name'),
  offset: bytes.describe('of the head'),
  crc32: bytes.describe('CRC-32 of what precedes the head'),
});
export type WriteRequest = z.output<typeof writeRequestSchema>;
/** The end of an open file, for the worker. */
export type FileEnd = Pick<WriteRequest, 'file' | 'device' | 'inode' | 'offset'>;

export const writeColumns = { frame_head: 'u8', frame_tail: 'u8' } as const;

export const writeReplySchema = z.strictObject({
  crc32: bytes
    .nullable()
    .describe(
      'CRC-32 of all up to the end of the tail; null: nothing is written, as the frame is not stored here or the file is not at its place',
    ),
});

/** Every object of a template by the name that the native reader has for its fields. */
export const packingObjects = {
  rowTemplate: rowTemplateSchema,
  packedField: packedFieldSchema,
  headPatch: headPatchSchema,
  rowGrid: rowGridSchema,
  writeRequest: writeRequestSchema,
} as const;
