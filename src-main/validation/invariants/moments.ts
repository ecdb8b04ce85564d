// Weights, centroid and second moments of each stencil and profile, from the rays that the worker describes
// (PHYSICS.md, 1.1). Lengths are in half axes of the spot, tan(γ/2).
import type { SensorInput } from '#contract/documents/sensor.ts';
import type { Criterion } from '#contract/host/validation.ts';
import type { ValidationBench } from '../bench.ts';
import { within } from '../criteria.ts';
import type { Series } from '#domain/charts/chart.ts';
import type { Part, Piece } from '../parts.ts';
import { singleLaser } from '../simpleSensors.ts';

interface BeamCase {
  name: string;
  beam: SensorInput['beam'];
  /** ⟨x²⟩ along either axis. */
  secondMoment: number;
  /** Rays differ from pulse to pulse: so many pulses. */
  pulses?: number;
}

const spot = { divergenceHorizontalMrad: 3, divergenceVerticalMrad: 3 };
const flat = { divergenceHorizontalMrad: 3.3, divergenceVerticalMrad: 0.7 };
const thousand = { shape: 'circular', ...spot, stencil: 'rays' } as const;
// ⟨s²⟩ of exp(−2s²) up to c = 1.5: 1/2 − c²·q/(1 − q), q = exp(−2c²).
const outside = Math.exp(-2 * 1.5 ** 2);
const gaussianSquare = 0.5 - (1.5 ** 2 * outside) / (1 - outside);
// ⟨s²⟩ of a cone: ∫s³(1 − s) / ∫s(1 − s) from 0 to 1.
const coneSquare = (1 / 4 - 1 / 5) / (1 / 2 - 1 / 3);

const beams: BeamCase[] = [
  { name: 'circular stencil', beam: { shape: 'circular', ...spot }, secondMoment: 1 / 4 },
  {
    name: 'circular stencil as printed',
    beam: { shape: 'circular', ...spot, stencil: 'goodin2018' },
    // 2/9 of a disc's ⟨r²⟩ = 1/2, half of it along each axis.
    secondMoment: 1 / 18,
  },
  { name: 'elliptical stencil', beam: { shape: 'elliptical', ...flat }, secondMoment: 1 / 4 },
  { name: 'rectangular stencil', beam: { shape: 'rectangular', ...flat }, secondMoment: 1 / 3 },
  {
    name: '1000 rays, uniform',
    beam: { ...thousand, rays: { count: 1000, profile: 'uniform' } },
    secondMoment: 1 / 4,
  },
  {
    name: '1000 rays, Gaussian',
    beam: { ...thousand, rays: { count: 1000, profile: 'gaussian' } },
    secondMoment: gaussianSquare / 2,
  },
  {
    name: '1000 rays, a cone as table',
    beam: {
      ...thousand,
      rays: {
        count: 1000,
        profile: [
          [0, 1],
          [1, 0],
        ],
      },
    },
    secondMoment: coneSquare / 2,
  },
  {
    name: 'random rays, uniform',
    beam: { ...thousand, rays: { count: 1, sampling: 'random' } },
    secondMoment: 1 / 4,
    pulses: 100_000,
  },
  {
    name: 'dithered rays, Gaussian',
    beam: { ...thousand, rays: { count: 100, profile: 'gaussian', dither: true } },
    secondMoment: gaussianSquare / 2,
    pulses: 1_000,
  },
];

export const moments: Piece = {
  name: 'moments',
  catches: ['stencil-off-centre'],
  async run(bench, { seeds }) {
    const found: Measured[] = [];
    for (const each of beams) found.push(await measure(bench, each, seeds[0] ?? 1));
    return partOf(found);
  },
};

interface Measured extends BeamCase {
  weight: number;
  /** Farthest from 0 of the two axes. */
  centroid: number;
  /** Farthest from what was expected, of the two axes. */
  square: number;
  across: number;
  up: number;
  rays: [left: number, up: number][];
}

