// The documents that the native worker is given: the scene and the sensor resolved to SI units, ids and absolute
// files. domain/scene and domain/sensor write them. The schemas are the source of native-workers/contract: names,
// words and bounds of every field are generated from here, and the worker refuses whatever they do not list.
import { z } from 'zod';
import { motionRecipeSchema } from './motions.ts';
import { plantSchema } from '../documents/plant.ts';
import { returnModes } from '../documents/sensorReturns.ts';
import { maxSlotsPerSecond, scanRecipeObjects, scanRecipeSchema } from '../documents/sensorScan.ts';

/** Counts of parts of a primitive or a height field. */
const parts = (min: number) => z.int().min(min).max(65536);
const atLeast = (min: number) => z.number().min(min);
const notNegative = atLeast(0);
const positive = z.number().positive();
const fraction = z.number().min(0).max(1);
/** An index in another list of the recipe; there are at most 65535 materials, classes and models. */
const index = z.int().min(0).max(65534);
const vector2 = z.tuple([z.number(), z.number()]);
const vector3 = z.tuple([z.number(), z.number(), z.number()]);
/** Id of an instance: from 1, unique in the scene; 0 means nothing. */
const instanceId = z.int().min(1).max(4294967295);
/** Largest angle of a surface's law: a right angle, and what degrees lose in radians. */
const rightAngle = 1.6;

/** Mesh files that the worker reads; 'learned': the PLY of a learned model, with elements and points beside triangles. */
export const meshFormats = ['obj', 'ply', 'stl', 'learned'] as const;
export const upAxes = ['y', 'z'] as const;

const meshSourceSchema = z.strictObject({
  kind: z.literal('mesh'),
  file: z.string(),
  format: z.enum(meshFormats),
  unitM: positive.describe('metres per unit of the file'),
  upAxis: z.enum(upAxes),
  material: index,
  materials: z.record(z.string(), index),
  textures: z
    .boolean()
    .exactOptional()
    .describe('images that an MTL or PLY file names are used; left out: true'),
  alphaThreshold: fraction
    .exactOptional()
    .describe('texels with less alpha are holes; left out: 0.5'),
});

const boxSourceSchema = z.strictObject({
  kind: z.literal('box'),
  sizeM: z.tuple([positive, positive, positive]),
  material: index,
});

const sphereSourceSchema = z.strictObject({
  kind: z.literal('sphere'),
  radiusM: positive,
  rings: parts(2),
  material: index,
});

const cylinderSourceSchema = z.strictObject({
  kind: z.literal('cylinder'),
  radiusM: positive,
  heightM: positive,
  sides: parts(3),
  caps: z.boolean(),
  material: index,
});

const planeSourceSchema = z.strictObject({
  kind: z.literal('plane'),
  sizeM: z.tuple([positive, positive]),
  divisions: parts(1),
  material: index,
});

const plantSourceSchema = z.strictObject({
  kind: z.literal('plant'),
  plant: plantSchema,
  seed: z.int().nonnegative(),
  materials: z.record(z.string(), index),
});

/** Heights lie in the call's payload as f32 column `heights`, row by row from the south, x fastest. */
const heightFieldSourceSchema = z.strictObject({
  kind: z.literal('height-field'),
  columns: parts(2),
  rows: parts(2),
  originM: vector2,
  stepM: z.tuple([positive, positive]),
  material: index,
});

/** Where a model's triangles come from. `material` and `materials` index SceneRecipe.materials. */
const modelSourceSchema = z.discriminatedUnion('kind', [
  meshSourceSchema,
  boxSourceSchema,
  sphereSourceSchema,
  cylinderSourceSchema,
  planeSourceSchema,
  plantSourceSchema,
  heightFieldSourceSchema,
]);
export type ModelSource = z.output<typeof modelSourceSchema>;

/** 'all': every triangle stops a vehicle; 'wood': those of the bark material; 'none'. */
export const solids = ['all', 'wood', 'none'] as const;

const modelSchema = z.strictObject({
  name: z.string(),
  solid: z.enum(solids),
  source: modelSourceSchema,
});
export type ModelRecipe = z.output<typeof modelSchema>;

