// The native worker's methods that measure: `bench.native` and `bench.raw`.
import { z } from 'zod';
import { scanRequestSchema } from './worker.ts';

const whole = z.int().nonnegative();

/**
 * The reply to `bench.native`, which takes a ScanRequest: one timed pass of the whole pipeline, rows filled and hashed
 * as `scan` does, nothing sent.
 */
export const benchNativeReplySchema = z.strictObject({
  pulses: whole,
  rays: whole,
  hits: whole,
  seconds: z.number().describe('wall time'),
  cpuSeconds: z.number().describe('processor time of the whole process during the pass'),
  hash: z.string().describe('as ScanReply.hash'),
  directionHash: z
    .string()
    .describe(
      'as BenchRawReply.directionHash, of the rays as they were traced, in a second pass that is not timed',
    ),
});
export type BenchNativeReply = z.output<typeof benchNativeReplySchema>;

/**
 * `bench.raw`: Embree alone on the very rays of the scan. Each thread lays the rays of a batch of slots out untimed,
 * in the packing's layout in a buffer of one batch, then traces them timed, with the same scene and as many threads.
 * Packings take turns batch by batch, so that all of them see the same state of the machine.
 */
export const benchRawRequestSchema = z.strictObject({
  ...scanRequestSchema.shape,
  packings: z
    .array(z.string())
    .exactOptional()
    .describe(
      '`single`, `stream`, `packet4`, `packet8` or `packet16`, and then an order: `-azimuth` (laser by laser along the azimuth), `-columns` (the same, and the rays of each pulse sorted by azimuth, as `scan`), `-rays` (16 pulses of one laser, one ray of the beam after the other), `-slots` (all lasers of a slot, then the next slot). Left out: all that the instruction set has',
    ),
});
export type BenchRawRequest = z.output<typeof benchRawRequestSchema>;

const benchPackingSchema = z.strictObject({
  name: z.string(),
  seconds: z.number().describe('timed, summed over the threads, divided by their number'),
  cpuSeconds: z.number().describe('processor time of the same, not divided'),
  hits: whole.describe('rays of the interval that met something within the range limits'),
});
export type BenchPacking = z.output<typeof benchPackingSchema>;

export const benchRawReplySchema = z.strictObject({
  pulses: whole,
  rays: whole,
  hits: whole.describe(
    'of the packing that `scan` uses, to the last ray; in another, a ray in a million may fall differently',
  ),
  directionHash: z
    .string()
    .describe(
      "xxh3-128 over the digests of the batches of 64 slots in their order, each xxh3-128 over the directions (three f32) of the batch's rays in the interval, in order of pulse and ray; hex",
    ),
  scanPacking: z.string().describe('name of the packing that `scan` uses'),
  packings: z
    .array(benchPackingSchema)
    .describe('`single` among them unless others were asked for'),
});
export type BenchRawReply = z.output<typeof benchRawReplySchema>;

/** Every object of the requests by the name that the native reader has for its fields. */
export const benchObjects = { benchRawRequest: benchRawRequestSchema } as const;
