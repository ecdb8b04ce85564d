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
import { maxSlotsPerSecond, scanRecipeObjects, scanRecipeSchema } from '../documents/sensorScan.ts';
import { atLeast, fraction, notNegative, positive, vector2 } from './recipeNumbers.ts';

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
  sampling: z.enum(raySamplings),
  dither: z.boolean(),
});

const beamRecipeSchema = z.strictObject({
  shape: z.enum(spotShapes),
  divergenceHorizontalRad: notNegative,
  divergenceVerticalRad: notNegative,
  apertureHorizontalM: notNegative.exactOptional().describe('of the spot at the window'),
  apertureVerticalM: notNegative.exactOptional(),
  overlapM: z
    .tuple([notNegative, notNegative])
    .exactOptional()
    .describe('ranges from which on the receiver sees a part of the beam, and all of it'),
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
