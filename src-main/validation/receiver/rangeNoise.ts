// Errors of ranges: the standard deviation of each law on a plate, their sum in squares, and the biases of lasers.
import type { SensorInput } from '#contract/documents/sensor.ts';
import { radians } from '#domain/shared/numbers.ts';
import type { ValidationBench } from '../bench.ts';
import { closedForm, formsPart, meanForm, sigmaForm, type ClosedForm } from '../closedForm.ts';
import { buildPlates, fire } from '../laboratory.ts';
import type { Piece, PieceOptions } from '../parts.ts';
import { singleLaser } from '../simpleSensors.ts';

const [fullPulses, quickPulses] = [40_000, 10_000];
const reflectance = 0.4;

interface Law {
  name: string;
  noise: NonNullable<SensorInput['noise']>;
  returns?: Partial<SensorInput['returns']>;
  atM: number;
  yawDeg: number;
  expected: number;
  source: string;
}

// sin θ/cos² θ of a plate is tan θ·sec θ: with h = tan θ, the slope of the plate, h·√(1 + h²).
const slopeTerm = (yawDeg: number): number =>
  Math.tan(radians(yawDeg)) * Math.hypot(1, Math.tan(radians(yawDeg)));
const [s0, sa, sr, si, sl] = [0.015, 0.0014, 0.001, 0.004, 0.05];
// The plate at 80 m is at the limit as 10 % at 50 m: R₀²·0.4/(R²·0.1) = 1/(50/80)^p.
const byLimit = {
  noise: { limitSigmaM: sl },
  returns: {
    detection: { reflectance: 0.1, rangeM: 50, far: { reflectance, rangeM: 80 } },
  },
};
const farther = Math.log(0.64) / Math.log(50 / 80);
const together = Math.hypot(
  s0,
  sa * slopeTerm(60),
  sr * 20,
  // I = ρ·cos 60°.
  si / Math.sqrt(reflectance / 2),
);

const laws: Law[] = [
  {
    name: 'σ0',
    noise: { rangeSigmaM: s0 },
    atM: 20,
    yawDeg: 0,
    expected: s0,
    source: 'Deschaud 2012: 0.015 m for a mobile scanner',
  },
  {
    name: 'σa at 60°',
    noise: { incidenceSigmaM: sa },
    atM: 20,
    yawDeg: 60,
    expected: sa * slopeTerm(60),
    source: 'Deschaud 2012, as tan θ·sec θ: 2√3·σa at 60°',
  },
  {
    name: 'σa at 75°',
    noise: { incidenceSigmaM: sa },
    atM: 20,
    yawDeg: 75,
    expected: sa * slopeTerm(75),
    source: 'Deschaud 2012, as tan θ·sec θ',
  },
  {
    name: 'σR at 80 m',
    noise: { rangeSigmaPerM: sr },
    atM: 80,
    yawDeg: 0,
    expected: sr * 80,
    source: 'proportional to range',
  },
  {
    name: 'σI at intensity 0.4',
    noise: { signalSigmaM: si },
    atM: 20,
    yawDeg: 0,
    expected: si / Math.sqrt(reflectance),
    source: 'shot noise: inverse root of the energy',
  },
  {
    name: 'σL at the second target of the limit',
    ...byLimit,
    atM: 80,
    yawDeg: 0,
    expected: sl,
    source: 'a target at the limit has its signal-to-noise ratio',
  },
  {
    name: 'σL at half its distance',
    ...byLimit,
    atM: 40,
    yawDeg: 0,
    expected: sl / Math.sqrt(4 * 2 ** farther),
    source: 'inverse root of the signal that counts: S·(R₀/R)^p',
  },
  {
    name: 'all four at 60°',
    noise: { rangeSigmaM: s0, incidenceSigmaM: sa, rangeSigmaPerM: sr, signalSigmaM: si },
    atM: 20,
    yawDeg: 60,
    expected: together,
    source: 'variances of independent errors add up',
  },
];

