// Detection by a receiver, and the echo that it reports. P(detect) at chosen distances from the threshold follows from the
// table of the normal law. The receiver is chosen so that noise alone passes the threshold in 1 − Φ(5) of its range cells:
// the threshold is 5 σ, and σ a fifth of the signal of the stated limit.
import type { SensorInput } from '#contract/documents/sensor.ts';
import { about, closedForm, form, forms, shareForm, type Measurement } from '../closedForm.ts';
import { formsPiece } from '../parts.ts';
import { plates, wall } from '../scenes.ts';
import { singleLaser, singleRay } from '../simpleSensors.ts';
import { leftOf } from './modes.ts';

const [limitReflectance, limitM] = [0.2, 50];
/** Range cells of 1 m. */
const cells = 100;
/** 1 − Φ(5), from tables. */
const beyondFiveSigma = 2.866515719e-7;

const fiveSigma = {
  rangeResolutionM: 1,
  detection: {
    reflectance: limitReflectance,
    rangeM: limitM,
    probability: 0.5,
    falseAlarmsPerPulse: cells * beyondFiveSigma,
  },
} satisfies Partial<SensorInput['returns']>;

function receiver({ returns, ...changes }: Parameters<typeof singleLaser>[0]): SensorInput {
  return singleLaser({
    range: { minM: 0, maxM: cells },
    returns: { ...fiveSigma, ...returns },
    ...changes,
  });
}

/** Standard deviations of the signal from the threshold, and Φ of them from tables. */
const [below, at, above] = [
  { sigmas: -1, probability: 0.1586552539 },
  { sigmas: 0, probability: 0.5 },
  { sigmas: 1, probability: 0.8413447461 },
];

interface Case {
  name: string;
  distance: typeof at;
  beam: Partial<SensorInput['beam']>;
  returns?: Partial<SensorInput['returns']>;
  atM?: number;
}

/** Nine rays of the stencil. */
const stencil = { divergenceHorizontalMrad: 2, divergenceVerticalMrad: 2 };

/** Rays drawn within the spot. */
function rays(count: number): Partial<SensorInput['beam']> {
  return { ...singleRay, ...stencil, rays: { count } };
}

const cases: Case[] = [
  { name: 'one ray, at the limit', distance: at, beam: rays(1) },
  { name: 'one ray, 1 σ below', distance: below, beam: rays(1) },
  { name: 'one ray, 1 σ above', distance: above, beam: rays(1) },
  { name: 'nine rays, 1 σ above', distance: above, beam: stencil },
  { name: 'nine drawn rays, 1 σ above', distance: above, beam: rays(9) },
  { name: '25 rays, 1 σ above', distance: above, beam: rays(25) },
  {
    name: 'nine rays, 1 σ below, mode all',
    distance: below,
    beam: stencil,
    returns: { mode: 'all' },
  },
  { name: 'one ray, 1 σ above, at half the distance', distance: above, beam: rays(1), atM: 25 },
];

/** The limit's signal is five standard deviations: a plate of (1 + z/5) times its reflectance lies z above it. */
function reflectanceAt(sigmas: number, atM: number): number {
  return limitReflectance * (1 + sigmas / 5) * (atM / limitM) ** 2;
}

const [partM, behindM] = [20, 30];

/** Three of nine rays on a plate, six on a wall behind: each group by its own signal, independently. */
const parts: Measurement = async ({ fire }) => {
  const {
    object_id: ids,
    pulse: pulseOf,
    pulses,
  } = await fire({
    scene: plates([
      leftOf(0.01, partM, 3 * reflectanceAt(at.sigmas, partM)),
      {
        material: { reflectance: 1.5 * reflectanceAt(above.sigmas, behindM) },
        faceM: [behindM, 0, 0],
      },
    ]),
    sensor: receiver({ divergenceMrad: 4, returns: { mode: 'all' } }),
    columns: ['object_id', 'pulse'],
    pulses: 'many',
  });
  const seen = (id: number): Set<number> => new Set(pulseOf.filter((_, n) => ids[n] === id));
  const [near, far] = [seen(1), seen(2)];
  const group = 'table of the normal law at the signal of the share of the beam';
  // The ring slants by 1.5 mrad: 1e-6 of the distance.
  const form = (name: string, count: number, expected: number, source = group) =>
    closedForm(
      { name: `P(detect), ${name}`, tolerance: 1e-5, source },
      shareForm(count, pulses, expected),
    );
  return [
    form('a third of the beam on a near plate', near.size, at.probability),
    form('two thirds on the wall behind', far.size, above.probability),
    form(
      'both of one pulse',
      near.intersection(far).size,
      at.probability * above.probability,
      'independent noise of each group: the product',
    ),
  ];
};

