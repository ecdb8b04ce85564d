// Errors of reported ranges: noise by its laws, biases of lasers, steps and folds. Each by the moments of its law, over many
// pulses.
import type { SensorInput } from '#contract/documents/sensor.ts';
import { normalCdf } from '#domain/campaign/normal.ts';
import { radians } from '#domain/shared/numbers.ts';
import { extent } from '#domain/shared/statistics.ts';
import {
  about,
  closedForm,
  form,
  forms,
  ksForm,
  differences,
  meanForm,
  offSteps,
  sigmaForm,
  type Measurement,
} from '../closedForm.ts';
import { formsPiece, greatest } from '../parts.ts';
import { plates, wall } from '../scenes.ts';
import { laserSlotNs, singleLaser } from '../simpleSensors.ts';
import { straight } from '../trajectories.ts';

const reflectance = 0.4;
// sin θ/cos² θ of a plate is tan θ·sec θ: with h = tan θ, the slope of the plate, h·√(1 + h²).
const slopeTerm = (yawDeg: number): number =>
  Math.tan(radians(yawDeg)) * Math.hypot(1, Math.tan(radians(yawDeg)));
const [s0, sa, sr, si, sl] = [0.015, 0.0014, 0.001, 0.004, 0.05];
// The plate at 80 m is at the limit as 10 % at 50 m: R₀²·0.4/(R²·0.1) = 1/(50/80)^p.
const detection = { reflectance: 0.1, rangeM: 50, far: { reflectance, rangeM: 80 } };
const farther = Math.log(0.64) / Math.log(50 / 80);

type Ranges = Record<'range_m' | 'range_clean_m', number[]>;
const errorsOf = (fired: Ranges): number[] => differences(fired.range_m, fired.range_clean_m);

/** Errors of one laser on a plate. */
function rangeLaw({
  name,
  noise,
  returns,
  atM = 20,
  yawDeg,
  expected,
  source,
}: {
  name: string;
  noise: NonNullable<SensorInput['noise']>;
  returns?: Partial<SensorInput['returns']>;
  atM?: number;
  yawDeg?: number;
  expected: number;
  source: string;
}): Measurement {
  return forms({
    scene: wall({ reflectance }, atM, yawDeg),
    sensor: singleLaser({ noise, ...(returns && { returns }) }),
    columns: ['range_m', 'range_clean_m'],
    pulses: 'many',
    // 32-bit ranges of up to 80 m: 4e-6 each, uniform.
    laws: [
      {
        name: `noise of a range, ${name}: standard deviation`,
        statistic: (fired) => sigmaForm(errorsOf(fired)),
        expected: about(expected, 1e-6, 'm'),
        source,
      },
      {
        name: `noise of a range, ${name}: mean`,
        statistic: (fired) => meanForm(errorsOf(fired)),
        expected: about(0, 1e-6, 'm'),
        source: 'errors are centred',
      },
    ],
  });
}

const rangeLaws = [
  rangeLaw({
    name: 'σ0',
    noise: { rangeSigmaM: s0 },
    expected: s0,
    source: 'Deschaud 2012: 0.015 m for a mobile scanner',
  }),
  rangeLaw({
    name: 'σa at 60°',
    noise: { incidenceSigmaM: sa },
    yawDeg: 60,
    expected: sa * slopeTerm(60),
    source: 'Deschaud 2012, as tan θ·sec θ: 2√3·σa at 60°',
  }),
  rangeLaw({
    name: 'σa at 75°',
    noise: { incidenceSigmaM: sa },
    yawDeg: 75,
    expected: sa * slopeTerm(75),
    source: 'Deschaud 2012, as tan θ·sec θ',
  }),
  rangeLaw({
    name: 'σR at 80 m',
    noise: { rangeSigmaPerM: sr },
    atM: 80,
    expected: sr * 80,
    source: 'proportional to range',
  }),
  rangeLaw({
    name: 'σI at intensity 0.4',
    noise: { signalSigmaM: si },
    expected: si / Math.sqrt(reflectance),
    source: 'shot noise: inverse root of the energy',
  }),
  rangeLaw({
    name: 'σL at the second target of the limit',
    noise: { limitSigmaM: sl },
    returns: { detection },
    atM: 80,
    expected: sl,
    source: 'a target at the limit has its signal-to-noise ratio',
  }),
  rangeLaw({
    name: 'σL at half its distance',
    noise: { limitSigmaM: sl },
    returns: { detection },
    atM: 40,
    expected: sl / Math.sqrt(4 * 2 ** farther),
    source: 'inverse root of the signal that counts: S·(R₀/R)^p',
  }),
  rangeLaw({
    name: 'all four at 60°',
    noise: { rangeSigmaM: s0, incidenceSigmaM: sa, rangeSigmaPerM: sr, signalSigmaM: si },
    yawDeg: 60,
    // I = ρ·cos 60°.
    expected: Math.hypot(s0, sa * slopeTerm(60), sr * 20, si / Math.sqrt(reflectance / 2)),
    source: 'variances of independent errors add up',
  }),
];

