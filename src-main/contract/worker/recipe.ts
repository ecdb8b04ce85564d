// The scene as the native worker is given it: resolved to SI units, ids and absolute files; sensorRecipe.ts has the
// sensor. domain/scene and domain/sensor write them. The schemas are the source of native-workers/contract: names, words
// and bounds of every field are generated from here, and the worker refuses whatever they do not list.
import { z } from 'zod';
import { motionRecipeSchema } from './motions.ts';
import {
  fraction,
  givenFields,
  indexIn,
  leftOut,
  notNegative,
  positive,
  vector2,
  vector3,
  withoutDefaults,
} from './recipeNumbers.ts';
import { sensorRecipeObjects } from './sensorRecipe.ts';
import { weatherRecipeObjects, weatherRecipeSchema } from './weatherRecipe.ts';
import * as document from '../documents/optics.ts';
import { leafAngleNames, plantSchema } from '../documents/plant.ts';
import { maxLeafDiscs } from '../documents/leafDiscs.ts';
import { maxSquares } from '../documents/landscape.ts';
import { scatterPatterns } from '../documents/scatter.ts';
import { windSchema as documentWind } from '../documents/wind.ts';

/** Counts of parts of a primitive or a height field. */
const parts = (min: number) => z.int().min(min).max(65536);
/** Squares of a landscape along a side. */
const squareCount = z.int().min(1).max(maxSquares);
/** There are at most 65535 materials, classes, models and motions. */
const index = z.int().min(0).max(65534);
const materialIndex = indexIn(index, 'materials');
const materialIndices = z.record(z.string(), materialIndex);
/** Id of an instance: from 1, unique in the scene; 0 means nothing. */
const instanceId = z.int().min(1).max(4294967295);
/** Largest angle of a surface's law: a right angle, and what degrees lose in radians. */
const rightAngle = 1.6;

/**
 * Mesh files that the worker reads; 'learned': the PLY of a learned model, with elements and points beside triangles;
 * 'voxels': leaf area densities.
 */
export const meshFormats = ['obj', 'ply', 'stl', 'learned', 'voxels'] as const;
export const upAxes = ['y', 'z'] as const;

const meshSourceSchema = z.strictObject({
  kind: z.literal('mesh'),
  file: z.string(),
  format: z.enum(meshFormats),
  unitM: positive.describe('metres per unit of the file'),
  upAxis: z.enum(upAxes),
  material: materialIndex,
  materials: materialIndices,
  textures: leftOut(z.boolean(), true).describe('images that an MTL or PLY file names are used'),
  alphaThreshold: leftOut(fraction, 0.5).describe('texels with less alpha are holes'),
  leafSizeM: leftOut(positive, 0.05).describe('of voxels'),
  leafAngles: leftOut(z.enum(leafAngleNames), 'spherical').describe('of voxels'),
});

const boxSourceSchema = z.strictObject({
  kind: z.literal('box'),
  sizeM: z.tuple([positive, positive, positive]),
  material: materialIndex,
});

const sphereSourceSchema = z.strictObject({
  kind: z.literal('sphere'),
  radiusM: positive,
  rings: parts(2),
  material: materialIndex,
});

const cylinderSourceSchema = z.strictObject({
  kind: z.literal('cylinder'),
  radiusM: positive,
  heightM: positive,
  sides: parts(3),
  caps: z.boolean(),
  material: materialIndex,
});

const planeSourceSchema = z.strictObject({
  kind: z.literal('plane'),
  sizeM: z.tuple([positive, positive]),
  divisions: parts(1),
  material: materialIndex,
});

const rootStepSourceSchema = z.strictObject({
  kind: z.literal('root-step'),
  sizeM: z.tuple([positive, positive]),
  heightM: positive,
  roots: z.int().min(0).max(1000),
  triangles: z.int().min(2).max(100_000_000),
  seed: z.int().nonnegative(),
  material: materialIndex,
  barkMaterial: materialIndex,
});

const leafDiscsSourceSchema = z.strictObject({
  kind: z.literal('leaf-discs'),
  sizeM: z.tuple([positive, positive, positive]),
  leaves: z.int().min(1).max(maxLeafDiscs),
  leafSizeM: positive,
  leafAngles: z.enum(leafAngleNames),
  clumpLeaves: z.int().min(1).max(maxLeafDiscs),
  clumpRadiusM: notNegative,
  seed: z.int().nonnegative(),
  material: materialIndex,
});

/** Flat leaves on a square about the origin, above z = 0. */
const litterSourceSchema = z.strictObject({
  kind: z.literal('litter'),
  sideM: positive.describe('of the square, at least the length of three leaves'),
  cover: z.number().min(0).max(0.999).describe('share of the square below leaves, from above'),
  leafM: z.tuple([positive, positive]).describe('length and width'),
  maxTiltRad: z.number().min(0).max(1.4).describe('of a leaf against the square'),
  seed: z.int().nonnegative(),
  material: materialIndex,
});

