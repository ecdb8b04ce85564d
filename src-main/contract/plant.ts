// A plant as a file (assets/plants/*.yaml): the parameters of one native generator. The same file and
// seed give the same triangles on every machine. native-workers/core/plants reads these very names.
import { z } from 'zod';
import { count, finite, fraction, notNegative, positive, slug, span } from './quantities.ts';

const shared = {
  understoryPlant: z.literal(1).describe('version of this format'),
  id: slug,
  name: z.string().min(1),
  seed: z.int().nonnegative().default(1),
};

export const grassPatchSchema = z.strictObject({
  ...shared,
  generator: z.literal('grass-patch'),
  blades: count.max(10000).describe('blades in the patch'),
  patchRadiusM: positive.describe('blades stand in a disc of this radius'),
  heightM: span.describe('shortest and tallest blade, along the blade'),
  widthM: span.describe('width of a blade at its base'),
  leanDeg: span.describe('tilt of a blade at its base'),
  bendDeg: span.describe('how far a blade bends over from base to tip'),
  segments: count.max(256).describe('pieces along a blade; each has four triangles but the tip'),
  foldDeg: notNegative.max(90).describe('angle by which the two halves of a blade fold'),
  material: slug,
});

export const treeSchema = z.strictObject({
  ...shared,
  generator: z.literal('tree').describe('Weber and Penn 1995'),
  heightM: positive,
  trunkRadiusM: positive.describe('radius at the base'),
  crownBaseM: notNegative.describe('height at which the first branches leave the trunk'),
  crownShape: z.enum(['spherical', 'hemispherical', 'conical', 'cylindrical', 'tapered']),
  levels: z
    .array(
      z.strictObject({
        branches: count.max(2000).describe('children along one parent'),
        lengthRatio: positive.describe("length as a share of the parent's"),
        downAngleDeg: finite.describe('angle from the parent'),
        downAngleVariationDeg: notNegative.default(10),
        rotateDeg: finite.default(137.5).describe('turn about the parent from child to child'),
        curveDeg: finite.default(0).describe('bend over the whole length'),
        curveVariationDeg: notNegative.default(20),
        segments: count.max(64).default(6),
      }),
    )
    .min(2)
    .max(4)
    .describe('orders of branches, from those on the trunk'),
  taper: fraction.default(1),
  attractionUp: finite.default(0.5).describe('how strongly branches turn upwards'),
  leaves: z.strictObject({
    perTwig: count.max(1000),
    lengthM: positive,
    widthM: positive,
    triangles: z.int().min(2).max(64).describe('triangles of one leaf'),
    bendDeg: finite.default(20),
    material: slug,
  }),
  barkMaterial: slug,
  ringSides: z
    .int()
    .min(3)
    .max(64)
    .default(10)
    .describe('sides of the trunk; finer orders have fewer'),
});

export const shrubSchema = z.strictObject({
  ...shared,
  generator: z.literal('shrub'),
  heightM: positive,
  crownRadiusM: positive,
  crownBaseM: notNegative.describe('height below which the shrub is bare stem'),
  trunk: z.strictObject({ radiusM: positive, heightM: positive }),
  stems: count.max(500),
  stemRadiusM: positive,
  twigsPerStem: count.max(200),
  leaves: z.strictObject({
    perTwig: count.max(500),
    lengthM: positive,
    widthM: positive,
    triangles: z.int().min(2).max(64),
    bendDeg: finite.default(20),
    material: slug,
  }),
  barkMaterial: slug,
});

export const plantSchema = z.discriminatedUnion('generator', [
  grassPatchSchema,
  treeSchema,
  shrubSchema,
]);

export type Plant = z.output<typeof plantSchema>;