async function measure(bench: ValidationBench, each: BeamCase, seed: number): Promise<Measured> {
  const { beam, secondMoment, pulses = 1 } = each;
  const sensor = await bench.sensor(singleLaser({ beam }));
  const { columns } = await bench.describe({ sensor, seed, beamPulses: pulses });
  const halfWidth = Math.tan(beam.divergenceHorizontalMrad / 2000);
  const halfHeight = Math.tan(beam.divergenceVerticalMrad / 2000);
  const { ray_weight: weights, ray_left: lefts, ray_up: ups } = columns;
  const sum = { weight: 0, left: 0, up: 0, across: 0, high: 0 };
  for (let ray = 0; ray < weights.length; ray += 1) {
    const w = (weights[ray] ?? NaN) / pulses;
    const left = (lefts[ray] ?? NaN) / halfWidth;
    const up = (ups[ray] ?? NaN) / halfHeight;
    sum.weight += w;
    sum.left += w * left;
    sum.up += w * up;
    sum.across += w * left * left;
    sum.high += w * up * up;
  }
  const isAcrossWorse = Math.abs(sum.across - secondMoment) > Math.abs(sum.high - secondMoment);
  return {
    ...each,
    weight: sum.weight,
    centroid: Math.abs(sum.left) > Math.abs(sum.up) ? sum.left : sum.up,
    square: isAcrossWorse ? sum.across : sum.high,
    across: sum.across,
    up: sum.high,
    rays: Array.from(weights.subarray(0, 1000), (_, ray) => [
      (lefts[ray] ?? NaN) / halfWidth,
      (ups[ray] ?? NaN) / halfHeight,
    ]),
  };
}

function criteriaOf({
  name,
  pulses,
  weight,
  centroid,
  square,
  secondMoment,
}: Measured): Criterion[] {
  // Sums of up to 1e5 doubles, each off by 1.1e-16 of at most 1: 1.1e-11. The table's moments and the
  // middles of strata are found to rounding too.
  const exact = 1e-10;
  // Five standard errors of 1e5 draws: sqrt(⟨x²⟩/n), and for x² of a disc sqrt((1/8 − 1/16)/n); the
  // Gaussian's ⟨x⁴⟩ − ⟨x²⟩² is smaller than 1/16 + 1/64. Strata only lessen them.
  const draws = 1e5;
  const ofCentroid = pulses === undefined ? exact : 5 * Math.sqrt(secondMoment / draws);
  const ofSquare = pulses === undefined ? exact : 5 * Math.sqrt(5 / 64 / draws);
  return [
    within(`Σw: ${name}`, weight, 1, exact),
    within(`centroid (half axes): ${name}`, centroid, 0, ofCentroid),
    within(`second moment (half axes²): ${name}`, square, secondMoment, ofSquare),
  ];
}

function partOf(found: readonly Measured[]): Part {
  const drawn = found.filter(({ name }) => /^circular|^rectangular|Gaussian$/.test(name));
  return {
    ours: [
      'Moments: weights, centroid and second moment along each axis of the rays that the worker describes, in half axes of the spot, tan(γ/2); of a uniform disc ⟨x²⟩ is 1/4, of a rectangle 1/3, of the ring as printed 1/18.',
    ],
    charts: drawn
      .filter(({ pulses }) => pulses === undefined)
      .map(({ name, rays }) => ({
        title: `Footprint: ${name}`,
        x: { name: 'left', unit: 'half axes', from: -1.5, to: 1.5, isReversed: true },
        y: { name: 'up', unit: 'half axes', from: -1.5, to: 1.5 },
        series: [
          outline(name.startsWith('rectangular')),
          { name: 'rays', kind: 'points', data: rays },
        ],
        isPlan: true,
      })),
    criteria: found.flatMap(criteriaOf),
  };
}

function outline(isRectangle: boolean): Series {
  const data = isRectangle
    ? ([
        [-1, -1],
        [1, -1],
        [1, 1],
        [-1, 1],
        [-1, -1],
      ] as const)
    : Array.from({ length: 73 }, (_, n): [number, number] => {
        const phase = (n * Math.PI) / 36;
        return [Math.cos(phase), Math.sin(phase)];
      });
  return { name: 'spot', kind: 'line', data, colour: '#4a4a4a' };
}