const plantSourceSchema = z.strictObject({
  kind: z.literal('plant'),
  plant: plantSchema,
  seed: z.int().nonnegative(),
  materials: materialIndices,
});

/** Heights lie in the call's payload as f32 column `heights`, row by row from the south, x fastest. */
const heightFieldSourceSchema = z.strictObject({
  kind: z.literal('height-field'),
  columns: parts(2),
  rows: parts(2),
  originM: vector2,
  stepM: z.tuple([positive, positive]),
  material: materialIndex,
});

/** Where a model's triangles come from. `material` and `materials` index SceneRecipe.materials. */
export const modelSourceSchema = z.discriminatedUnion('kind', [
  meshSourceSchema,
  boxSourceSchema,
  sphereSourceSchema,
  cylinderSourceSchema,
  planeSourceSchema,
  rootStepSourceSchema,
  leafDiscsSourceSchema,
  litterSourceSchema,
  plantSourceSchema,
  heightFieldSourceSchema,
]);
export type ModelSource = z.output<typeof modelSourceSchema>;

/** 'all': every triangle stops a vehicle; 'wood': those of the bark material; 'none'. */
export const solids = ['all', 'wood', 'none'] as const;

const modelSchema = z.strictObject({
  name: z.string(),
  solid: z.enum(solids),
  sways: leftOut(z.boolean(), false).describe('in the wind, about its lowest point'),
  source: modelSourceSchema,
});
export type ModelRecipe = z.output<typeof modelSchema>;

const unitQuaternion = z
  .tuple([z.number(), z.number(), z.number(), z.number()])
  .describe('unit quaternion x, y, z, w: worldFromModel');

const instanceSchema = z.strictObject({
  id: instanceId,
  name: z.string(),
  class: indexIn(index, 'classes'),
  model: indexIn(index, 'models'),
  positionM: vector3.describe('z is relative to the ground below when `onGround`'),
  onGround: z.boolean(),
  liesOnGround: leftOut(z.boolean(), false).describe(
    'turned as the ground below it and enlarged so that it covers as much of it from above; `onGround`, too',
  ),
  rotation: unitQuaternion,
  scale: positive,
  motion: indexIn(index, 'motions')
    .exactOptional()
    .describe('it is displaced from here as each scan says (motions.ts); left out: stationary'),
});
/** One placed copy of a model. A wall is an instance of a box, the ground of a plane or height field. */
export type InstanceRecipe = z.output<typeof instanceSchema>;

const keepClearSchema = z.strictObject({ centreM: vector2, radiusM: positive });

const scatterSchema = z.strictObject({
  firstId: instanceId.describe('the n-th copy (from 0) has id firstId + n'),
  name: z.string().describe('and is called `name`-(n + 1)'),
  class: indexIn(index, 'classes'),
  model: indexIn(index, 'models'),
  count: z.int().min(0).max(4294967295),
  pattern: z.enum(scatterPatterns),
  minSpacingM: notNegative.describe('above 0 for poisson-disk'),
  areaM: z.array(vector2).min(3),
  yawRad: vector2,
  scale: z.tuple([positive, positive]),
  tiltRad: vector2,
  keepClear: z.array(keepClearSchema),
});
export type ScatterRecipe = z.output<typeof scatterSchema>;

const tilePlantSchema = z.strictObject({
  name: z.string().describe('of the plant in its tile'),
  class: indexIn(index, 'classes'),
  model: indexIn(index, 'models'),
  positionM: vector3.describe('from the south-west corner of the tile; z above the ground there'),
  rotation: unitQuaternion,
  scale: positive,
});
export type TilePlantRecipe = z.output<typeof tilePlantSchema>;

const tileSchema = z.strictObject({
  plants: z.array(tilePlantSchema),
  scatters: z.array(scatterSchema).describe('in the tile, after its plants; ids are ignored'),
});
export type TileRecipe = z.output<typeof tileSchema>;

/** Squares on the ground, each with the plants of one of a few tiles. */
const landscapeSchema = z.strictObject({
  name: z.string(),
  firstId: instanceId.describe(
    'plant p (from 0) of square s has id firstId + s · plantsPerSquare + p',
  ),
  seed: z.int().nonnegative().describe('of scatters in tiles'),
  cornerM: vector2.describe('south-west'),
  sideM: positive.describe('of a square'),
  columns: squareCount,
  rows: squareCount,
  plantsPerSquare: z.int().min(1).max(4294967295).describe('at least those of any tile'),
  tiles: z.array(tileSchema).min(1).max(65535),
  tileOf: z
    .array(z.int().min(-1).max(65534))
    .max(maxSquares)
    .describe('by square, row by row from the south-west; -1: none'),
  areaM: z.array(vector2).min(3).describe('plants outside are left out'),
  keepClear: z.array(keepClearSchema),
});
export type LandscapeRecipe = z.output<typeof landscapeSchema>;