export const detectionLimit = formsPiece({
  name: 'detection-limit',
  catches: ['limit-without-noise', 'limit-of-each-ray', 'one-draw-for-all-echoes'],
  ours: (pulses) =>
    `Detection limit: a plate head on whose signal lies a chosen number of standard deviations from the threshold, ${pulses} pulses for each seed. The stated limit is ${limitReflectance * 100} % at ${limitM} m with probability 0.5.`,
  rows: [
    ...cases.map(({ name, distance: { sigmas, probability }, beam, returns = {}, atM = limitM }) =>
      form({
        name: `P(detect), ${name}`,
        scene: wall({ reflectance: reflectanceAt(sigmas, atM) }, atM),
        sensor: receiver({ beam, returns }),
        columns: ['object_id'],
        pulses: 'many',
        statistic: ({ object_id: ids, pulses }) =>
          shareForm(ids.filter((id) => id > 0).length, pulses, probability),
        // Rays off the axis are up to 1e-6 longer, 2e-6 of the signal: 5e-6 of the probability.
        tolerance: 5e-6,
        source: 'table of the normal law',
      }),
    ),
    parts,
  ],
});

/** Two plates within the range resolution; one of nine rays meets the near one: no two rays tie for the strongest. */
const [nearM, farM] = [10, 10.4];
const [bright, dark] = [0.6, 0.3];
const [near, far] = [(1 / 9) * (bright / nearM ** 2), (8 / 9) * (dark / farM ** 2)];
const share = near / (near + far);
const spreadM = Math.sqrt(share * (1 - share)) * (farM - nearM);
const pulseM = 0.28 * fiveSigma.rangeResolutionM;
const twoPlates = plates([
  leftOf(0.0125, nearM, bright),
  { material: { reflectance: dark }, faceM: [farM, 0, 0] },
]);
/** So narrow that rays off the axis are 1e-6 longer. */
const narrow = receiver({ divergenceMrad: 4 });

function ofEcho(
  name: string,
  statistic: 'range_m' | 'echo_width_m' | 'amplitude' | 'snr' | 'beam_share',
  expected: number,
  source: string,
  unit = '1',
) {
  const tolerance = 5e-6 * expected;
  return { name: `one echo of two plates: ${name}`, statistic, expected, tolerance, unit, source };
}

const centroidM = share * nearM + (1 - share) * farM;
const centroid = 'centroid of the received power';
const width = 'variance of two values, √(pq)·d, in quadrature with that of the pulse';
const snr = 'the limit, detected with probability 0.5 by a threshold of 5 σ, has 5';
const snrAtLimit = limitReflectance / limitM ** 2;

/** Columns of a return about its echo. */
export const echoShape = formsPiece({
  name: 'echo-shape',
  catches: ['middle-for-centroid', 'width-without-pulse'],
  ours: `Echo of two plates: reflectance ${bright} at ${nearM} m in one of nine rays, ${dark} at ${farM} m in eight, less than the range resolution apart.`,
  rows: [
    // Alone: rows without the shape of an echo come from packets of rays.
    form({
      name: 'one echo of two plates: range',
      scene: twoPlates,
      sensor: narrow,
      statistic: 'range_m',
      expected: about(centroidM, 5e-6 * centroidM, 'm'),
      source: centroid,
    }),
    forms({
      scene: twoPlates,
      sensor: narrow,
      columns: ['range_m', 'echo_width_m', 'amplitude', 'snr', 'beam_share'],
      laws: [
        ofEcho('range beside its shape', 'range_m', centroidM, centroid, 'm'),
        ofEcho('width', 'echo_width_m', Math.hypot(spreadM, pulseM), width, 'm'),
        ofEcho('amplitude', 'amplitude', near + far, 'radar equation: Σ w·ρ/R²', '1/m²'),
        ofEcho('signal-to-noise ratio', 'snr', (5 * (near + far)) / snrAtLimit, snr),
        ofEcho('share of the beam', 'beam_share', 1, 'each ray ends in the one return'),
      ],
    }),
  ],
});
