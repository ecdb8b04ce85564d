// Random errors of returns and intensities: drop-outs, false alarms, noise, saturation and steps of intensities. Each by
// the moments of its law, over many pulses.
import type { SensorInput } from '#contract/documents/sensor.ts';
import { extent } from '#domain/shared/statistics.ts';
import {
  about,
  forms,
  meanForm,
  offSteps,
  shareForm,
  sigmaForm,
  type Measurement,
  type OneOf,
} from '../closedForm.ts';
import { formsPiece } from '../parts.ts';
import { grey, plates, wall } from '../scenes.ts';
import { singleLaser } from '../simpleSensors.ts';
import { brightBeforeDark } from './modes.ts';

/** Rows of each pulse. */
function countsOf(pulseOfRow: readonly number[], pulses = 0): number[] {
  const counts = new Array<number>(pulses).fill(0);
  for (const pulse of pulseOfRow) counts[pulse] = (counts[pulse] ?? 0) + 1;
  return counts;
}

const lostShare = 0.2;

/** Each return is lost with the same probability, independently of the others of its pulse. */
export const dropOuts = formsPiece({
  name: 'drop-outs',
  catches: ['drop-out-of-pulses'],
  ours: (pulses) =>
    `Drop-outs: ${lostShare * 100} % of the returns of pulses that have two, ${pulses} pulses for each seed.`,
  rows: [
    forms({
      // The plate that three of nine rays meet is the strongest, the wall behind it the last.
      scene: brightBeforeDark,
      sensor: singleLaser({
        divergenceMrad: 12.9,
        returns: { mode: 'strongest-and-last', rangeResolutionM: 0.5 },
        noise: { dropOutShare: lostShare },
      }),
      columns: ['pulse', 'n_returns'],
      pulses: 'many',
      laws: [
        {
          name: 'drop-outs: share of the returns',
          statistic: ({ rows, pulses }) => shareForm(2 * pulses - rows, 2 * pulses, lostShare),
          source: 'binomial law',
        },
        {
          name: 'drop-outs: share of the pulses without any return',
          statistic: ({ pulse, pulses }) =>
            shareForm(pulses - new Set(pulse).size, pulses, lostShare ** 2),
          source: 'independent losses: the square of the share',
        },
        {
          name: 'drop-outs: rows whose number of returns is not that of their pulse',
          statistic: ({ pulse, n_returns: counts }) => {
            const rowsOf = countsOf(pulse);
            return pulse.filter((each, n) => counts[n] !== rowsOf[each]).length;
          },
          expected: 0,
          source: 'returns are numbered after losses',
        },
      ],
    }),
  ],
});

const perPulse = 0.3;
const [minM, maxM] = [10, 90];

/** Returns of noise alone: their number for each pulse is Poisson's, their ranges are uniform between the limits. */
export const falseAlarms = formsPiece({
  name: 'false-alarms',
  catches: ['alarms-by-area'],
  ours: (pulses) =>
    `False alarms: ${perPulse} a pulse between ${minM} and ${maxM} m, ${pulses} pulses for each seed that meet nothing.`,
  rows: [
    forms({
      // A plate to the side that no pulse meets.
      scene: plates([{ material: grey, faceM: [20, 400, 0] }]),
      sensor: singleLaser({
        range: { minM, maxM },
        returns: {
          rangeResolutionM: 1,
          detection: { reflectance: 0.1, rangeM: 50, falseAlarmsPerPulse: perPulse },
        },
      }),
      columns: ['pulse', 'range_m', 'object_id'],
      pulses: 'many',
      laws: [
        {
          name: 'false alarms: mean number of a pulse',
          statistic: ({ pulse, pulses }) => meanForm(countsOf(pulse, pulses)),
          expected: perPulse,
          source: 'the stated number',
        },
        {
          name: 'false alarms: variance of the number of a pulse',
          // Variance of a sample's variance, (μ4 − σ⁴)/n, with Poisson's μ4 = λ + 3λ².
          statistic: ({ pulse, pulses }) => ({
            measured: sigmaForm(countsOf(pulse, pulses)).measured ** 2,
            standardError: Math.sqrt((perPulse + 2 * perPulse ** 2) / pulses),
          }),
          expected: perPulse,
          source: "Poisson's law: the variance is the mean",
        },
        {
          name: 'false alarms: share of pulses without one',
          statistic: ({ pulse, pulses }) =>
            shareForm(pulses - new Set(pulse).size, pulses, Math.exp(-perPulse)),
          source: "Poisson's law: e^−λ",
        },
        {
          name: 'false alarms: mean range',
          statistic: ({ range_m: rangesM }) => meanForm(rangesM),
          expected: (minM + maxM) / 2,
          unit: 'm',
          source: 'uniform law',
        },
        {
          name: 'false alarms: standard deviation of ranges',
          statistic: ({ range_m: rangesM }) => sigmaForm(rangesM),
          expected: (maxM - minM) / Math.sqrt(12),
          unit: 'm',
          source: 'uniform law: length/√12',
        },
        {
          name: 'false alarms: least and greatest range within the limits',
          statistic: ({ range_m: rangesM }) => {
            const [nearestM, farthestM] = extent(rangesM);
            return Math.max(0, minM - nearestM, farthestM - maxM);
          },
          expected: 0,
          unit: 'm',
          source: 'no row lies outside of the limits',
        },
        {
          name: 'false alarms: rows that name an object',
          statistic: ({ object_id: ids }) => ids.filter((id) => id !== 0).length,
          expected: 0,
          source: 'noise meets no surface',
        },
      ],
    }),
  ],
});

