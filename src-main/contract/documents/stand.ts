// Stands: many individuals of species, from a list of trees or drawn from distributions (PHYSICS.md, 2.12).
import { z } from 'zod';
import { form } from './formWords.ts';
import {
  count,
  exclusionZones,
  finite,
  fraction,
  positive,
  seedNumber,
  slug,
  span,
  vector2,
} from './quantities.ts';
import { seasons } from './species.ts';

const species = z
  .string()
  .min(1)
  .describe('id of a species in assets/species, or a species file')
  .meta(form({ hint: 'sample or file' }));

const individualsSchema = z.strictObject({
  sizes: count.max(64).default(8).describe('sizes that are grown for each species'),
  perSize: count.max(16).default(2).describe('individuals of each size'),
});

const shared = {
  name: slug.describe('trees are called NAME-1, NAME-2, …'),
  class: slug.default('tree').describe('of its plants'),
  species: z
    .record(z.string().min(1), species)
    .default({})
    .describe('species by other names, such as those of a list; ids of samples need none'),
  season: z.enum(seasons).default('summer').describe('which leaves its plants bear'),
  individuals: individualsSchema
    .prefault({})
    .describe('plants that are grown; each tree is the nearest of them, scaled to its height'),
  leafScale: positive
    .max(20)
    .default(1)
    .describe('factor on the size of leaves, of the same area in all: fewer triangles, larger gaps')
    .meta(form({ label: 'Leaf size factor' })),
  seed: seedNumber.optional().describe("of places, sizes and shapes; default: the scenario's"),
};

const treeSchema = z.strictObject({
  species: z.string().min(1).describe('a name of species above, or an id'),
  positionM: vector2.describe('of its foot'),
  diameterM: positive.optional().describe('at breast height; left out: that of the height'),
  heightM: positive.optional().describe('left out: that of the diameter'),
  crownWidthM: positive.optional().describe("left out: the species' law"),
  crownBaseM: positive.optional().describe("left out: the species' law"),
});

const logSpan = span.refine(([from]) => from > 0, 'expected above 0');

const leafLength = finite.min(0.0005).max(0.5);

const patternSchema = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('poisson').describe('independent places') }),
  z.strictObject({
    kind: z.literal('hard-core').describe('no two nearer than a distance'),
    distanceM: positive.describe('between two trees'),
  }),
  z.strictObject({
    kind: z.literal('cluster').describe('Thomas: parents at random, trees about them'),
    spreadM: positive.describe('standard deviation about the parent, along x and y'),
    meanTrees: positive.max(1e4).describe('of one parent, in the mean'),
  }),
  z.strictObject({
    kind: z.literal('rows').describe('crops and plantations'),
    rowM: positive.describe('between rows'),
    inRowM: positive.describe('between plants of a row; stemsPerHa is ignored'),
    yawDeg: finite.default(0).describe('direction of the rows, counter-clockwise from east'),
    jitterM: finite.min(0).default(0).describe('random displacement along x and y, at most'),
  }),
]);

export const standSchema = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('list').describe('a file with a line for each tree'),
    ...shared,
    file: z
      .string()
      .min(1)
      .describe('CSV with x, y and height or diameter; species, crown and crown base where known')
      .meta(form({ hint: 'CSV of an inventory', isWide: true })),
  }),
  z.strictObject({
    kind: z.literal('trees').describe('trees one by one'),
    ...shared,
    trees: z.array(treeSchema).min(1).max(100_000).describe('in any order'),
  }),
  z.strictObject({
    kind: z.literal('distribution').describe('trees drawn from distributions'),
    ...shared,
    areaM: z
      .array(vector2)
      .min(3)
      .describe('polygon, in order')
      .meta(form({ hint: 'one corner per line' })),
    stemsPerHa: finite.nonnegative().max(1e7).describe('trees on 10,000 m²'),
    mixture: z
      .record(z.string().min(1), finite.nonnegative())
      .refine((shares) => Object.values(shares).some((share) => share > 0), 'expected a share')
      .describe(
        'share of the stems by species, a name of species above or an id; their sum counts as 1',
      ),
    diameters: z
      .strictObject({
        shape: positive.max(50).describe('2 to 3 in even-aged stands'),
        scaleM: positive.max(5).describe('63 % are thinner'),
        minM: positive.max(5).default(0.03).describe('thinner ones are drawn again'),
      })
      .default({ shape: 2.5, scaleM: 0.25, minM: 0.03 })
      .describe('Weibull, of diameters at breast height; species of kind heights have their own'),
    heightVariation: fraction
      .max(0.5)
      .default(0)
      .describe('standard deviation of heights about the law, as a share'),
    pattern: patternSchema.default({ kind: 'poisson' }).describe('how trees are placed'),
    keepClear: exclusionZones,
  }),
  z.strictObject({
    kind: z.literal('dead-wood').describe('logs that lie on the ground, at random'),
    name: slug.describe('logs are called NAME-1, NAME-2, …'),
    class: slug.default('dead-wood').describe('of its logs'),
    areaM: z
      .array(vector2)
      .min(3)
      .describe('polygon, in order')
      .meta(form({ hint: 'one corner per line' })),
    logsPerHa: finite.nonnegative().max(1e6).describe('logs on 10,000 m²'),
    lengthM: logSpan.default([2, 12]).describe('drawn for each size of log, uniformly'),
    diameterM: logSpan.default([0.1, 0.4]).describe('drawn for each size of log, uniformly'),
    material: slug
      .describe('a material of the scene, for bark and ends')
      .meta(form({ refersTo: 'materials' })),
    seed: seedNumber.optional().describe("of places and sizes; default: the scenario's"),
    keepClear: exclusionZones,
  }),
  z.strictObject({
    kind: z.literal('litter').describe('dead leaves or needles that lie on the ground'),
    name: slug.describe('its squares of leaves are called NAME-1, NAME-2, …'),
    class: slug.default('litter').describe('of its leaves'),
    areaM: z
      .array(vector2)
      .min(3)
      .describe('polygon, in order')
      .meta(form({ hint: 'one corner per line' })),
    cover: fraction
      .max(0.99)
      .describe('share of the ground below leaves, from above')
      .meta(form({ slider: [0, 0.99] })),
    leafM: z
      .tuple([leafLength, leafLength])
      .default([0.07, 0.045])
      .describe('length and width of a leaf or needle')
      .meta(form({ label: 'Leaf size', parts: ['length', 'width'] })),
    maxTiltDeg: finite
      .min(0)
      .max(60)
      .default(20)
      .describe('of a leaf against the ground: tilts are uniform from 0')
      .meta(form({ label: 'Largest tilt', slider: [0, 60] })),
    material: slug
      .optional()
      .describe('a material of the scene; left out: dead leaves (PHYSICS.md, 2.12)')
      .meta(form({ refersTo: 'materials' })),
    seed: seedNumber.optional().describe("of places and leaves; default: the scenario's"),
    keepClear: exclusionZones,
  }),
]);

export type Stand = z.output<typeof standSchema>;
/** A stand of plants. */
export type TreeStand = Exclude<Stand, { kind: 'dead-wood' | 'litter' }>;

/** Whether a stand has plants, and species; others lie on the ground. */
export function isTreeStand(stand: Stand): stand is TreeStand {
  return stand.kind !== 'dead-wood' && stand.kind !== 'litter';
}