export const rangeNoise: Piece = {
  name: 'range-noise',
  async run(bench, options) {
    const forms: ClosedForm[] = [];
    for (const law of laws) forms.push(...(await formsOfLaw(bench, law, options)));
    forms.push(...(await biasForms(bench)));
    return formsPart(
      `Noise of ranges: errors of one laser on a plate, ${options.isQuick ? quickPulses : fullPulses} pulses for each law and seed; biases of 320 lasers.`,
      forms,
    );
  },
};

async function formsOfLaw(
  bench: ValidationBench,
  { name, noise, returns = {}, atM, yawDeg, expected, source }: Law,
  { isQuick, seeds }: PieceOptions,
): Promise<ClosedForm[]> {
  await buildPlates(bench, { grey: { reflectance } }, [
    { material: 'grey', faceM: [atM, 0, 0], yawDeg },
  ]);
  const errorsM: number[] = [];
  for (const seed of seeds) {
    const columns = await fire(
      bench,
      singleLaser({ noise, returns }),
      ['range_m', 'range_clean_m'],
      {
        pulses: isQuick ? quickPulses : fullPulses,
        seed,
      },
    );
    columns.range_m.forEach((rangeM, row) =>
      errorsM.push(rangeM - (columns.range_clean_m[row] ?? NaN)),
    );
  }
  // 32-bit ranges of up to 80 m: 4e-6 each, uniform.
  const tolerance = 1e-6;
  return [
    closedForm(`noise of a range, ${name}: standard deviation`, {
      ...sigmaForm(errorsM),
      expected,
      tolerance,
      unit: 'm',
      source,
    }),
    closedForm(`noise of a range, ${name}: mean`, {
      ...meanForm(errorsM),
      expected: 0,
      tolerance,
      unit: 'm',
      source: 'errors are centred',
    }),
  ];
}

const biasSigmaM = 0.025;
const [units, lasersPerUnit] = [5, 64];

/** Closed forms for sensors that differ by id and seed: biases are drawn again for each. */
async function biasForms(bench: ValidationBench): Promise<ClosedForm[]> {
  await buildPlates(bench, { grey: { reflectance } }, [{ material: 'grey', faceM: [20, 0, 0] }]);
  const biasesM: number[] = [];
  const spreadsM: number[] = [];
  for (let unit = 1; unit <= units; unit += 1) {
    const elevationsDeg = { fromDeg: -15, toDeg: 15, count: lasersPerUnit };
    const columns = await fire(
      bench,
      {
        ...singleLaser({ noise: { laserBiasSigmaM: biasSigmaM } }),
        id: `unit-${unit}`,
        banks: [{ name: 'lasers', elevationsDeg }],
      },
      ['ring', 'range_m', 'range_clean_m'],
      { pulses: 4, seed: unit },
    );
    const ofRing = new Map<number, number[]>();
    for (const [row, ring] of columns.ring.entries()) {
      const errorM = (columns.range_m[row] ?? NaN) - (columns.range_clean_m[row] ?? NaN);
      ofRing.set(ring, [...(ofRing.get(ring) ?? []), errorM]);
    }
    for (const errors of ofRing.values()) {
      biasesM.push(errors[0] ?? NaN);
      spreadsM.push(Math.max(...errors) - Math.min(...errors));
    }
  }
  return [
    closedForm('per-laser bias: standard deviation over lasers', {
      ...sigmaForm(biasesM),
      expected: biasSigmaM,
      tolerance: 1e-6,
      unit: 'm',
      source: 'Gschwandtner 2011, eq. 2: normal, one for each laser',
    }),
    closedForm('per-laser bias: greatest change between pulses', {
      measured: Math.max(...spreadsM),
      expected: 0,
      tolerance: 5e-6,
      unit: 'm',
      source: 'Gschwandtner 2011, section 3.2: constant in time',
    }),
  ];
}