const normality = forms({
  scene: wall({ reflectance }, 20),
  sensor: singleLaser({ noise: { rangeSigmaM: s0 } }),
  columns: ['range_m', 'range_clean_m'],
  pulses: 'many',
  laws: [
    {
      name: 'noise of a range, σ0: KS to the normal law',
      comparison: 'below',
      statistic: (fired) => ksForm(errorsOf(fired), (x) => normalCdf(x / s0)),
      source: 'normal errors',
    },
    {
      name: 'noise of a range: spread of the clean ranges',
      statistic: ({ range_clean_m: [first = NaN, ...others] }) =>
        Math.max(...extent(others.map((rangeM) => rangeM - first)).map(Math.abs)),
      expected: 0,
      unit: 'm',
      source: 'a laser at rest before a wall',
    },
  ],
});

const [foldM, foldSigmaM, foldStepM] = [15, 0.02, 0.01];

/** Ranges are folded and rounded after noise was added; the clean range is folded only. */
const folded = forms({
  scene: wall({ reflectance }, 20),
  sensor: singleLaser({
    range: { minM: 0, maxM: 1000, backfoldM: foldM },
    noise: { rangeSigmaM: foldSigmaM },
    quantisation: { rangeM: foldStepM },
  }),
  columns: ['range_m', 'range_clean_m', 'true_range_m'],
  pulses: 100,
  unit: 'm',
  source: 'Gschwandtner 2011, eq. 3, of true range and noise; normal errors lie within 5 σ',
  laws: [
    {
      name: 'folded at 15 m, a wall at 20 m: clean range',
      statistic: 'range_clean_m',
      expected: about(5, 1e-5),
    },
    {
      name: 'folded at 15 m, a wall at 20 m: true range',
      statistic: 'true_range_m',
      expected: about(20, 1e-5),
    },
    {
      name: 'folded at 15 m, a wall at 20 m: greatest error of a range',
      comparison: 'at-most',
      statistic: ({ range_m: rangesM }) => greatest(rangesM.map((rangeM) => rangeM - 5)),
      expected: 5 * foldSigmaM,
    },
    {
      name: 'folded at 15 m, a wall at 20 m: greatest distance from a whole step, in steps',
      statistic: ({ range_m: rangesM }) => greatest(offSteps(rangesM, foldStepM)),
      // 32-bit ranges of 5 m: 2.4e-7 m.
      expected: about(0, 1e-6 / foldStepM, '1'),
    },
    {
      name: 'folded at 15 m, a wall at 20 m: different ranges',
      comparison: 'above',
      statistic: ({ range_m: rangesM }) => new Set(rangesM).size,
      expected: 3,
      unit: '1',
    },
  ],
});

const unmet = form({
  name: 'noise of a range: returns of pulses that met nothing',
  scene: plates([{ material: { reflectance }, faceM: [-20, 0, 0] }]),
  sensor: singleLaser({
    noise: { laserBiasSigmaM: 0.1, rangeSigmaM: 0.1, rangeSigmaPerM: 0.01, pointingSigmaMrad: 1 },
  }),
  pulses: 'many',
  statistic: 'rows',
  expected: 0,
  source: 'noise is of echoes, not of pulses',
});