/** A share of light at every wavelength, or [wavelength in nm, share], wavelengths rising. */
const share = z.union([fraction, z.array(z.tuple([z.number().min(0).max(1e9), fraction])).min(1)]);

const lambertianSchema = z.strictObject({ kind: z.literal('lambertian') });
const orenNayarSchema = z.strictObject({
  kind: z.literal('oren-nayar'),
  roughnessRad: z.number().min(0).max(rightAngle),
});
const mirrorSurfaceSchema = z.strictObject({
  kind: z.literal('mirror'),
  specularReflectance: leftOut(share, 1),
});
const retroreflectorSchema = z.strictObject({
  kind: z.literal('retroreflector'),
  gain: z.number().min(0).max(1e6),
  halfWidthRad: z.number().min(1e-6).max(rightAngle),
});

const glassSchema = z.strictObject(givenFields(document.glassSchema.shape));
const waterSchema = z.strictObject(givenFields(document.waterSchema.shape));

export const surfaceRecipeSchema = z.discriminatedUnion('kind', [
  lambertianSchema,
  orenNayarSchema,
  mirrorSurfaceSchema,
  retroreflectorSchema,
  glassSchema,
  waterSchema,
]);

const { transmittance, gapFraction, wetness, part } = document.materialSchema.shape;

const materialSchema = z.strictObject({
  name: z.string(),
  reflectance: share.describe(
    'diffuse, both sides: a number, or [wavelength in nm, reflectance], rising',
  ),
  surface: leftOut(surfaceRecipeSchema, {}).describe('left out: lambertian'),
  ...withoutDefaults({ transmittance, gapFraction, wetness, part }),
  colourRgb: z.tuple([fraction, fraction, fraction]).describe('for images'),
});
export type MaterialRecipe = z.output<typeof materialSchema>;

/** PHYSICS.md, 2.3. Coefficients add up. */
const atmosphereSchema = z.strictObject(withoutDefaults(document.atmosphereSchema.shape));
export type AtmosphereRecipe = z.output<typeof atmosphereSchema>;

/** PHYSICS.md, 2.9: how plants sway. */
const windSchema = z.strictObject({
  ...givenFields(documentWind.omit({ directionDeg: true }).shape),
  speedMPerS: positive,
  towardsRad: z.number().describe('where it blows to, counter-clockwise from east'),
});
export type WindRecipe = z.output<typeof windSchema>;

export const sceneRecipeSchema = z.strictObject({
  seed: z.int().nonnegative(),
  materials: z.array(materialSchema).max(65535),
  classes: z
    .array(z.string())
    .max(65535)
    .describe("'ground' and 'wall' are the classes of ground and walls"),
  models: z.array(modelSchema).max(65535),
  instances: z.array(instanceSchema),
  scatters: z.array(scatterSchema),
  landscapes: leftOut(z.array(landscapeSchema).max(1000), []),
  motions: leftOut(z.array(motionRecipeSchema).max(65535), []).describe(
    'of instances, by index; the worker is told displacements',
  ),
  ground: z
    .int()
    .min(-1)
    .max(2147483647)
    .describe('index in `instances` of the ground, or -1: what `onGround` and scatters refer to'),
  atmosphere: leftOut(atmosphereSchema, {}).describe('left out: a vacuum'),
  weather: leftOut(weatherRecipeSchema, {}).describe('left out: clear'),
  wind: windSchema.exactOptional().describe('left out: nothing sways'),
  // Why a limit: each mirror is a ray more, and a column counts them in eight bits.
  mirrorDepth: leftOut(z.int().min(0).max(32), 4).describe('most mirrors on the path of a ray'),
});
export type SceneRecipe = z.output<typeof sceneRecipeSchema>;

/** Every object of the recipes by the name that the native reader has for its fields. */
export const recipeObjects = {
  scene: sceneRecipeSchema,
  model: modelSchema,
  meshSource: meshSourceSchema,
  boxSource: boxSourceSchema,
  sphereSource: sphereSourceSchema,
  cylinderSource: cylinderSourceSchema,
  planeSource: planeSourceSchema,
  rootStepSource: rootStepSourceSchema,
  leafDiscsSource: leafDiscsSourceSchema,
  litterSource: litterSourceSchema,
  plantSource: plantSourceSchema,
  heightFieldSource: heightFieldSourceSchema,
  instance: instanceSchema,
  scatter: scatterSchema,
  keepClear: keepClearSchema,
  tilePlant: tilePlantSchema,
  tile: tileSchema,
  landscape: landscapeSchema,
  material: materialSchema,
  lambertian: lambertianSchema,
  orenNayar: orenNayarSchema,
  mirrorSurface: mirrorSurfaceSchema,
  retroreflector: retroreflectorSchema,
  glass: glassSchema,
  water: waterSchema,
  atmosphere: atmosphereSchema,
  ...weatherRecipeObjects,
  wind: windSchema,
  ...sensorRecipeObjects,
} as const;
