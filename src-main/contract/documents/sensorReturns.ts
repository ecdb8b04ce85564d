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

/** Whether a mode can return more than one echo of a pulse. */
export function hasSeveralReturns(mode: ReturnMode): boolean {
  return mode === 'strongest-and-last' || mode === 'all';
}

/** Why a mode needs a range resolution or a waveform. */
export const separationMessage =
  'expected more than 0, or a waveform: without either, echoes cannot be separated, and a mode with several returns would return one surface several times';

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
    'least reflectance that returns, linear between two distances; read from what a ray receives, as of a diffuse surface; the whole path counts, mirrors included (Gschwandtner 2011, eq. 1)',
  );

const detectionSchema = z
  .strictObject({
    reflectance: positive
      .max(1e6)
      .describe('of a target that fills the spot, head on, in clear air, at the limit'),
    rangeM: positive.describe('distance of that target'),
    probability: z
      .number()
      .min(0.05)
      .max(0.9999)
      .default(0.5)
      .describe('with which that target is detected'),
    falseAlarmsPerPulse: z
      .number()
      .min(0)
      .max(1)
      .default(1e-6)
      .describe(
        'mean number of returns of noise alone; with it the probability gives the noise of the receiver. 0: none are drawn, noise as with 1e-6',
      ),
    far: z
      .strictObject({
        reflectance: positive.max(1e6).describe('of a brighter target, at the limit as well'),
        rangeM: positive.describe('its distance'),
      })
      .optional()
      .describe(
        'a second limit of the data sheet, with the same probability; signals count as if they fell faster than 1/R² (PHYSICS.md, 1.3)',
      ),
  })
  .superRefine((limit, context) => {
    const { far } = limit;
    if (far === undefined) return;
    const report = (field: string, message: string): void =>
      context.addIssue({ code: 'custom', path: ['far', field], message });
    if (far.rangeM <= limit.rangeM) {
      report('rangeM', `expected more than rangeM (${limit.rangeM}), found ${far.rangeM}`);
    } else if (detectionFalloff(limit) < 0) {
      const min = Number((limit.reflectance * (far.rangeM / limit.rangeM) ** 2).toPrecision(4));
      report('reflectance', `expected at least ${min}, by 1/R², found ${far.reflectance}`);
    }
  })
  .describe('what a data sheet calls its range: the receiver loses weaker signals, at random');

/** The exponent p of PHYSICS.md, 1.3: a signal S at R counts S·(rangeM/R)^p, so that both limits agree; 0: one limit. */
export function detectionFalloff({
  reflectance,
  rangeM,
  far,
}: {
  reflectance: number;
  rangeM: number;
  far?: { reflectance: number; rangeM: number } | undefined;
}): number {
  if (far === undefined) return 0;
  const falloff = Math.log(far.reflectance / reflectance) / Math.log(far.rangeM / rangeM) - 2;
  // Why rounded: limits that agree by 1/R² have the exponent 0.
  return Number(falloff.toFixed(9));
}

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
      'first: mean of what lies within signalCutoffM behind the nearest, or the nearest echo; closest: the nearest alone; strongest-and-last: where both are one echo, the second strongest beside it; all: maxReturns by range',
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
      'about the distance from which two equal surfaces are two echoes, which are maxima of the signal; 0: each ray is one. Without a waveform only',
    ),
  maxReturns: count.max(16).default(3).describe("with mode 'all': the first so many echoes"),
  detectionThreshold: notNegative
    .default(0)
    .describe(
      'least signal of an echo in 1/m²: the sum of weight times intensity by the radar equation, air included, whatever radiometry reports',
    ),
  detection: detectionSchema.optional(),
  gate: gateSchema.optional(),
  waveform: waveformSchema.optional(),
});

/** From hits to returns. */
export const returnsSchema = echoesSchema
  .refine(({ rangeResolutionM, waveform }) => rangeResolutionM === 0 || waveform === undefined, {
    path: ['rangeResolutionM'],
    message: 'expected only without a waveform, whose pulse width separates echoes',
  })
  .refine((returns) => !hasSeveralReturns(returns.mode) || separatesEchoes(returns), {
    path: ['rangeResolutionM'],
    message: separationMessage,
  })
  .refine((returns) => returns.detection === undefined || rangeCellM(returns) > 0, {
    path: ['detection'],
    message:
      'expected with a waveform, a rangeResolutionM or a signalCutoffM above 0: the length in range of what is detected together',
  });

type Echoes = z.output<typeof echoesSchema>;

/** Whether a sensor separates echoes by range: what more than one return leaves a pulse needs. */
export function separatesEchoes(returns: Pick<Echoes, 'rangeResolutionM' | 'waveform'>): boolean {
  return returns.rangeResolutionM > 0 || returns.waveform !== undefined;
}

/**
 * Length in range in which the receiver cannot separate (PHYSICS.md, 1.3): of its noise, one cell. 0: none is stated.
 */
export function rangeCellM(
  returns: Pick<Echoes, 'rangeResolutionM' | 'waveform' | 'signalCutoffM'>,
): number {
  const { waveform, rangeResolutionM, signalCutoffM } = returns;
  if (waveform !== undefined) return (lightSpeedMPerNs * waveform.pulseWidthNs) / 2;
  return rangeResolutionM > 0 ? rangeResolutionM : Math.min(signalCutoffM, 1);
}

const lightSpeedMPerNs = 0.299792458;

/** How a receiver changes an intensity. */
export const intensitySchema = z.strictObject({
  scale: z
    .array(z.tuple([positive, notNegative]))
    .min(1)
    .max(256)
    .refine((scale) => isRising(scale.map(([signal]) => signal)), 'expected rising signals')
    .refine(
      (scale) => isRising([0, ...scale.map(([, number]) => number)]),
      'expected rising numbers',
    )
    .optional()
    .describe(
      '[signal, number that is reported for it], the signal times R²: 1 of a white target that fills the spot, head on; linear from [0, 0] on, the last number beyond. Left out: the intensity itself',
    ),
  noiseSigma: notNegative
    .default(0)
    .describe('standard deviation of a normal error of every intensity, in their unit'),
  noiseShare: notNegative
    .max(10)
    .default(0)
    .describe('standard deviation of a normal error, as a share of the intensity'),
  saturation: positive.optional().describe('greatest intensity that is reported'),
  step: notNegative.default(0).describe('step of reported intensities, rounded to the nearest'),
});

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
  limitSigmaM: notNegative
    .default(0)
    .describe(
      'of a return with the signal of the target of returns.detection; goes as the inverse square root of the signal that detection counts',
    ),
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

function isRising(values: readonly number[]): boolean {
  return values.every((value, at) => at === 0 || value > (values[at - 1] ?? value));
}

/** Steps of what is reported; 0: none. */
export const quantisationSchema = z.strictObject({
  rangeM: notNegative.default(0).describe('step of reported ranges, rounded to the nearest'),
  azimuthDeg: notNegative
    .max(90)
    .default(0)
    .describe("the encoder's step: reported azimuths are rounded down to it"),
});
