// A species as a file (assets/species/*.yaml): from the diameter or height of an individual follow its other sizes, its
// leaf area and the parameters of its form. domain/scene/individual.ts applies the laws.
import { z } from 'zod';
import { materialSchema } from './optics.ts';
import {
  sizedCrownSchema,
  sizedLeavesSchema,
  sizedLevelSchema,
  sizedStemsSchema,
} from './plant.ts';
import { finite, fraction, notNegative, positive, slug, span } from './quantities.ts';
import { documentFormats } from './versions.ts';

/** Times of the year of a stand. */
export const seasons = ['summer', 'autumn', 'winter'] as const;
export type Season = (typeof seasons)[number];

const sizeSchema = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('naslund').describe('height = 1.3 + (d / (a + b·d))^power, d in cm'),
    a: positive.describe('of the law'),
    b: positive.describe('of the law'),
    power: positive.max(10).describe('of the law: 2 or 3'),
  }),
  z.strictObject({
    kind: z.literal('heights').describe('shrubs and herbs: heights between two, uniformly'),
    heightM: span.describe('smallest and largest').refine(([from]) => from > 0, 'expected above 0'),
    diameterPerHeight: positive.max(0.5).describe('diameter of the thickest stem over the height'),
    diameterAt: fraction.default(0.1).describe('where it is measured, as a share of the height'),
  }),
]);

const leafMaterialSchema = materialSchema.describe('optics by wavelength');

export const speciesSchema = z.strictObject({
  understorySpecies: z.literal(documentFormats.species.version).describe('version of this format'),
  id: slug.describe('what stands call it'),
  name: z.string().min(1).describe('title of the species'),
  latin: z.string().min(1).describe('scientific name; lists of trees may have it'),
  size: sizeSchema.describe('height of a diameter, or heights'),
  crownWidth: z
    .strictObject({
      baseM: finite.default(0).describe('for a diameter and a height of 0'),
      perDiameterCm: notNegative.default(0).describe('metres for each centimetre of diameter'),
      perHeight: notNegative.default(0).describe('as a share of the height'),
    })
    .describe('greatest width, the sum of these'),
  crownBaseShare: fraction.describe('height of the lowest leaf as a share of the height'),
  leafAreaPerProjection: positive
    .max(30)
    .describe('one-sided leaf area over the area of the crown from above'),
  crown: sizedCrownSchema.describe('outline of the crown'),
  stems: sizedStemsSchema.prefault({}).describe('what boughs grow on'),
  levels: z
    .array(sizedLevelSchema)
    .max(3)
    .describe('orders of branches, boughs first, counts for a crown of forCrownM'),
  forCrownM: positive
    .default(10)
    .describe('length of a crown with these counts; others have more or fewer (PHYSICS.md, 2.12)'),
  leaves: sizedLeavesSchema.omit({ material: true }).describe('flat'),
  leafShares: z
    .strictObject({
      autumn: fraction.default(1).describe('in autumn'),
      winter: fraction.default(1).describe('in winter'),
    })
    .prefault({})
    .describe('shares of the leaves that stay; below 1 they are dead ones'),
  materials: z
    .strictObject({
      leaf: leafMaterialSchema,
      deadLeaf: leafMaterialSchema,
      bark: leafMaterialSchema,
    })
    .describe('surfaces'),
});

export type Species = z.output<typeof speciesSchema>;