const reflectance = 0.4;
const [noiseSigma, noiseShare] = [0.03, 0.1];
const step = 1 / 64;
/** 32-bit intensities of up to 1: 6e-8. */
const rounding = 1e-7;
const brightestOf = (values: readonly number[]): number => extent(values)[1];

function intensityRow(
  intensity: NonNullable<SensorInput['intensity']>,
  laws: readonly OneOf<'intensity'>[],
): Measurement {
  return forms({
    scene: wall({ reflectance }, 20),
    sensor: singleLaser({ intensity }),
    columns: ['intensity'],
    pulses: 'many',
    laws,
  });
}

/** Normal errors, a greatest value, steps. */
export const intensityErrors = formsPiece({
  name: 'intensity-errors',
  catches: ['saturation-before-noise'],
  ours: (pulses) =>
    `Errors of intensities: a plate of reflectance ${reflectance}, ${pulses} pulses for each seed.`,
  rows: [
    intensityRow({ noiseSigma, noiseShare }, [
      {
        name: 'noise of an intensity: mean',
        statistic: ({ intensity }) => meanForm(intensity),
        expected: about(reflectance, rounding),
        source: 'errors are centred',
      },
      {
        name: 'noise of an intensity: standard deviation',
        statistic: ({ intensity }) => sigmaForm(intensity),
        expected: about(Math.hypot(noiseSigma, noiseShare * reflectance), rounding),
        source: 'variances of independent errors add up',
      },
    ]),
    intensityRow({ noiseSigma, saturation: reflectance }, [
      {
        name: 'saturation at the mean: share of saturated returns',
        statistic: ({ intensity, rows }) => {
          const brightest = brightestOf(intensity);
          return shareForm(intensity.filter((value) => value === brightest).length, rows, 0.5);
        },
        source: 'half of the normal law lies above its mean',
      },
      {
        name: 'saturation: greatest intensity',
        statistic: ({ intensity }) => brightestOf(intensity),
        expected: about(reflectance, rounding),
        source: 'the stated value',
      },
      {
        name: 'saturation at the mean: mean',
        statistic: ({ intensity }) => meanForm(intensity),
        expected: about(reflectance - noiseSigma / Math.sqrt(2 * Math.PI), rounding),
        source: 'mean of the half-normal law: σ/√(2π) is cut',
      },
    ]),
    intensityRow({ noiseSigma, step }, [
      {
        name: 'intensity step: greatest distance from a whole step, in steps',
        statistic: ({ intensity }) => brightestOf(offSteps(intensity, step)),
        expected: 0,
        source: 'the step is a power of two',
      },
      {
        name: 'intensity step: standard deviation',
        statistic: ({ intensity }) => sigmaForm(intensity),
        // Sheppard: what the sum of the characteristic function leaves, 2·e^(−2(πσ/step)²), is below 1e-30.
        expected: about(Math.hypot(noiseSigma, step / Math.sqrt(12)), rounding),
        source: 'Sheppard 1897: the step adds step²/12 to the variance',
      },
    ]),
  ],
});
