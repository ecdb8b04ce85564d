// `scan.signal`: one pulse explained: its hits in order, its echoes, and what each return mode would form of them. With
// the trajectory as columns, like `scan`.
import { z } from 'zod';
import { sensorRecipeSchema } from './sensorRecipe.ts';

const whole = z.int().nonnegative();

export const signalRequestSchema = z.strictObject({
  sensor: sensorRecipeSchema,
  fromNs: z.int().describe('pulses with fromNs <= time < toNs'),
  toNs: z.int(),
  seed: whole,
  pulse: whole.describe("its number; 'not-found' where the interval has no such pulse"),
});
export type SignalRequest = z.output<typeof signalRequestSchema>;

export const signalReplySchema = z.strictObject({
  seenHits: whole.describe('hits that are detected: the first so many; the others form no return'),
  lostHits: whole
    .default(0)
    .describe('hits that the detection limit loses: the next so many; then those behind the gate'),
});

/**
 * A row a hit, by range, first those that are detected, then those that are lost: its row in the chunks of `scan.rays`
 * by ray and hit_no.
 */
export const signalHitColumns = { signal_ray: 'u32', signal_hit_no: 'u8' } as const;

/**
 * A row an echo, by range, first those that are detected, then those that are lost. It has the hits [from, to); f64 as the
 * worker computes.
 */
export const signalEchoColumns = {
  echo_range_m: 'f64',
  echo_strength: 'f64',
  echo_from_hit: 'u32',
  echo_to_hit: 'u32',
  echo_is_detected: 'u8',
} as const;

/**
 * A row a return that a mode would form, without noise: by mode (index in returnModes), then by return_no. The range is
 * the mean of the hits [averaged_from, averaged_to), or the echo's own where there are none; the hits [shared_from,
 * shared_to) make up the share of the beam.
 */
export const formedReturnColumns = {
  formed_mode: 'u8',
  formed_range_m: 'f64',
  formed_beam_share: 'f64',
  formed_deciding_hit: 'u32',
  formed_echo: 'u32',
  formed_averaged_from_hit: 'u32',
  formed_averaged_to_hit: 'u32',
  formed_shared_from_hit: 'u32',
  formed_shared_to_hit: 'u32',
} as const;

/** All columns of the reply. */
export const signalColumns = {
  ...signalHitColumns,
  ...signalEchoColumns,
  ...formedReturnColumns,
} as const;

/** Every object of the requests by the name that the native reader has for its fields. */
export const signalObjects = { signalRequest: signalRequestSchema } as const;
