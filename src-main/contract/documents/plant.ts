// A plant as a file (assets/plants/*.yaml): the parameters of one native generator. The same file and
// seed give the same triangles on every machine. native-workers/core/plants reads the
// fields by names and bounds that are generated from here (native-workers/contract).
import { z } from 'zod';
import { count, finite, fraction, notNegative, positive, slug, span } from './quantities.ts';
import { documentFormats } from './versions.ts';

const material = (part: string) => slug.describe(`material of the scene for ${part}`);
const bark = material('trunk and branches');

/** Parts of plants that materials of meshes can be. */
export const plantParts = ['leaf', 'wood'] as const;

const shared = {
  understoryPlant: z.literal(documentFormats.plant.version).describe('version of this format'),
  id: slug.describe('what scenarios call it'),
  name: z.string().min(1).describe('title of the plant'),
  seed: z.int().nonnegative().default(1).describe('of its random shape'),
};

const grassPatchSchema = z.strictObject({
  ...shared,
  generator: z.literal('grass-patch').describe('a disc of grass blades'),
  blades: count.max(10000).describe('blades in the patch'),
  patchRadiusM: positive.describe('blades grow in a disc of this radius'),
  heightM: span.describe('shortest and tallest blade, along the blade'),
  widthM: span.describe('width of a blade at its base'),
  leanDeg: span.describe('tilt of a blade at its base'),
  bendDeg: span.describe('how far a blade bends over from base to tip'),
  segments: count.max(256).describe('pieces along a blade; each has four triangles'),
  foldDeg: notNegative.max(90).describe('angle by which the two halves of a blade fold'),
  material: material('the blades'),
});

/** Laws of the angle between a leaf's normal and the vertical (PHYSICS.md, 2.2). */
export const leafAngleNames = [
  'spherical',
  'planophile',
  'erectophile',
  'plagiophile',
  'uniform',
] as const;
export type LeafAngleName = (typeof leafAngleNames)[number];

const leavesSchema = z.strictObject({
  perTwig: count.max(1000).describe('leaves on each twig; with areaDensity, at most'),
  lengthM: positive.describe('from base to tip'),
  widthM: positive.describe('greatest width'),
  triangles: z
    .int()
    .min(4)
    .max(64)
    .multipleOf(4)
    .default(8)
    .describe('of one leaf: four for each cross section between base and tip'),
  bendDeg: finite.default(20).describe('how far a leaf bends over its length; 0 with angles'),
  angles: z
    .enum(leafAngleNames)
    .optional()
    .describe(
      "law of the angle between a leaf's normal and the vertical, at any azimuth; its leaves are flat. Left out: turned to the light above",
    ),
  areaDensity: z
    .array(z.tuple([notNegative, notNegative]))
    .min(2)
    .refine(
      (points) => points.every(([heightM], n) => n === 0 || heightM > (points[n - 1]?.[0] ?? 0)),
      'expected rising heights',
    )
    .optional()
    .describe(
      '[height in m, one-sided leaf area in m² per m³ of the crown], linear between, 0 outside; the crown at a height is the convex hull of the leaves that the twigs could bear. Left out: perTwig on each',
    ),
  material: material('the leaves'),
});

/** How a trunk or branch bends over its length, and how finely it is made. */
const stemShape = {
  curveDeg: finite
    .default(0)
    .describe("bend over the whole length; positive: back towards the parent's direction"),
  curveVariationDeg: notNegative.default(20).describe('random bends, added over the length'),
  segments: count.max(64).default(6).describe('pieces along a stem'),
  sides: z.int().min(3).max(64).default(3).describe('corners of a cross section'),
};

const branchSchema = z.strictObject({
  branches: count.max(2000).describe('children of the longest parent; shorter ones have fewer'),
  lengthRatio: positive.describe("length as a share of the parent's"),
  lengthVariation: fraction.default(0.1).describe('random share by which lengths differ'),
  downAngleDeg: finite.describe("angle from the parent's direction"),
  downAngleVariationDeg: finite
    .default(10)
    .describe(
      'random deviation; negative: instead added by position, from the foot of the parent (more) to its tip (less)',
    ),
  rotateDeg: finite.default(137.5).describe('turn about the parent from child to child'),
  rotateVariationDeg: notNegative.default(15).describe('random deviation of that turn'),
  ...stemShape,
});

