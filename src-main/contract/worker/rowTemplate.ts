// How the worker packs the rows of a scan into one record of bytes, without knowing the format that the
// record belongs to: a head, rows of a fixed layout, a tail; the whole compressed as one zstd frame.
import { z } from 'zod';
import { type ReturnColumnName, returnColumnNames } from '../columns.ts';

const bytes = z.int().nonnegative();
const columnName = z.enum(returnColumnNames as [ReturnColumnName, ...ReturnColumnName[]]);

/** Largest row. */
export const maxRowBytes = 1024;

export const packings = ['copy', 'difference', 'scaledDifference'] as const;

/** One value of each row, little-endian. */
const packedFieldSchema = z.strictObject({
  column: columnName,
  offset: bytes.describe('in the row'),
  how: z
    .enum(packings)
    .describe(
      "copy: the column's own bytes; difference: a u32, a 64-bit column minus `base`; scaledDifference: an f32, that difference times `factor`, worked out in double precision",
    ),
  base: z
    .int()
    .nonnegative()
    .exactOptional()
    .describe("left out: the number of the interval's first pulse"),
  factor: z.number().exactOptional(),
});
export type PackedField = z.output<typeof packedFieldSchema>;

/** A little-endian unsigned number of the head: plus + perRow · rows. */
const headPatchSchema = z.strictObject({
  at: bytes.describe('in the head'),
  bytes: z.union([z.literal(4), z.literal(8)]),
  plus: bytes,
  perRow: bytes,
});
export type HeadPatch = z.output<typeof headPatchSchema>;

/** Head and tail go beside it, as the columns packed_before and packed_after (u8, each below 64 KiB). */
export const rowTemplateSchema = z.strictObject({
  rowBytes: z.int().min(1).max(maxRowBytes).describe('bytes of a row that no field fills are zero'),
  fields: z.array(packedFieldSchema),
  patches: z.array(headPatchSchema),
});
export type RowTemplate = z.output<typeof rowTemplateSchema>;

/** A packed record; its frame is the reply's column `packed` (u8). */
export const packedRecordSchema = z.strictObject({
  uncompressedBytes: bytes.describe('of the record: head, rows and tail'),
  crc32: bytes.describe('of the uncompressed record'),
  bases: z
    .partialRecord(columnName, z.string())
    .describe('what differences count from, by column, in decimal'),
});
export type PackedRecord = z.output<typeof packedRecordSchema>;

/** Every object of a template by the name that the native reader has for its fields. */
export const packingObjects = {
  rowTemplate: rowTemplateSchema,
  packedField: packedFieldSchema,
  headPatch: headPatchSchema,
} as const;