const instanceSchema = z.strictObject({
  id: instanceId,
  name: z.string(),
  class: index,
  model: index,
  positionM: vector3.describe('z is relative to the ground below when `onGround`'),
  onGround: z.boolean(),
  rotation: z
    .tuple([z.number(), z.number(), z.number(), z.number()])
    .describe('unit quaternion x, y, z, w: worldFromModel'),
  scale: positive,
  motion: index
    .exactOptional()
    .describe('it is displaced from here as each scan says (motions.ts); left out: stationary'),
});
/** One placed copy of a model. A wall is an instance of a box, the ground of a plane or height field. */
export type InstanceRecipe = z.output<typeof instanceSchema>;

export const scatterPatterns = ['uniform', 'poisson-disk'] as const;

const keepClearSchema = z.strictObject({ centreM: vector2, radiusM: positive });

const scatterSchema = z.strictObject({
  firstId: instanceId.describe('the n-th copy (from 0) has id firstId + n'),
  name: z.string().describe('and is called `name`-(n + 1)'),
  class: index,
  model: index,
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

export const surfaceKinds = [
  'lambertian',
  'oren-nayar',
  'mirror',
  'retroreflector',
  'glass',
  'water',
] as const;

/** A share of light at every wavelength, or [wavelength in nm, share], wavelengths rising. */
const share = z.union([fraction, z.array(z.tuple([z.number().min(0).max(1e9), fraction])).min(1)]);

const lambertianSchema = z.strictObject({ kind: z.literal('lambertian') });
const orenNayarSchema = z.strictObject({
  kind: z.literal('oren-nayar'),
  roughnessRad: z.number().min(0).max(rightAngle),
});
const mirrorSurfaceSchema = z.strictObject({
  kind: z.literal('mirror'),
  specularReflectance: share.exactOptional().describe('left out: 1'),
});
const retroreflectorSchema = z.strictObject({
  kind: z.literal('retroreflector'),
  gain: z.number().min(0).max(1e6),
  halfWidthRad: z.number().min(1e-6).max(rightAngle),
});

const refractiveIndex = z.number().min(1).max(10);
const perM = z.number().min(0).max(1e6);
/** Per metre of a way: at every wavelength, or [wavelength in nm, coefficient], wavelengths rising. */
const absorptionPerM = z.union([perM, z.array(z.tuple([z.number().min(0).max(1e9), perM])).min(1)]);
const glassSchema = z.strictObject({
  kind: z.literal('glass'),
  refractiveIndex,
  absorptionPerM,
  thicknessM: notNegative,
});
const waterSchema = z.strictObject({
  kind: z.literal('water'),
  refractiveIndex,
  absorptionPerM,
  depthM: notNegative.describe('what lies deeper below the face returns nothing'),
});

const materialSchema = z.strictObject({
  name: z.string(),
  reflectance: share.describe(
    'diffuse, both sides: a number, or [wavelength in nm, reflectance], rising',
  ),
  surface: z
    .discriminatedUnion('kind', [
      lambertianSchema,
      orenNayarSchema,
      mirrorSurfaceSchema,
      retroreflectorSchema,
      glassSchema,
      waterSchema,
    ])
    .exactOptional()
    .describe('left out: lambertian'),
  transmittance: share
    .exactOptional()
    .describe('diffuse, as the reflectance and with it at most 1; left out: 0'),
  gapFraction: fraction.exactOptional().describe('share of a ray that meets nothing; left out: 0'),
  wetness: fraction.exactOptional().describe('share under a film of water; left out: 0'),
  colourRgb: z.tuple([fraction, fraction, fraction]).describe('for images'),
});
export type MaterialRecipe = z.output<typeof materialSchema>;

export const visibilityLaws = ['kruse', 'kim'] as const;

const atmospherePart = z.number().min(0).max(1e6);

/** PHYSICS.md, 2.3. Coefficients add up. */
const atmosphereSchema = z.strictObject({
  visibilityKm: atmospherePart.exactOptional().describe('of clear air or fog'),
  visibilityLaw: z.enum(visibilityLaws).exactOptional(),
  rainMmPerH: atmospherePart.exactOptional(),
  extinctionPerM: atmospherePart.exactOptional().describe('given outright, at every wavelength'),
});
export type AtmosphereRecipe = z.output<typeof atmosphereSchema>;

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
  motions: z
    .array(motionRecipeSchema)
    .max(65535)
    .exactOptional()
    .describe('of instances, by index; the worker is told displacements; left out: none'),
  ground: z
    .int()
    .min(-1)
    .max(2147483647)
    .describe('index in `instances` of the ground, or -1: what `onGround` and scatters refer to'),
  atmosphere: atmosphereSchema.exactOptional().describe('left out: a vacuum'),
  // Why a limit: each mirror is a ray more, and a column counts them in eight bits.
  mirrorDepth: z
    .int()
    .min(0)
    .max(32)
    .exactOptional()
    .describe('most mirrors on the path of a ray; left out: 4'),
});
export type SceneRecipe = z.output<typeof sceneRecipeSchema>;

