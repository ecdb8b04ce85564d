// The detection limit: P(detect) at chosen distances from the threshold, by the table of the normal law. The receiver
// is chosen so that noise alone passes the threshold in 1 − Φ(5) of its range cells: the threshold is 5 σ, and σ a
// fifth of the signal of the stated limit.
import type { ReturnMode } from '#contract/documents/sensorReturns.ts';
import type { SensorInput } from '#contract/documents/sensor.ts';
import type { ValidationBench } from '../bench.ts';
import { closedForm, formsPart, shareForm, type ClosedForm } from '../closedForm.ts';
import { buildPlates, fire } from '../laboratory.ts';
import type { Piece, PieceOptions } from '../parts.ts';
import { singleLaser, singleRay } from '../simpleSensors.ts';

const [fullPulses, quickPulses] = [40_000, 10_000];
const [limitReflectance, limitM] = [0.2, 50];
/** Range cells of 1 m. */
const cells = 100;
/** 1 − Φ(5), from tables. */
const beyondFiveSigma = 2.866515719e-7;

export const fiveSigmaReceiver = {
  range: { minM: 0, maxM: cells },
  returns: {
    rangeResolutionM: 1,
    detection: {
      reflectance: limitReflectance,
      rangeM: limitM,
      probability: 0.5,
      falseAlarmsPerPulse: cells * beyondFiveSigma,
    },
  },
} satisfies Pick<SensorInput, 'range'> & { returns: Partial<SensorInput['returns']> };

/** Standard deviations of the signal from the threshold, and Φ of them from tables. */
const [below, at, above] = [
  { sigmas: -1, probability: 0.1586552539 },
  { sigmas: 0, probability: 0.5 },
  { sigmas: 1, probability: 0.8413447461 },
];

interface Case {
  name: string;
  distance: typeof at;
  beam?: Partial<SensorInput['beam']>;
  mode?: ReturnMode;
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
  { name: 'nine rays, 1 σ below, mode all', distance: below, beam: stencil, mode: 'all' },
  { name: 'one ray, 1 σ above, at half the distance', distance: above, beam: rays(1), atM: 25 },
];

export const detectionLimit: Piece = {
  name: 'detection-limit',
  async run(bench, options) {
    const forms: ClosedForm[] = [];
    for (const each of cases) forms.push(await formOf(bench, each, options));
    return formsPart(
      `Detection limit: a plate head on whose signal lies a chosen number of standard deviations from the threshold, ${options.isQuick ? quickPulses : fullPulses} pulses for each seed. The stated limit is ${limitReflectance * 100} % at ${limitM} m with probability 0.5.`,
      [...forms, ...(await partForms(bench, options))],
    );
  },
};

/** The limit's signal is five standard deviations: a plate of (1 + z/5) times its reflectance lies z above it. */
function reflectanceAt(sigmas: number, atM: number): number {
  return limitReflectance * (1 + sigmas / 5) * (atM / limitM) ** 2;
}

async function formOf(
  bench: ValidationBench,
  { name, distance: { sigmas, probability }, beam = {}, mode = 'strongest', atM = limitM }: Case,
  { isQuick, seeds }: PieceOptions,
): Promise<ClosedForm> {
  await buildPlates(bench, { grey: { reflectance: reflectanceAt(sigmas, atM) } }, [
    { material: 'grey', faceM: [atM, 0, 0] },
  ]);
  const pulses = isQuick ? quickPulses : fullPulses;
  let seen = 0;
  for (const seed of seeds) {
    const sensor = singleLaser({
      ...fiveSigmaReceiver,
      beam,
      returns: { ...fiveSigmaReceiver.returns, mode },
    });
    const { object_id: objects } = await fire(bench, sensor, ['object_id'], { pulses, seed });
    seen += objects.filter((id) => id > 0).length;
  }
  return closedForm(`P(detect), ${name}`, {
    ...shareForm(seen, pulses * seeds.length, probability),
    // Rays off the axis are up to 1e-6 longer, 2e-6 of the signal: 5e-6 of the probability.
    tolerance: 5e-6,
    source: 'table of the normal law',
  });
}

/** Three of nine rays on a plate, six on a wall behind: each group by its own signal, independently. */
async function partForms(
  bench: ValidationBench,
  { isQuick, seeds }: PieceOptions,
): Promise<ClosedForm[]> {
  const [nearM, farM] = [20, 30];
  const materials = {
    bright: { reflectance: 3 * reflectanceAt(at.sigmas, nearM) },
    dark: { reflectance: 1.5 * reflectanceAt(above.sigmas, farM) },
  };
  await buildPlates(bench, materials, [
    { material: 'bright', faceM: [nearM, 2.01, 0], sizeM: [4, 4] },
    { material: 'dark', faceM: [farM, 0, 0] },
  ]);
  const pulses = isQuick ? quickPulses : fullPulses;
  let [near, far, both] = [0, 0, 0];
  for (const seed of seeds) {
    const sensor = singleLaser({
      ...fiveSigmaReceiver,
      divergenceMrad: 4,
      returns: { ...fiveSigmaReceiver.returns, mode: 'all' },
    });
    const columns = await fire(bench, sensor, ['object_id', 'pulse'], { pulses, seed });
    const isSeen = [new Set<number>(), new Set<number>()] as const;
    columns.object_id.forEach((id, row) => isSeen[id - 1]?.add(Number(columns.pulse[row])));
    near += isSeen[0].size;
    far += isSeen[1].size;
    both += [...isSeen[0]].filter((pulse) => isSeen[1].has(pulse)).length;
  }
  const trials = pulses * seeds.length;
  // The ring slants by 1.5 mrad: 1e-6 of the distance.
  const form = (name: string, count: number, expected: number, source: string): ClosedForm =>
    closedForm(name, { ...shareForm(count, trials, expected), tolerance: 1e-5, source });
  return [
    form('P(detect), a third of the beam on a near plate', near, at.probability, groupSource),
    form('P(detect), two thirds on the wall behind', far, above.probability, groupSource),
    form(
      ...(['P(detect), both of one pulse', both, at.probability * above.probability] as const),
      'independent noise of each group: the product',
    ),
  ];
}

const groupSource = 'table of the normal law at the signal of the share of the beam';