const treeTrunkSchema = z.strictObject({
  radiusM: positive.describe('at the foot, without the flare'),
  flare: notNegative.default(0.6).describe('share by which the foot is thicker'),
  ...stemShape,
});

export const crownShapes = [
  'conical',
  'spherical',
  'hemispherical',
  'cylindrical',
  'tapered',
  'flame',
] as const;

const treeSchema = z.strictObject({
  ...shared,
  generator: z.literal('tree').describe('Weber and Penn 1995'),
  heightM: positive.describe('length of the trunk, which ends at the top of the crown'),
  crownBaseM: notNegative.describe('height at which the first branches leave the trunk'),
  crownShape: z.enum(crownShapes).describe('how the length of branches goes with height'),
  trunk: treeTrunkSchema.describe('shape of the trunk'),
  ratioPower: positive
    .default(1.2)
    .describe("a child's radius is its parent's times (length ratio) to this power"),
  attractionUp: finite
    .default(0.5)
    .describe('fraction of the angle to the vertical that branches turn over their length'),
  levels: z
    .array(branchSchema)
    .min(1)
    .max(4)
    .describe('orders of branches, from those on the trunk; the last are the twigs with leaves'),
  leaves: leavesSchema.describe('on the twigs'),
  barkMaterial: bark,
});

const shrubTrunkSchema = z.strictObject({
  radiusM: positive.describe('at the foot'),
  heightM: positive.describe('where the trunk ends, inside the crown'),
});

const shrubSchema = z.strictObject({
  ...shared,
  generator: z.literal('shrub').describe('a short trunk with a leafy shell'),
  heightM: positive.describe('to the top of the crown'),
  crownRadiusM: positive.describe('greatest half-width of the crown'),
  crownBaseM: notNegative.describe('height below which the trunk is bare'),
  trunk: shrubTrunkSchema.describe('shape of the trunk'),
  stems: count.max(500).describe("reach from the trunk to the crown's surface"),
  stemRadiusM: positive.describe('at the foot of a stem'),
  twigsPerStem: count.max(200).describe('along its outer part'),
  twigLengthM: positive.describe('each with its leaves'),
  shellShare: fraction
    .default(0.4)
    .describe('outer share of a stem that bears twigs; the rest is bare, the crown hollow'),
  leaves: leavesSchema.describe('on the twigs'),
  barkMaterial: bark,
});

const growthSpan = z.tuple([finite, finite]);

export const sizedCrownSchema = z.strictObject({
  widestAt: fraction.describe("height at which it is widest, as a share of the crown's length"),
  topPower: positive
    .min(0.3)
    .max(8)
    .default(2)
    .describe('outline above: 1 a cone, 2 an ellipsoid, more: blunter, less: hollow'),
  basePower: positive.min(0.3).max(8).default(2).describe('outline below'),
});

export const sizedStemsSchema = z.strictObject({
  count: count.max(500).default(1).describe('stems of one plant, from feet side by side'),
  footRadiusM: notNegative.default(0).describe('their feet lie in a disc of this radius'),
  topShare: fraction
    .default(1)
    .describe("share of the crown's length at which stems end; 1: at its top, as of conifers"),
  flare: notNegative.max(2).default(0.3).describe('share by which the foot is thicker'),
  bend: notNegative.max(0.3).default(0.01).describe('sideways, as a share of the length'),
  segments: count.max(64).default(16).describe('pieces along a stem'),
  sides: z.int().min(3).max(64).default(12).describe('corners of a cross section'),
  deadBoughs: z.int().min(0).max(200).default(0).describe('without leaves, below the crown'),
});

