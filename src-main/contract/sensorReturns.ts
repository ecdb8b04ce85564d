// From a pulse's signal to its returns, and what a real sensor adds to them: modes, gate, waveform, noise.
// PHYSICS.md, 1.3 and 1.8.
import { z } from 'zod';
import { count, fraction, notNegative, positive } from './quantities.ts';

/** Which echoes of a pulse are returned: PHYSICS.md, 1.3. */
export const returnModes = [
  'strongest',
  'last',
  'strongest-and-last',
  'first',
  'closest',
  'all',
] as const;
export type ReturnMode = (typeof returnModes)[number];

const gateSchema = z
  .strictObject({
    fullToM: positive.describe('up to here any reflectance above 0 returns'),
    noneBeyondM: positive.describe('from here on nothing returns'),
    reflectanceNear: fraction.describe('least reflectance that returns just beyond fullToM'),
    reflectanceFar: fraction.describe('least reflectance that returns at noneBeyondM'),
  })
  .refine((gate) => gate.fullToM < gate.noneBeyondM, {
    path: ['noneBeyondM'],
    message: 'expected more than fullToM',
  })
  .describe('least reflectance by distance (Gschwandtner 2011, figure 2b)');

const waveformSchema = z
  .strictObject({
    binNs: positive.max(1000).describe('sampling interval of the receiver'),
    pulseWidthNs: positive.max(10000).describe('of the Gaussian pulse, full width at half maximum'),
  })
  .describe('the receiver samples the full waveform, and returns are its peaks');

export const returnsSchema = z.strictObject({
  mode: z.enum(returnModes),
  signalCutoffM: notNegative.describe('length of the averaging window'),
  window: z.boolean().default(false).describe('average in strongest and last too (figure 2)'),
  rangeResolutionM: notNegative
    .default(0)
    .describe(
      'hits less than this behind the nearest of an echo belong to it; 0: each ray its own',
    ),
  maxReturns: count.max(16).default(3).describe("with mode 'all': the first so many echoes"),
  detectionThreshold: notNegative
    .default(0)
    .describe('least strength of an echo, sum of weight times intensity'),
  gate: gateSchema.optional(),
  waveform: waveformSchema.optional(),
});

export const noiseSchema = z.strictObject({
  laserBiasSigmaM: notNegative.default(0).describe('constant error of each laser, drawn once'),
  rangeSigmaM: notNegative.default(0).describe('σ0: of every return'),
  incidenceSigmaM: notNegative
    .default(0)
    .describe('σa: times sin θ / cos² θ (Deschaud 2012), θ the angle of incidence'),
  rangeSigmaPerM: notNegative.max(1).default(0).describe('times the range'),
  signalSigmaM: notNegative
    .default(0)
    .describe('over the square root of the intensity: of a return of intensity 1'),
  pointingSigmaMrad: notNegative.max(500).default(0).describe('of the axis, in both angles'),
  dropOutShare: fraction.default(0).describe('share of the returns that are lost'),
});

export const quantisationSchema = z.strictObject({
  rangeM: notNegative.default(0).describe('step of reported ranges; 0: none'),
  azimuthDeg: notNegative.max(90).default(0).describe("the encoder's step; 0: none"),
});
