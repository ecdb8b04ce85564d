// The sensor as the native worker is given it, in SI units; recipe.ts has the scene.
import { z } from 'zod';
import {
  beamProfiles,
  radiometries,
  raySamplings,
  spotShapes,
  stencilKinds,
} from '../documents/sensorBeam.ts';
import { returnModes } from '../documents/sensorReturns.ts';
import { maxSlotsPerSecond } from '../documents/scan/scanPattern.ts';
import { scanRecipeObjects, scanRecipeSchema } from '../documents/scan/scanRecipe.ts';
import { atLeast, fraction, leftOut, notNegative, positive, vector2 } from './recipeNumbers.ts';

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

const beamRaysSchema = z.strictObject({
  count: z.int().min(1).max(65536),
  profile: z
    .union([z.enum(beamProfiles), z.array(vector2).min(2)])
    .describe('tabulated: [distance in half divergences, irradiance]'),
  sampling: z.enum(raySamplings).describe('stratified, or drawn for each pulse'),
  dither: z.boolean().describe('stratified, but drawn for each pulse within the strata'),
});

const beamRecipeSchema = z.strictObject({
  shape: z.enum(spotShapes),
  divergenceHorizontalRad: notNegative.describe('full angle'),
  divergenceVerticalRad: notNegative,
  apertureHorizontalM: leftOut(notNegative, 0).describe('of the spot at the window'),
  apertureVerticalM: leftOut(notNegative, 0),
  overlapM: z
    .tuple([notNegative, notNegative])
    .exactOptional()
    .describe('ranges from which on the receiver sees a part of the beam, and all of it'),
  stencil: z.enum(stencilKinds),
  rays: leftOut(beamRaysSchema, {}).describe("with stencil 'rays'"),
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
  pulseWidthNs: atLeast(1e-6).describe('full width at half maximum'),
});

export const detectionRecipeSchema = z.strictObject({
  reflectance: z.number().positive().max(1e6).describe('head on, filling the spot, in clear air'),
  rangeM: z.number().positive(),
  probability: z.number().min(0.05).max(0.9999).describe('with which that target is detected'),
  falseAlarmsPerPulse: z.number().min(0).max(1),
});
export type DetectionRecipe = z.output<typeof detectionRecipeSchema>;

const returnsRecipeSchema = z.strictObject({
  mode: z.enum(returnModes),
  signalCutoffM: notNegative,
  window: z.boolean().describe('average in strongest and last too'),
  rangeResolutionM: leftOut(notNegative, 0).describe('0: every ray is its own echo'),
  maxReturns: leftOut(z.int().min(1).max(16), 3).describe("with mode 'all'"),
  detectionThreshold: leftOut(notNegative, 0).describe('least signal of an echo in 1/m²'),
  detection: detectionRecipeSchema.exactOptional().describe('left out: nothing is lost'),
  detectionFalloff: leftOut(notNegative, 0).describe(
    'exponent by which signals at the limit count less than by 1/R²',
  ),
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
  limitSigmaM: leftOut(notNegative, 0).describe(
    'of a return with the signal of the detection limit',
  ),
  pointingSigmaRad: notNegative,
  dropOutShare: notNegative,
  mountPositionSigmaM: leftOut(notNegative, 0).describe(
    'of the unit, unknown to it: along each axis',
  ),
  mountAngleSigmaRad: leftOut(notNegative, 0).describe('about each axis'),
});
export type NoiseRecipe = z.output<typeof noiseRecipeSchema>;

const intensityRecipeSchema = z
  .strictObject({
    scale: z
      .array(vector2)
      .exactOptional()
      .describe('[signal times R², reported], rising; left out: intensities as they are'),
    noiseSigma: notNegative.describe('standard deviation, in the unit of intensities'),
    noiseShare: notNegative.describe('standard deviation, times the intensity'),
    saturation: leftOut(positive, 0).describe('greatest that is reported'),
    step: notNegative,
  })
  .describe('errors of reported intensities; 0: none');

const quantisationRecipeSchema = z
  .strictObject({ rangeM: notNegative, azimuthRad: notNegative })
  .describe('steps of what is reported; 0: none');

export const sensorRecipeSchema = z.strictObject({
  id: z.string(),
  stream: leftOut(z.int().min(0).max(4294967295), 0).describe(
    'number of the sensor on its rig, part of the key of its random numbers',
  ),
  serial: z
    .string()
    .exactOptional()
    .describe('of the unit: key of what is drawn once for it; left out: the id'),
  scan: scanRecipeSchema,
  slotsPerSecond: atLeast(1e-6).max(maxSlotsPerSecond),
  clock: leftOut(clockSchema, {}),
  banks: z.array(bankSchema),
  slotPattern: z.array(z.int().min(0).max(4294967295)).min(1).describe('banks by slot'),
  deadRings: z
    .array(z.int().min(0).max(65535))
    .exactOptional()
    .describe('lasers that return nothing'),
  deadShare: leftOut(fraction, 0).describe('of the lasers, drawn for the serial'),
  minRangeM: notNegative,
  maxRangeM: notNegative,
  backfoldM: leftOut(notNegative, 0).describe('0: none'),
  wavelengthNm: leftOut(atLeast(1), 905),
  beam: beamRecipeSchema,
  radiometry: leftOut(z.enum(radiometries), 'relative'),
  returns: returnsRecipeSchema,
  noise: leftOut(noiseRecipeSchema, {}),
  intensity: leftOut(intensityRecipeSchema, {}),
  quantisation: leftOut(quantisationRecipeSchema, {}),
});
/**
 * A sensor in SI units. Slot k fires bank slotPattern[k mod length] at clock.phaseNs + k / slotsPerSecond; of an
 * image, slot k is column k mod columns, and all slots of an image have the time of its first. What may be left
 * out, the sensor does not have.
 */
export type SensorRecipe = z.output<typeof sensorRecipeSchema>;

/** Every object of a sensor by the name that the native reader has for its fields. */
export const sensorRecipeObjects = {
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