export const sizedLevelSchema = z.strictObject({
  count: count.max(1000).describe('on the longest parent; shorter ones have fewer'),
  whorl: count.max(20).default(1).describe('branches that leave the parent at one height'),
  angleDeg: growthSpan.describe(
    "from the parent's direction: of the first along the parent, of the last",
  ),
  lengthRatio: positive
    .max(3)
    .default(1)
    .describe("length as a share of the parent's; of boughs, of the way to the crown's outline"),
  lengthVariation: fraction.default(0.15).describe('random share by which they are shorter'),
  sag: finite
    .min(-1)
    .max(1)
    .default(0)
    .describe('its middle below the line between its ends, as a share; negative: above'),
  spray: fraction
    .default(0)
    .describe('1: in one plane, to the left and right in turn; 0: all round the parent'),
  bareShare: fraction.default(0.15).describe('of the parent, from its foot, without any'),
  slenderness: positive.max(0.2).default(0.01).describe('radius at the foot over length'),
  bend: notNegative.max(0.3).default(0.03).describe('sideways, as a share of the length'),
  segments: count.max(32).default(4).describe('pieces along it'),
  sides: z.int().min(3).max(32).default(3).describe('corners of a cross section'),
});

export const sizedLeavesSchema = z.strictObject({
  lengthM: positive.describe('from base to tip; of conifers, of a strip of needles'),
  widthM: positive.describe('greatest width'),
  triangles: z
    .int()
    .min(2)
    .max(4)
    .multipleOf(2)
    .default(4)
    .describe('of one leaf: 2 a kite, 4 a hexagon'),
  angles: z
    .enum(leafAngleNames)
    .describe("law of the angle between a leaf's normal and the vertical, at any azimuth"),
  forwardDeg: finite.default(55).describe('from the direction of its twig, as far as angles allow'),
  petiole: notNegative.max(5).default(0.3).describe("distance to the twig in a leaf's lengths"),
  material: material('the leaves'),
});

const sizedPlantSchema = z.strictObject({
  ...shared,
  generator: z.literal('sized-plant').describe('a plant as large and as leafy as stated'),
  heightM: positive.describe('of its highest point'),
  diameterM: positive.describe('of the thickest stem at diameterAtM, of a circle of its area'),
  diameterAtM: positive.default(1.3).describe('breast height'),
  crownBaseM: positive.describe('height of the lowest leaf'),
  crownWidthM: positive.describe('diameter of a circle of the area of all leaves from above'),
  leafAreaM2: positive.max(1e5).describe('one-sided, of all leaves'),
  leafShare: fraction
    .default(1)
    .describe('share of these leaves that it bears, such as 0 in winter; the crown stays'),
  crown: sizedCrownSchema.describe('outline of the crown'),
  stems: sizedStemsSchema.prefault({}).describe('what boughs grow on'),
  levels: z
    .array(sizedLevelSchema)
    .max(3)
    .describe('orders of branches, boughs first; leaves grow on the last, without any on stems'),
  leaves: sizedLeavesSchema.describe('flat'),
  barkMaterial: bark,
});

/** A plant of any kind; `generator` says which. */
export const plantSchema = z.discriminatedUnion('generator', [
  grassPatchSchema,
  treeSchema,
  shrubSchema,
  sizedPlantSchema,
]);

export type Plant = z.output<typeof plantSchema>;

/** Names of the materials that its triangles have, each once. */
export function plantMaterials(plant: Plant): string[] {
  return plant.generator === 'grass-patch'
    ? [plant.material]
    : [...new Set([plant.barkMaterial, plant.leaves.material])];
}

/** Every object of a plant by the name that the native reader has for its fields. */
export const plantObjects = {
  grassPatch: grassPatchSchema,
  tree: treeSchema,
  treeTrunk: treeTrunkSchema,
  branch: branchSchema,
  shrub: shrubSchema,
  shrubTrunk: shrubTrunkSchema,
  leaves: leavesSchema,
  sizedPlant: sizedPlantSchema,
  sizedCrown: sizedCrownSchema,
  sizedStems: sizedStemsSchema,
  sizedLevel: sizedLevelSchema,
  sizedLeaves: sizedLeavesSchema,
} as const;
