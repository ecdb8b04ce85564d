// Return modes before plates that share the rays of a pulse: ranges, intensities and shares of the beam follow from the
// place of the rays. Dual return as manuals state it, and what is nearer than the minimum range.
import type { SensorInput } from '#contract/documents/sensor.ts';
import type { Vector3 } from '#domain/shared/pose.ts';
import { about, form, forms, worst } from '../closedForm.ts';
import { formsPiece } from '../parts.ts';
import { grey, plates, type Plate } from '../scenes.ts';
import { singleLaser } from '../simpleSensors.ts';

const divergenceMrad = 12.9;
const [nearM, farM] = [10, 13];
const [bright, dark] = [0.9, 0.3];
/** Left of the axis, between its ray and those at 34 mm: a plate from here on is met by three of nine rays at 10 m. */
const edgeM = 0.02;
/** A ray of the ring, over the axis: its length is √(1 + r²) of the distance, its cosine the inverse. */
const slant = Math.hypot(1, 0.75 * Math.tan(divergenceMrad / 2000));

/** From an edge to the left, 4 m wide and high. */
export function leftOf(fromM: number, atM: number, reflectance: number): Plate {
  return { material: { reflectance }, faceM: [atM, fromM + 2, 0], sizeM: [4, 4] };
}

function whole(atM: number, reflectance: number): Plate {
  return { material: { reflectance }, faceM: [atM, 0, 0] };
}

/** A bright plate that three of nine rays meet, before a wall that six meet. */
export const brightBeforeDark = plates([leftOf(edgeM, nearM, bright), whole(farM, dark)]);

const near = { range_m: nearM * slant, intensity: bright / slant, beam_share: 3 / 9 };
// Five rays of the ring and the one on the axis.
const far = {
  range_m: (farM * (5 * slant + 1)) / 6,
  intensity: (dark * (5 / slant + 1)) / 6,
  beam_share: 6 / 9,
};
const lone = { ...far, range_m: farM * slant, intensity: dark / slant };
const all = {
  range_m: (3 * near.range_m + 6 * far.range_m) / 9,
  intensity: (3 * near.intensity + 6 * far.intensity) / 9,
  beam_share: 1,
};
const separated = { signalCutoffM: 1, rangeResolutionM: 0.5 };

/** Returns in order of return_no. */
const modes: [name: string, returns: Partial<SensorInput['returns']>, expected: (typeof near)[]][] =
  [
    ['strongest', { mode: 'strongest' }, [near]],
    ['closest', { mode: 'closest' }, [near]],
    ['last', { mode: 'last' }, [lone]],
    ['last, window', { mode: 'last', window: true }, [far]],
    ['strongest, window', { mode: 'strongest', window: true }, [near]],
    ['first, cutoff 1 m', { mode: 'first' }, [near]],
    ['first, cutoff 5 m', { mode: 'first', signalCutoffM: 5 }, [all]],
    ['strongest-and-last', { mode: 'strongest-and-last', ...separated }, [near, far]],
    ['all', { mode: 'all', maxReturns: 5, ...separated }, [near, far]],
  ];

const returnModeRows = modes.map(([mode, returns, expected]) => {
  const worstOf =
    (column: keyof typeof near) =>
    (fired: Record<keyof typeof near, number[]>): ReturnType<typeof worst> =>
      worst(
        expected.map((each, n) => ({ measured: fired[column][n] ?? NaN, expected: each[column] })),
      );
  return forms({
    scene: brightBeforeDark,
    sensor: singleLaser({ divergenceMrad, returns }),
    columns: ['range_m', 'intensity', 'beam_share', 'return_no', 'n_returns'],
    source: 'geometry of the stencil: three of nine rays on the plate, six on the wall',
    // 32-bit ranges of 13 m: 5e-7; sums of nine 32-bit weights, intensities with a rounded cosine.
    laws: [
      { name: `${mode}: returns of a pulse`, statistic: 'rows', expected: expected.length },
      { name: `${mode}: range`, statistic: worstOf('range_m'), tolerance: 5e-6, unit: 'm' },
      { name: `${mode}: intensity`, statistic: worstOf('intensity'), tolerance: 1e-6 },
      {
        name: `${mode}: rows that are not numbered in order, or of another number of returns`,
        statistic: ({ rows, return_no: numbers, n_returns: counts }) =>
          numbers.filter((number, n) => number !== n + 1 || counts[n] !== rows).length,
        expected: 0,
        source: 'returns of a pulse count from 1',
      },
      { name: `${mode}: share of the beam`, statistic: worstOf('beam_share'), tolerance: 1e-6 },
    ],
  });
});

