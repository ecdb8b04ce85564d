// Six modes and the window: a bright plate that three of nine rays meet before a wall that six meet. Ranges,
// intensities and shares of the beam follow from the place of the rays.
import type { SensorInput } from '#contract/documents/sensor.ts';
import type { ValidationBench } from '../bench.ts';
import { closedForm, formsPart, type ClosedForm } from '../closedForm.ts';
import { buildPlates, fire } from '../laboratory.ts';
import type { Piece } from '../parts.ts';
import { singleLaser } from '../simpleSensors.ts';

const divergenceMrad = 12.9;
const [nearM, farM] = [10, 13];
const [bright, dark] = [0.9, 0.3];
/** Left of the axis, between its ray and those at 34 mm. */
const edgeM = 0.02;
/** A ray of the ring, over the axis: its length is √(1 + r²) of the distance, its cosine the inverse. */
const slant = Math.hypot(1, 0.75 * Math.tan(divergenceMrad / 2000));

type Returns = SensorInput['returns'];
interface Expected {
  name: string;
  returns: Partial<Returns>;
  /** In order of return_no. */
  rows: { rangeM: number; intensity: number; share: number }[];
}

const near = { rangeM: nearM * slant, intensity: bright / slant, share: 3 / 9 };
// Five rays of the ring and the one on the axis.
const far = {
  rangeM: (farM * (5 * slant + 1)) / 6,
  intensity: (dark * (5 / slant + 1)) / 6,
  share: 6 / 9,
};
const lone = { ...far, rangeM: farM * slant, intensity: dark / slant };
const all = {
  rangeM: (3 * near.rangeM + 6 * far.rangeM) / 9,
  intensity: (3 * near.intensity + 6 * far.intensity) / 9,
  share: 1,
};
const separated = { signalCutoffM: 1, rangeResolutionM: 0.5 };

const cases: Expected[] = [
  { name: 'strongest', returns: { mode: 'strongest' }, rows: [near] },
  { name: 'closest', returns: { mode: 'closest' }, rows: [near] },
  { name: 'last', returns: { mode: 'last' }, rows: [lone] },
  { name: 'last, window', returns: { mode: 'last', window: true }, rows: [far] },
  { name: 'strongest, window', returns: { mode: 'strongest', window: true }, rows: [near] },
  { name: 'first, cutoff 1 m', returns: { mode: 'first' }, rows: [near] },
  { name: 'first, cutoff 5 m', returns: { mode: 'first', signalCutoffM: 5 }, rows: [all] },
  {
    name: 'strongest-and-last',
    returns: { mode: 'strongest-and-last', ...separated },
    rows: [near, far],
  },
  { name: 'all', returns: { mode: 'all', maxReturns: 5, ...separated }, rows: [near, far] },
];

export const returnModesPiece: Piece = {
  name: 'return-modes',
  async run(bench) {
    await buildPlates(bench, { bright: { reflectance: bright }, dark: { reflectance: dark } }, [
      { material: 'bright', faceM: [nearM, edgeM + 2, 0], sizeM: [4, 4] },
      { material: 'dark', faceM: [farM, 0, 0] },
    ]);
    const forms: ClosedForm[] = [];
    for (const each of cases) forms.push(...(await formsOfMode(bench, each)));
    return formsPart(
      `Return modes: nine rays of ${divergenceMrad} mrad; three meet a plate (reflectance ${bright}) at ${nearM} m, six a wall (${dark}) at ${farM} m. Without another value the cutoff is 1 m.`,
      [...forms, ...(await tieForms(bench))],
    );
  },
};

async function formsOfMode(
  bench: ValidationBench,
  { name, returns, rows }: Expected,
): Promise<ClosedForm[]> {
  const found = await fire(bench, singleLaser({ divergenceMrad, returns }), [
    'range_m',
    'intensity',
    'beam_share',
  ]);
  const source = 'geometry of the stencil: three of nine rays on the plate, six on the wall';
  const worst = (
    of: 'rangeM' | 'intensity' | 'share',
    column: 'range_m' | 'intensity' | 'beam_share',
  ): { measured: number; expected: number } =>
    rows
      .map((row, n) => ({ measured: found[column][n] ?? NaN, expected: row[of] }))
      .reduce((a, b) => (error(b) > error(a) ? b : a));
  // 32-bit ranges of 13 m: 5e-7; sums of nine 32-bit weights, intensities with a rounded cosine.
  return [
    closedForm(`${name}: returns of a pulse`, {
      measured: found.range_m.length,
      expected: rows.length,
      source,
    }),
    closedForm(`${name}: range`, {
      ...worst('rangeM', 'range_m'),
      tolerance: 5e-6,
      unit: 'm',
      source,
    }),
    closedForm(`${name}: intensity`, {
      ...worst('intensity', 'intensity'),
      tolerance: 1e-6,
      source,
    }),
    closedForm(`${name}: share of the beam`, {
      ...worst('share', 'beam_share'),
      tolerance: 1e-6,
      source,
    }),
  ];
}

function error({ measured, expected }: { measured: number; expected: number }): number {
  return Number.isNaN(measured) ? Infinity : Math.abs(measured - expected);
}

/** Two plates left and right of the axis, which passes between them: the outer rays of a level row tie. */
async function tieForms(bench: ValidationBench): Promise<ClosedForm[]> {
  const reflectance = 0.5;
  await buildPlates(bench, { grey: { reflectance } }, [
    { material: 'grey', faceM: [farM, edgeM + 2, 0], sizeM: [4, 4] },
    { material: 'grey', faceM: [nearM, -edgeM - 2, 0], sizeM: [4, 4] },
  ]);
  const beam = {
    shape: 'rectangular' as const,
    divergenceHorizontalMrad: divergenceMrad,
    divergenceVerticalMrad: 3,
  };
  const { range_m: rangesM } = await fire(bench, singleLaser({ beam }), ['range_m']);
  return [
    closedForm('strongest, two equal hits: the nearer is returned', {
      measured: rangesM[0] ?? NaN,
      expected: nearM * Math.hypot(1, Math.tan(divergenceMrad / 2000) * Math.SQRT1_2),
      tolerance: 5e-6,
      unit: 'm',
      source: 'symmetry: rays at ±γ/(2√2) meet parallel plates at one angle',
    }),
  ];
}
