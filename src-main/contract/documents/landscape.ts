// Landscapes: large areas of a few tiles of plants, repeated (PHYSICS.md, 2.15). Memory grows with tiles and squares, not with plants.
import { z } from 'zod';
import { form } from './formWords.ts';
import { count, exclusionZones, positive, seedNumber, slug, vector2 } from './quantities.ts';
import { scatterSchema } from './scatter.ts';
import { standSchema } from './stand.ts';

/** Most squares of a landscape: each takes memory, though its plants do not. */
export const maxSquares = 2 ** 20;
/** Most stands of a tile: each draws from streams of its own. */
const maxStands = 4096;

const ownStands = standSchema
  .refine((stand) => stand.kind !== 'list', {
    error: "expected no list: its positions are in the world, a tile's are its own",
    path: ['kind'],
  })
  .refine((stand) => stand.kind !== 'litter', {
    error:
      'expected no litter: it lies on the slope of the ground, which is not the same below all squares; scene.stands can have it',
    path: ['kind'],
  });

/** Everything in a tile is relative to its south-west corner. */
export const landscapeSchema = z.strictObject({
  name: slug.describe('plants are called NAME-SQUARE:PLANT, squares counted from the south-west'),
  areaM: z
    .array(vector2)
    .min(3)
    .describe('polygon, in order; plants outside of it are left out')
    .meta(form({ hint: 'one corner per line' })),
  sideM: positive.min(5).max(1000).default(50).describe('of the square tiles'),
  tiles: count
    .max(256)
    .default(16)
    .describe('different tiles by the same distributions; each square has one of them, at random'),
  stands: z
    .array(ownStands)
    .max(maxStands)
    .default([])
    .describe('of a tile, from (0, 0) to (sideM, sideM)'),
  scatters: z.array(scatterSchema).default([]).describe('of a tile, models of the scene'),
  keepClear: exclusionZones,
  seed: seedNumber.optional().describe("of tiles and of their places; default: the scenario's"),
});

export type LandscapeDocument = z.output<typeof landscapeSchema>;
