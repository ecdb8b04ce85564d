// `scene.ground` of the worker: what the surfaces of learned models in the built scene are to a vehicle.
import { z } from 'zod';

const number = z.number();
const whole = z.int().nonnegative();

/** The reply to `scene.ground`: the grid of heights of the learned surfaces that bear wheels. */
export const groundReplySchema = z.strictObject({
  columns: whole.describe('0: no model of the scene has a surface'),
  rows: whole,
  originM: z.tuple([number, number]).describe('of the first node'),
  stepM: number,
});
export type GroundReply = z.output<typeof groundReplySchema>;

/**
 * `height_m`: row by row from the south, NaN where there is no surface. Obstacles are convex outlines, counter-clockwise,
 * of which those with one `body` touch each other: `outline_start` has one value more than there are outlines, indices
 * in `corner_x_m` and `corner_y_m`. `cover_x_m`, `cover_y_m`: centres of cells of the grid with elements at the height
 * of a vehicle, which passes them.
 */
export const groundColumns = {
  height_m: 'f32',
  outline_instance_id: 'u32',
  outline_body: 'u32',
  outline_start: 'u32',
  corner_x_m: 'f32',
  corner_y_m: 'f32',
  cover_x_m: 'f32',
  cover_y_m: 'f32',
} as const;