const biasSigmaM = 0.025;
const [units, lasersPerUnit] = [5, 64];

/** Sensors that differ by id and seed: biases are drawn again for each. */
const biases: Measurement = async ({ fire }) => {
  const biasesM: number[] = [];
  const spreadsM: number[] = [];
  const scene = wall({ reflectance }, 20);
  for (let unit = 1; unit <= units; unit += 1) {
    const elevationsDeg = { fromDeg: -15, toDeg: 15, count: lasersPerUnit };
    const fired = await fire({
      scene,
      sensor: {
        ...singleLaser({ noise: { laserBiasSigmaM: biasSigmaM } }),
        id: `unit-${unit}`,
        banks: [{ name: 'lasers', elevationsDeg }],
      },
      columns: ['ring', 'range_m', 'range_clean_m'],
      pulses: 4,
      seed: unit,
    });
    const errorsM = differences(fired.range_m, fired.range_clean_m);
    for (let ring = 0; ring < lasersPerUnit; ring += 1) {
      const [min, max] = extent(errorsM.filter((_, n) => fired.ring[n] === ring));
      biasesM.push(errorsM[fired.ring.indexOf(ring)] ?? NaN);
      spreadsM.push(max - min);
    }
  }
  return [
    closedForm(
      {
        name: 'per-laser bias: standard deviation over lasers',
        expected: about(biasSigmaM, 1e-6, 'm'),
        source: 'Gschwandtner 2011, eq. 2: normal, one for each laser',
      },
      sigmaForm(biasesM),
    ),
    closedForm(
      {
        name: 'per-laser bias: KS to the normal law',
        comparison: 'below',
        source: 'Gschwandtner 2011, eq. 2',
      },
      ksForm(biasesM, (x) => normalCdf(x / biasSigmaM)),
    ),
    closedForm(
      {
        name: 'per-laser bias: greatest change between pulses',
        expected: about(0, 5e-6, 'm'),
        source: 'Gschwandtner 2011, section 3.2: constant in time',
      },
      Math.max(...spreadsM),
    ),
  ];
};

export const rangeNoise = formsPiece({
  name: 'range-noise',
  catches: ['variance-for-sigma', 'incidence-without-square'],
  ours: (pulses) =>
    `Noise of ranges: errors of one laser on a plate, ${pulses} pulses for each law and seed; biases of ${units * lasersPerUnit} lasers.`,
  rows: [...rangeLaws, normality, folded, unmet, biases],
});

const [stepM, stepPulses] = [0.05, 10_000];
/** So that ranges pass through many steps, evenly. */
const wayM = 1.7;
const uniform = 'uniform law: mean 0, standard deviation 1/√12';
const inSteps = (fired: Ranges): number[] => errorsOf(fired).map((errorM) => errorM / stepM);

/** Reported ranges are rounded to the nearest: errors are uniform over a step. */
export const steps = formsPiece({
  name: 'steps',
  catches: ['range-step-down'],
  ours: `Steps: ranges of a moving laser in steps of ${stepM} m, ${stepPulses} pulses.`,
  rows: [
    forms({
      scene: wall({ reflectance: 0.5 }, 20),
      sensor: singleLaser({ quantisation: { rangeM: stepM } }),
      columns: ['range_m', 'range_clean_m'],
      path: {
        trajectory: straight([0, 0, 0], [wayM, 0, 0], stepPulses * laserSlotNs),
        toNs: stepPulses * laserSlotNs,
      },
      source: uniform,
      laws: [
        {
          name: 'range step: mean error, in steps',
          statistic: (fired) => meanForm(inSteps(fired)),
          expected: 0,
        },
        {
          name: 'range step: standard deviation of errors, in steps',
          statistic: (fired) => sigmaForm(inSteps(fired)),
          expected: 1 / Math.sqrt(12),
        },
        {
          name: 'range step: greatest distance from a whole step, in steps',
          statistic: ({ range_m: rangesM }) => Math.max(...offSteps(rangesM, stepM)),
          // 32-bit ranges of 20 m: 1e-6 m.
          expected: about(0, 1e-6 / stepM),
          source: 'reported ranges are whole steps',
        },
      ],
    }),
  ],
});