/** The sensor's own clock: it starts to fire at phaseNs, and stamps t with t·(1 + driftPpm·1e-6) + offsetNs. */
const clockSchema = z.strictObject({
  phaseNs: z.int().nonnegative(),
  offsetNs: z.int(),
  driftPpm: atLeast(-1e5),
});
export type ClockRecipe = z.output<typeof clockSchema>;

const bankSchema = z.strictObject({
  elevationsRad: z.array(z.number()).min(1),
  rings: z
    .array(z.int().min(0).max(65535))
    .min(1)
    .describe('rank of each laser over all banks by elevation, from 0'),
  azimuthOffsetsRad: z
    .array(z.number())
    .exactOptional()
    .describe('added to the azimuth of each laser'),
  firingOffsetsNs: z
    .array(z.int())
    .exactOptional()
    .describe('how long after its slot each laser fires'),
  rangeOffsetsM: z.array(z.number()).exactOptional().describe('added to reported ranges'),
  horizontalOffsetsM: z
    .array(z.number())
    .exactOptional()
    .describe('origin of each laser: to the left of its pulse'),
  verticalOffsetsM: z
    .array(z.number())
    .exactOptional()
    .describe('origin of each laser: upwards, across its pulse'),
});
/** Lasers that fire together. */
export type LaserBankRecipe = z.output<typeof bankSchema>;

export const spotShapes = ['circular', 'rectangular', 'elliptical'] as const;
export const stencilKinds = ['moment', 'goodin2018', 'rays'] as const;
export const beamProfiles = ['uniform', 'gaussian'] as const;
export const raySamplings = ['stratified', 'random'] as const;

const beamRaysSchema = z.strictObject({
  count: z.int().min(1).max(65536),
  profile: z
    .union([z.enum(beamProfiles), z.array(vector2).min(2)])
    .describe('tabulated: [distance in half divergences, irradiance]'),
  sampling: z.enum(raySamplings),
  dither: z.boolean(),
});

const beamRecipeSchema = z.strictObject({
  shape: z.enum(spotShapes),
  divergenceHorizontalRad: notNegative,
  divergenceVerticalRad: notNegative,
  apertureHorizontalM: notNegative.exactOptional().describe('of the spot at the window'),
  apertureVerticalM: notNegative.exactOptional(),
  stencil: z.enum(stencilKinds),
  rays: beamRaysSchema.exactOptional().describe("with stencil 'rays'"),
});
export type BeamRecipe = z.output<typeof beamRecipeSchema>;

const gateRecipeSchema = z.strictObject({
  fullToM: notNegative,
  noneBeyondM: notNegative,
  reflectanceNear: notNegative,
  reflectanceFar: notNegative,
});

const waveformRecipeSchema = z.strictObject({
  binNs: atLeast(1e-6),
  pulseWidthNs: atLeast(1e-6),
});

export const detectionRecipeSchema = z.strictObject({
  reflectance: z.number().positive().max(1e6),
  rangeM: z.number().positive(),
  probability: z.number().min(0.05).max(0.9999),
  falseAlarmsPerPulse: z.number().min(0).max(1),
});
export type DetectionRecipe = z.output<typeof detectionRecipeSchema>;

const returnsRecipeSchema = z.strictObject({
  mode: z.enum(returnModes),
  signalCutoffM: notNegative,
  window: z.boolean(),
  rangeResolutionM: notNegative.exactOptional().describe('left out: 0, every ray is its own echo'),
  maxReturns: z.int().min(1).max(16).exactOptional().describe("with mode 'all'"),
  detectionThreshold: notNegative
    .exactOptional()
    .describe('least signal of an echo in 1/m²; left out: 0'),
  detection: detectionRecipeSchema.exactOptional().describe('left out: nothing is lost'),
  detectionFalloff: notNegative
    .exactOptional()
    .describe('exponent by which signals at the limit count less than by 1/R²; left out: 0'),
  gate: gateRecipeSchema.exactOptional(),
  waveform: waveformRecipeSchema.exactOptional(),
});
export type ReturnsRecipe = z.output<typeof returnsRecipeSchema>;

