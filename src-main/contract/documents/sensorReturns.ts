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
    noneBeyondM: positive.describe('beyond, nothing returns'),
    reflectanceNear: fraction.describe('least reflectance that returns just beyond fullToM'),
    reflectanceFar: fraction.describe('least reflectance that returns at noneBeyondM'),
  })
  .refine((gate) => gate.fullToM < gate.noneBeyondM, {
    path: ['noneBeyondM'],
    message: 'expected more than fullToM',
  })
  .refine((gate) => gate.reflectanceNear <= gate.reflectanceFar, {
    path: ['reflectanceFar'],
    message: 'expected at least reflectanceNear: what is farther away must reflect no less',
  })
  .describe(
    'least diffuse reflectance that returns, linear between two distances; the whole path counts, mirrors included (Gschwandtner 2011, eq. 1)',
  );

const waveformSchema = z
  .strictObject({
    binNs: positive.min(1e-6).max(1000).describe('sampling interval of the receiver'),
    pulseWidthNs: positive
      .min(1e-6)
      .max(10000)
      .describe('of the Gaussian pulse, full width at half maximum'),
  })
  .refine(({ binNs, pulseWidthNs }) => pulseWidthNs <= 1000 * binNs, {
    path: ['binNs'],
    message: 'expected at least a thousandth of pulseWidthNs',
  })
  .describe('the receiver samples the full waveform, and returns are its peaks');

const echoesSchema = z.strictObject({
  mode: z
    .enum(returnModes)
    .describe(
      'first: mean of what lies within signalCutoffM behind the nearest; closest: the nearest alone; all: maxReturns by range',
    ),
  signalCutoffM: notNegative.describe(
    'length of the averaging window, and reach of a share of the beam',
  ),
  window: z
    .boolean()
    .default(false)
    .describe('strongest and last average within signalCutoffM too (Goodin 2018, figure 2)'),
  rangeResolutionM: notNegative
    .default(0)
    .describe(
      'hits less than this behind the nearest of an echo belong to it; 0: each ray its own. Without a waveform only',
    ),
  maxReturns: count.max(16).default(3).describe("with mode 'all': the first so many echoes"),
  detectionThreshold: notNegative
    .default(0)
    .describe(
      "least strength of an echo, the sum of its rays' weight times intensity (in 1/m² with radar-equation)",
    ),
  gate: gateSchema.optional(),
  waveform: waveformSchema.optional(),
});

/** From hits to returns. */
export const returnsSchema = echoesSchema.refine(
  ({ rangeResolutionM, waveform }) => rangeResolutionM === 0 || waveform === undefined,
  {
    path: ['rangeResolutionM'],
    message: 'expected only without a waveform, whose pulse width separates echoes',
  },
);

/** Standard deviations of normal errors; 0 switches one off. */
export const noiseSchema = z.strictObject({
  laserBiasSigmaM: notNegative
    .default(0)
    .describe('per-laser bias, drawn for the serial (Gschwandtner 2011, eq. 2)'),
  rangeSigmaM: notNegative
    .default(0)
    .describe('σ0: error of every return (Gschwandtner 2011, eq. 2; Deschaud 2012)'),
  incidenceSigmaM: notNegative
    .default(0)
    .describe('σa: times sin θ / cos² θ, θ the angle of incidence (Deschaud 2012)'),
  rangeSigmaPerM: notNegative.max(1).default(0).describe('times the range in metres'),
  signalSigmaM: notNegative
    .default(0)
    .describe('of a return of intensity 1; goes as the inverse square root of the intensity'),
  pointingSigmaMrad: notNegative
    .max(500)
    .default(0)
    .describe('of the axis, left and up, drawn for each pulse; not part of the reported direction'),
  mountPositionSigmaM: notNegative
    .max(10)
    .default(0)
    .describe('of the true mount along each axis, drawn for the serial; unknown to the sensor'),
  mountAngleSigmaMrad: notNegative
    .max(500)
    .default(0)
    .describe('of the true mount about each axis, drawn for the serial; unknown to the sensor'),
  dropOutShare: fraction.default(0).describe('share of the returns that are lost, at random'),
});

/** Steps of what is reported; 0: none. */
export const quantisationSchema = z.strictObject({
  rangeM: notNegative.default(0).describe('step of reported ranges, rounded to the nearest'),
  azimuthDeg: notNegative
    .max(90)
    .default(0)
    .describe("the encoder's step: reported azimuths are rounded down to it"),
});