/** Two plates left and right of the axis, which passes between them: the outer rays of a level row tie. */
const tie = form({
  name: 'strongest, two equal hits: the nearer is returned',
  scene: plates([
    leftOf(edgeM, farM, 0.5),
    { ...leftOf(edgeM, nearM, 0.5), faceM: [nearM, -edgeM - 2, 0] },
  ]),
  sensor: singleLaser({
    beam: {
      shape: 'rectangular',
      divergenceHorizontalMrad: divergenceMrad,
      divergenceVerticalMrad: 3,
    },
  }),
  statistic: 'range_m',
  expected: about(nearM * Math.hypot(1, Math.tan(divergenceMrad / 2000) * Math.SQRT1_2), 5e-6, 'm'),
  source: 'symmetry: rays at ±γ/(2√2) meet parallel plates at one angle',
});

export const returnModes = formsPiece({
  name: 'return-modes',
  catches: ['stencil-too-narrow', 'tie-to-the-farther', 'cutoff-ignored', 'mean-over-all-rays'],
  ours: `Return modes: nine rays of ${divergenceMrad} mrad; three meet a plate (reflectance ${bright}) at ${nearM} m, six a wall (${dark}) at ${farM} m. Without another value the cutoff is 1 m.`,
  rows: [...returnModeRows, tie],
});

/** An edge that leaves one of nine rays to a plate at 10 m. */
const oneRayM = 0.04;

/** Signals are the rays' weight times reflectance over R². Distances in order of return_no. */
const dualCases: [name: string, list: Plate[], expectedM: number[]][] = [
  ['the strongest is the nearer one', [leftOf(edgeM, 10, 0.9), whole(20, 0.1)], [10, 20]],
  [
    'the strongest is the last: the leaf before it is returned, too',
    [leftOf(edgeM, 10, 0.05), whole(20, 0.9)],
    [20, 10],
  ],
  [
    'the strongest of three is the last: the second strongest, not the nearest',
    [leftOf(oneRayM, 10, 0.02), leftOf(edgeM, 14, 0.2), whole(20, 0.9)],
    [20, 14],
  ],
  ['one surface', [whole(20, 0.9)], [20]],
];

export const dualReturns = formsPiece({
  name: 'dual-returns',
  catches: ['last-alone-twice'],
  ours: 'Dual returns: plates that share the rays of a pulse.',
  rows: dualCases.map(([name, list, expectedM]) =>
    forms({
      scene: plates(list),
      sensor: singleLaser({
        divergenceMrad,
        returns: { mode: 'strongest-and-last', rangeResolutionM: 1 },
        radiometry: 'radar-equation',
      }),
      columns: ['range_m'],
      source: 'manuals of VLP-16 and VLP-32C, section 9.3',
      laws: [
        { name: `${name}: rows`, statistic: 'rows', expected: expectedM.length },
        ...expectedM.map((expected, n) => ({
          name: `${name}: return ${n + 1}`,
          statistic: ({ range_m: rangesM }: { range_m: number[] }) => rangesM[n] ?? NaN,
          // Rays off the axis are longer by half the square of half the divergence.
          expected: about(expected, (expected * (divergenceMrad / 2000) ** 2) / 2, 'm'),
        })),
      ],
    }),
  ),
});

const [minM, plateM, wallM] = [5, 4, 10];
const blind = singleLaser({ divergenceMrad, range: { minM, maxM: 100 } });
const beforeWall = (faceM: Vector3, widthM: number): ReturnType<typeof plates> =>
  plates([{ material: grey, faceM, sizeM: [widthM, 4] }, whole(wallM, 0.5)]);

/** A surface nearer than the minimum range blocks its rays and returns nothing; the rest of the beam continues. */
export const minimumRange = formsPiece({
  name: 'minimum-range',
  catches: ['share-off-by-a-ray'],
  ours: `Minimum range: a plate at ${plateM} m, nearer than ${minM} m, before a wall at ${wallM} m.`,
  rows: [
    form({
      name: 'minimum range: share of a wall behind a near plate',
      // At 4 m the rays of the ring pass at 0, ±13.7 and ±19.4 mm.
      scene: beforeWall([plateM, 1.008, 0], 2),
      sensor: blind,
      statistic: 'beam_share',
      expected: about(6 / 9, 1e-6),
      source: 'geometry of the stencil: six of nine rays pass beside the plate',
    }),
    form({
      name: 'minimum range: returns behind a near plate that covers the beam',
      scene: beforeWall([plateM, 0, 0], 4),
      sensor: blind,
      statistic: 'rows',
      expected: 0,
      source: 'every ray ends at the plate',
    }),
  ],
});