/** Standard deviations; 0 switches a part off. */
const noiseRecipeSchema = z.strictObject({
  laserBiasSigmaM: notNegative,
  rangeSigmaM: notNegative,
  incidenceSigmaM: notNegative,
  rangeSigmaPerM: notNegative,
  signalSigmaM: notNegative,
  limitSigmaM: notNegative.exactOptional(),
  pointingSigmaRad: notNegative,
  dropOutShare: notNegative,
  mountPositionSigmaM: notNegative.exactOptional(),
  mountAngleSigmaRad: notNegative.exactOptional(),
});
export type NoiseRecipe = z.output<typeof noiseRecipeSchema>;

const intensityRecipeSchema = z
  .strictObject({
    scale: z
      .array(vector2)
      .exactOptional()
      .describe('[signal times R², reported], rising; left out: intensities as they are'),
    noiseSigma: notNegative,
    noiseShare: notNegative,
    saturation: positive.exactOptional(),
    step: notNegative,
  })
  .describe('errors of reported intensities; 0: none');

const quantisationRecipeSchema = z
  .strictObject({ rangeM: notNegative, azimuthRad: notNegative })
  .describe('steps of what is reported; 0: none');

export const radiometries = ['relative', 'radar-equation'] as const;

export const sensorRecipeSchema = z.strictObject({
  id: z.string(),
  stream: z
    .int()
    .min(0)
    .max(4294967295)
    .exactOptional()
    .describe(
      'number of the sensor on its rig, part of the key of its random numbers; left out: 0',
    ),
  serial: z
    .string()
    .exactOptional()
    .describe('of the unit: key of what is drawn once for it; left out: the id'),
  scan: scanRecipeSchema,
  slotsPerSecond: atLeast(1e-6).max(maxSlotsPerSecond),
  clock: clockSchema.exactOptional(),
  banks: z.array(bankSchema),
  slotPattern: z.array(z.int().min(0).max(4294967295)).min(1).describe('banks by slot'),
  deadRings: z
    .array(z.int().min(0).max(65535))
    .exactOptional()
    .describe('lasers that return nothing'),
  deadShare: fraction.exactOptional().describe('of the lasers, drawn for the serial'),
  minRangeM: notNegative,
  maxRangeM: notNegative,
  backfoldM: notNegative.exactOptional(),
  wavelengthNm: atLeast(1).exactOptional().describe('left out: 905'),
  beam: beamRecipeSchema,
  radiometry: z.enum(radiometries).exactOptional().describe('left out: relative'),
  returns: returnsRecipeSchema,
  noise: noiseRecipeSchema.exactOptional(),
  intensity: intensityRecipeSchema.exactOptional(),
  quantisation: quantisationRecipeSchema.exactOptional(),
});
/**
 * A sensor in SI units. Slot k fires bank slotPattern[k mod length] at clock.phaseNs + k / slotsPerSecond; of an
 * image, slot k is column k mod columns, and all slots of an image have the time of its first. What may be left
 * out, the sensor does not have.
 */
export type SensorRecipe = z.output<typeof sensorRecipeSchema>;

/** Every object of the recipes by the name that the native reader has for its fields. */
export const recipeObjects = {
  scene: sceneRecipeSchema,
  model: modelSchema,
  meshSource: meshSourceSchema,
  boxSource: boxSourceSchema,
  sphereSource: sphereSourceSchema,
  cylinderSource: cylinderSourceSchema,
  planeSource: planeSourceSchema,
  plantSource: plantSourceSchema,
  heightFieldSource: heightFieldSourceSchema,
  instance: instanceSchema,
  scatter: scatterSchema,
  keepClear: keepClearSchema,
  material: materialSchema,
  lambertian: lambertianSchema,
  orenNayar: orenNayarSchema,
  mirrorSurface: mirrorSurfaceSchema,
  retroreflector: retroreflectorSchema,
  glass: glassSchema,
  water: waterSchema,
  atmosphere: atmosphereSchema,
  sensor: sensorRecipeSchema,
  ...scanRecipeObjects,
  clock: clockSchema,
  bank: bankSchema,
  beam: beamRecipeSchema,
  beamRays: beamRaysSchema,
  returns: returnsRecipeSchema,
  detection: detectionRecipeSchema,
  gate: gateRecipeSchema,
  waveform: waveformRecipeSchema,
  noise: noiseRecipeSchema,
  intensity: intensityRecipeSchema,
  quantisation: quantisationRecipeSchema,
} as const;
